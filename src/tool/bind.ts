// Given arguments, by name (a model's JSON) or by position (Scheme), to one checked record by name.
// Both doors fail with the same words: a call by name first becomes a call by position, in which a
// skipped option has its default or its type's empty value (ADR 29).

import { Flonum, type Value } from '../engine/value.ts'
import { parseJson, showJson, type Json, type JsonObject } from './json.ts'
import { nearestWord } from './nearest-word.ts'
import { ToolError, type Arguments, type Param, type ParamType, type Prim } from './prim.ts'
import { toArgument, type LabelPlaces } from './scheme-data.ts'

export interface Bound {
  /** By name, checked. An option left out at the end is absent, unless it has a default. */
  args: Arguments
  /** The same by position. */
  positional: Json[]
  labels: LabelPlaces
}

const EMPTY: { [type in ParamType]: Json } = { string: '', integer: 0, number: 0, boolean: false, list: [], object: new Map(), any: null }

/** Throws ToolError `contract`. */
export function bindByName(prim: Prim, given: Json): Bound {
  if (!(given instanceof Map)) throw misuse(prim, `the arguments must be an object, got ${showJson(given)}`)
  checkNames(prim, prim.params, given, '')
  // A model that leaves an option out often sends null for it.
  const present = new Map([...given].filter(([name, value]) => value !== null || !isOptional(prim, name)))
  const last = prim.params.findLastIndex((param) => present.has(param.name))
  const positional = prim.params.slice(0, last + 1).map((param) => {
    if (present.has(param.name)) return present.get(param.name)!
    if (!param.optional) throw missing(prim, param)
    return emptyOf(prim, param)
  })
  return bind(prim, positional, new Map())
}

export function bindByPosition(prim: Prim, values: Value[]): Bound {
  if (values.length > prim.params.length) throw misuse(prim, `expected at most ${prim.params.length} arguments, got ${values.length}`)
  const labels: LabelPlaces = new Map()
  const positional = values.map((value, i) => toArgument(value, prim.params[i]!, labels))
  return bind(prim, positional, labels)
}

/** The arguments by name that a model would have sent for a positional call. */
export function toNamed(prim: Prim, positional: readonly Json[]): JsonObject {
  const named: JsonObject = new Map()
  prim.params.forEach((param, i) => {
    const value = positional[i]
    if (value === undefined) return
    if (param.optional && i < positional.length - 1 && showJson(value) === showJson(emptyOf(prim, param))) return
    named.set(param.name, value)
  })
  return named
}

function bind(prim: Prim, given: Json[], labels: LabelPlaces): Bound {
  const isLeftOut = (param: Param, value: Json | undefined): boolean => value === null && prim.schema !== undefined && param.optional === true
  const positional = given.map((value, i) => (isLeftOut(prim.params[i]!, value) ? null : check(prim, prim.params[i]!, prim.params[i]!.name, value)))
  const args = new Map<string, Json>()
  prim.params.forEach((param, i) => {
    const value = isLeftOut(param, positional[i]) ? undefined : (positional[i] ?? param.default)
    if (value !== undefined) args.set(param.name, value)
    else if (!param.optional) throw missing(prim, param)
  })
  return { args, positional, labels }
}

function isOptional(prim: Prim, name: string): boolean {
  return prim.params.find((param) => param.name === name)?.optional === true
}

function emptyOf(prim: Prim, param: Param): Json {
  return param.default ?? (prim.schema ? null : EMPTY[param.type])
}

/** All unknown names at once, each with the nearest known one. */
function checkNames(prim: Prim, params: Param[], given: JsonObject, place: string): void {
  const known = params.map((param) => param.name)
  const unknown = [...given.keys()].filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const words = unknown.map((name) => {
    const near = nearestWord(name, known)
    return near === null ? name : `${name} (did you mean ${near})`
  })
  const what = place === '' ? 'parameter' : 'field'
  const where = place === '' ? '' : `${place}: `
  const many = unknown.length > 1 ? 's' : ''
  throw misuse(prim, `${where}unknown ${what}${many} ${words.join(', ')}`, `the ${what}s are ${known.join(', ')}`)
}

const WORDS: { [type in ParamType]: string } = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
  any: 'a value',
}

/** The value as the parameter takes it, after the few mistakes that models make and that cannot be
 * misunderstood: a list or an object sent as JSON text, "true" for true, one element where a list of
 * elements with fields is meant. Nothing else is coerced. */
function check(prim: Prim, param: Param, place: string, value: Json): Json {
  const settled = settle(prim, param, place, value)
  if (!fits(param, settled)) throw misuse(prim, `${place} must be ${WORDS[param.type]}, got ${showJson(value)}`)
  if (param.choices && !param.choices.includes(settled as string))
    throw misuse(prim, `${place} must be one of ${param.choices.join(', ')}, got ${showJson(value)}`)
  if (!Array.isArray(settled) || param.type === 'any') return settled
  if (!param.items) {
    const odd = settled.findIndex((item) => typeof item !== 'string')
    if (odd >= 0) throw misuse(prim, `${place}[${odd}] must be a string, got ${showJson(settled[odd]!)}`)
    return settled
  }
  return settled.map((item, i) => checkItem(prim, param, i, settled.length, item))
}

function settle(prim: Prim, param: Param, place: string, value: Json): Json {
  if (param.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if ((param.type === 'list' || param.type === 'object') && typeof value === 'string') {
    let parsed: Json
    try {
      parsed = parseJson(value)
    } catch (error) {
      const reason = (error as Error).message.replace('the arguments are not valid JSON: ', '')
      throw misuse(prim, `${place} must be ${WORDS[param.type]}, got a string that is not valid JSON (${reason})`)
    }
    return settle(prim, param, place, parsed)
  }
  if (param.type === 'list' && param.items && value instanceof Map) return [value]
  return value
}

function fits({ type }: Param, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return typeof value === 'number' || typeof value === 'bigint'
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' || value instanceof Flonum
    case 'list':
      return Array.isArray(value)
    case 'object':
      return value instanceof Map
    case 'any':
      return true
  }
}

/** An element with fields: "edit 2 of 3: old must be a string, got 42". */
function checkItem(prim: Prim, param: Param, i: number, count: number, item: Json): Json {
  const place = `${param.name.replace(/s$/, '')} ${i + 1} of ${count}`
  const where = { edit: i + 1, of: count }
  if (!(item instanceof Map)) throw misuse(prim, `${place} must be an object, got ${showJson(item)}`, undefined, where)
  const fields = param.items!
  checkNames(prim, fields, item, place)
  const checked: JsonObject = new Map()
  for (const field of fields) {
    const value = item.get(field.name)
    if (value === undefined || (value === null && field.optional)) {
      if (!field.optional) throw misuse(prim, `${place}: ${field.name} is missing`, undefined, where)
      if (field.default !== undefined) checked.set(field.name, field.default)
      continue
    }
    checked.set(field.name, check(prim, field, `${place}: ${field.name}`, value))
  }
  return checked
}

/** The ways to call it, as a person writes them: `(fs-edit path old new [replace_all])`. */
export function forms(prim: Prim): string[] {
  const words = prim.params.map(({ name, optional }) => (optional ? `[${name}]` : name)).join(' ')
  return (prim.forms ?? [words]).map((form) => `(${[prim.name, form].filter(Boolean).join(' ')})`)
}

function missing(prim: Prim, param: Param): ToolError {
  return misuse(prim, `missing argument ${param.name}`)
}

function misuse(prim: Prim, message: string, help?: string, where: { edit?: number; of?: number } = {}): ToolError {
  return new ToolError('contract', message, { help: help ?? `the form is ${forms(prim)[0]}`, ...where })
}
