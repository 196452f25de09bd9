// The values a Scheme program works with, as JavaScript sees them. Every other file of the engine
// builds on these; they know nothing of reading, compiling or running.
//
// An exact integer is a JavaScript number while it is a safe integer and a bigint beyond; it is never
// a float in disguise: an inexact real is always a Flonum. A JavaScript string is an immutable Scheme
// string; MutableString is what string procedures newly allocate only when somebody can mutate it.
// `undefined` is no Scheme value: in a cell or a variable it means "not yet defined".

export type Value =
  | boolean
  | number
  | bigint
  | string
  | Procedure
  | Value[] // vector
  | Uint8Array // bytevector
  | object // the classes below, and host objects

/** A Scheme procedure: a JavaScript function whose first argument is the depth of the JavaScript
 * stack in use, in the units of `Machine.limit`; the Scheme arguments follow. It returns a value, or
 * CAPTURED when the continuation is being moved to the heap. */
export type Procedure = (depth: number, ...args: Value[]) => Value

export class SchemeSymbol {
  declare readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const symbols = new Map<string, SchemeSymbol>()

/** The symbol of that name: the same object for the same name in the whole process. */
export function intern(name: string): SchemeSymbol {
  let symbol = symbols.get(name)
  if (!symbol) symbols.set(name, (symbol = new SchemeSymbol(name)))
  return symbol
}

// The fields of values that there are many of are only declared: JavaScript would otherwise first give
// each the value undefined.

export class Pair {
  declare car: Value
  declare cdr: Value
  constructor(car: Value, cdr: Value) {
    this.car = car
    this.cdr = cdr
  }
}

/** A value with nothing in it but its name: `()`, the unspecified value, end of file, and the like. */
export class Singleton {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
export const NIL = new Singleton('()')
export const UNSPECIFIED = new Singleton('#<unspecified>')
export const EOF = new Singleton('#<eof>')
/** What an optional parameter that was not given holds (`#!default`). */
export const DEFAULT = new Singleton('#!default')

/** An inexact real (IEEE 754 double). */
export class Flonum {
  declare readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** An exact rational that is no integer: lowest terms, denominator > 1. */
export class Rational {
  declare readonly numerator: bigint
  declare readonly denominator: bigint
  constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator
    this.denominator = denominator
  }
}

/** A character: one Unicode scalar value. Made by `makeChar` alone, so that `eq?` holds for equal ones. */
export class Char {
  declare readonly code: number
  constructor(code: number) {
    this.code = code
  }
}

const latin = Array.from({ length: 256 }, (_, code) => new Char(code))
const chars = new Map<number, Char>()
export function makeChar(code: number): Char {
  if (code < 256) return latin[code]!
  let char = chars.get(code)
  if (!char) chars.set(code, (char = new Char(code)))
  return char
}

const SURROGATE = /[\ud800-\udfff]/
let lastPlain = ''

/** Whether an index of JavaScript's into a text is one of code points. The answer for the last long text
 * is kept, since programs go through a text character by character. */
export function isPlain(text: string): boolean {
  if (text === lastPlain) return true
  if (SURROGATE.test(text)) return false
  if (text.length > 16) lastPlain = text
  return true
}

/** In JavaScript's units: what a copy of in code points still fits the memory. */
const LONGEST_STRING = 100_000_000

/** A newly allocated string, which a program may change. It holds JavaScript text, an array of its code
 * points, or both where both were asked for since the last change. */
export class MutableString {
  declare private text: string | null
  declare private codes: number[] | null
  declare private plain: boolean | null
  /** `plain`: whether `isPlain` is known to hold for the text. */
  constructor(text: string, plain: boolean | null = null) {
    if (text.length > LONGEST_STRING) throw new RangeError('a string is too long')
    this.text = text
    this.codes = null
    this.plain = plain
  }
  /** The text, kept until the next change. */
  toString(): string {
    if (this.text !== null) return this.text
    let text = ''
    const codes = this.codes!
    for (let i = 0; i < codes.length; i += 8192) text += String.fromCodePoint(...codes.slice(i, i + 8192))
    this.plain = null
    return (this.text = text)
  }
  /** In code points. */
  get length(): number {
    return this.codes ? this.codes.length : this.isPlain ? this.text!.length : this.codePoints().length
  }
  codeAt(index: number): number {
    return this.codes ? this.codes[index]! : this.isPlain ? this.text!.charCodeAt(index) : this.codePoints()[index]!
  }
  /** Whether text is held in which an index of JavaScript is one of code points. */
  get isPlain(): boolean {
    if (this.text === null) return false
    return (this.plain ??= isPlain(this.text))
  }
  private codePoints(): number[] {
    return (this.codes ??= Array.from(this.text!, (char) => char.codePointAt(0)!))
  }
  /** The code points, for changing in place. */
  mutate(): number[] {
    const codes = this.codePoints()
    this.text = null
    return codes
  }
}

/** Zero values or two and more; one value is itself. */
export class MultipleValues {
  readonly items: Value[]
  constructor(items: Value[]) {
    this.items = items
  }
}

export class RecordType {
  readonly name: string
  readonly fields: string[]
  constructor(name: string, fields: string[]) {
    this.name = name
    this.fields = fields
  }
}
export class Record {
  declare readonly type: RecordType
  declare readonly fields: Value[]
  constructor(type: RecordType, fields: Value[]) {
    this.type = type
    this.fields = fields
  }
}

/** What `delay`, `delay-force` and `make-promise` make (R7RS 4.2.5). The box is shared between a
 * promise and the ones it was chained to by `delay-force`. */
export class SchemePromise {
  box: { done: boolean; value: Value } // value: the result, or the thunk that computes it
  constructor(done: boolean, value: Value) {
    this.box = { done, value }
  }
}

/** The cell behind an R7RS parameter object (a "dynamic parameter": `parameter` means a tool's here). */
export class DynamicParameter {
  value: Value
  readonly converter: Procedure | null
  constructor(value: Value, converter: Procedure | null) {
    this.value = value
    this.converter = converter
  }
}

/** A value wrapped with labels (where it came from: `untrusted:…`, `secret:…`). It stands on the
 * outside only: never around another Labelled. Made by `label`. */
export class Labelled {
  declare readonly value: Value
  declare readonly labels: ReadonlySet<string>
  constructor(value: Value, labels: ReadonlySet<string>) {
    this.value = value
    this.labels = labels
  }
}

/** `on` is false until the first labelled value of the process is made, so that programs without
 * labels skip every check for them. */
export const labelling = { on: false }

/** `value` with `labels` added to those it has; the value itself where there are none. */
export function label(value: Value, labels: Iterable<string>): Value {
  const all = new Set(labels)
  if (value instanceof Labelled) for (const name of value.labels) all.add(name)
  if (all.size === 0) return value
  labelling.on = true
  return new Labelled(value instanceof Labelled ? value.value : value, all)
}

/** A global variable. `value` is undefined until it is defined. `origin`: the cell of the engine's own
 * whose value it started with. */
export class Cell {
  declare value: Value | undefined
  declare readonly name: string
  declare readonly origin: Cell | null
  constructor(name: string, origin: Cell | null = null) {
    this.value = undefined
    this.name = name
    this.origin = origin
  }
}

/** The list of these items, ending in `tail`. */
export function list(items: readonly Value[], tail: Value = NIL): Value {
  let result = tail
  for (let i = items.length - 1; i >= 0; i--) result = new Pair(items[i]!, result)
  return result
}

/** How many items a proper list has; null where `value` is none (improper or circular). */
export function listLength(value: Value): number | null {
  let length = 0
  let slow = value
  while (value instanceof Pair) {
    value = value.cdr
    if (++length % 2 !== 0) continue
    slow = (slow as Pair).cdr
    if (slow === value && value instanceof Pair) return null
  }
  return value === NIL ? length : null
}

/** The items of a proper list, or null where `value` is none (improper or circular). */
export function listItems(value: Value): Value[] | null {
  const items: Value[] = []
  let slow = value
  while (value instanceof Pair) {
    items.push(value.car)
    value = value.cdr
    if (items.length % 2 === 0) {
      slow = (slow as Pair).cdr
      if (slow === value && value instanceof Pair) return null
    }
  }
  return value === NIL ? items : null
}
