// JSON values to Scheme data and back: an object is an association list with string keys, an array a
// list, null the symbol `null`; strings, booleans and numbers are themselves. A symbol as a key is an
// error, never ignored: what is written must be what the guard judged. Labels found on the way back are
// kept by the place where they stood.

import { print } from '../engine/printer.ts'
import { Flonum, Labelled, MutableString, NIL, Pair, SchemeSymbol, intern, list, type Value } from '../engine/value.ts'
import { hasLoneSurrogate, type Json } from './json.ts'
import { ToolError, type Param, type ParamType } from './prim.ts'

const NULL = intern('null')

export function fromJson(json: Json): Value {
  if (json === null) return NULL
  if (Array.isArray(json)) return list(json.map(fromJson))
  if (json instanceof Map) return list([...json].map(([key, value]) => new Pair(key, fromJson(value))))
  return json
}

/** Labels by place: `path`, `edits`, `edits[1]`, `edits[1].new`. */
export type LabelPlaces = Map<string, ReadonlySet<string>>

/** The JSON value of Scheme data. An empty list is []; what should be an empty object needs `param`.
 * Throws ToolError `contract` that names the place. */
export function toJson(value: Value): Json {
  return convert(value, 'value', undefined, new Map(), new Set())
}

/** The JSON value of an argument, with the labels of its parts added to `labels`. A part carries the
 * labels of what it stands in. */
export function toArgument(value: Value, param: Param, labels: LabelPlaces): Json {
  return convert(value, param.name, param, labels, new Set())
}

interface Shape {
  type?: ParamType
  items?: Param[]
}

function convert(value: Value, place: string, shape: Shape | undefined, labels: LabelPlaces, around: ReadonlySet<string>, inside: ReadonlySet<Value> = new Set()): Json {
  if (value instanceof Labelled) {
    around = new Set([...around, ...value.labels])
    value = value.value
  }
  if (around.size > 0) labels.set(place, around)
  if (value === NULL) return null
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'string' || value instanceof MutableString) {
    const text = value.toString()
    if (hasLoneSurrogate(text)) throw problem(`${place} holds half a character (a lone surrogate)`)
    return text
  }
  if (value instanceof Flonum) {
    if (!Number.isFinite(value.value)) throw problem(`${place} must be finite, got ${print(value)}`)
    return value
  }
  if (value !== NIL && !(value instanceof Pair) && !Array.isArray(value)) throw problem(`${place} cannot be JSON, got ${shown(value)}`)
  if (inside.has(value)) throw problem(`${place} is circular`)
  const items = itemsOf(value, place, around)
  const within = new Set([...inside, value])
  const isObject = value === NIL ? shape?.type === 'object' : !Array.isArray(value) && items.every((item) => bare(item) instanceof Pair && isKey(bare((bare(item) as Pair).car)))
  if (isObject) return toObject(items, place, shape, labels, around, within)
  return items.map((item, i) => convert(item, `${place}[${i}]`, shape?.items && { type: 'object', items: shape.items }, labels, around, within))
}

const bare = (value: Value): Value => (value instanceof Labelled ? value.value : value)
// The symbol null is a value; any other symbol in a key's place is a mistake, to be said.
const isKey = (value: Value): boolean => typeof value === 'string' || value instanceof MutableString || (value instanceof SchemeSymbol && value !== NULL)

/** The elements of a list or vector. Labels on a tail of the list hold for the elements behind it. */
function itemsOf(value: Value, place: string, around: ReadonlySet<string>): Value[] {
  if (Array.isArray(value)) return value
  const items: Value[] = []
  const seen = new Set<Value>()
  let labels: ReadonlySet<string> | null = null
  while (value instanceof Pair) {
    if (seen.has(value)) throw problem(`${place} is circular`)
    seen.add(value)
    items.push(labels ? new Labelled(bare(value.car), new Set([...around, ...labels, ...(value.car instanceof Labelled ? value.car.labels : [])])) : value.car)
    value = value.cdr
    if (value instanceof Labelled) {
      labels = new Set([...(labels ?? []), ...value.labels])
      value = value.value
    }
  }
  if (value !== NIL) throw problem(`${place} must be a proper list, got one that ends in ${shown(value)}`)
  return items
}

function toObject(items: Value[], place: string, shape: Shape | undefined, labels: LabelPlaces, around: ReadonlySet<string>, inside: ReadonlySet<Value>): Json {
  const object = new Map<string, Json>()
  for (const item of items) {
    const outer = item instanceof Labelled ? new Set([...around, ...item.labels]) : around
    const entry = bare(item) as Pair
    const key = bare(entry.car)
    const marked = entry.car instanceof Labelled ? new Set([...outer, ...entry.car.labels]) : outer
    if (key instanceof SchemeSymbol) throw problem(`${place}: a key must be a string, got the symbol ${shown(key)}`, `write "${key.name}"`)
    const name = String(key)
    if (object.has(name)) throw problem(`${place}: ${JSON.stringify(name)} is given twice`)
    const field = shape?.items?.find((param) => param.name === name)
    object.set(name, convert(entry.cdr, `${place}.${name}`, field, labels, marked, inside))
  }
  return object
}

function shown(value: Value): string {
  return print(value, { limit: 60 })
}

function problem(message: string, help?: string): ToolError {
  return new ToolError('contract', message, help === undefined ? {} : { help })
}
