// What the builtins' tables share: checks of arguments, with the words for what is wrong.

import { wrongType, type Builtin } from './builtin.ts'
import { SchemeError } from './error.ts'
import { show } from './printer.ts'
import { Char, DEFAULT, MutableString, Pair, SchemeSymbol, listItems, type Value } from './value.ts'

/** A row of a table of builtins. */
export function row<A extends Value[]>(name: string, params: string, doc: string, run: (...args: A) => Value, deep = false): Builtin {
  return { name, params, doc, run: run as unknown as Builtin['run'], ...(deep ? { deep } : {}) }
}

export function checkPair(who: string, value: Value): Pair {
  if (value instanceof Pair) return value
  throw wrongType(who, 'a pair', value)
}

export function checkList(who: string, value: Value): Value[] {
  const items = listItems(value)
  if (items) return items
  throw wrongType(who, 'a list', value)
}

export function checkString(who: string, value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof MutableString) return value.toString()
  throw wrongType(who, 'a string', value)
}

export function checkChar(who: string, value: Value): number {
  if (value instanceof Char) return value.code
  throw wrongType(who, 'a character', value)
}

export function checkSymbol(who: string, value: Value): SchemeSymbol {
  if (value instanceof SchemeSymbol) return value
  throw wrongType(who, 'a symbol', value)
}

export function checkVector(who: string, value: Value): Value[] {
  if (Array.isArray(value)) return value
  throw wrongType(who, 'a vector', value)
}

export function checkBytes(who: string, value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw wrongType(who, 'a bytevector', value)
}

/** The most elements that one call may make: V8 keeps longer arrays in another, slow way, and far more
 * would fill the memory before the call returns. */
const MOST_ELEMENTS = 33_000_000

/** The length of something to be made. */
export function checkLength(who: string, value: Value): number {
  const length = checkCount(who, value)
  if (length <= MOST_ELEMENTS) return length
  throw new SchemeError(`${who}: expected a length of at most ${MOST_ELEMENTS}, got ${length}`, { kind: 'limit' })
}

/** An exact integer that is not negative and fits a length. */
export function checkCount(who: string, value: Value): number {
  if (typeof value === 'number' && value >= 0) return value
  throw wrongType(who, 'an exact non-negative integer', value)
}

export function checkByte(who: string, value: Value): number {
  if (typeof value === 'number' && value >= 0 && value <= 255) return value
  throw wrongType(who, 'an integer from 0 to 255', value)
}

/** An index into something of that length. */
export function checkIndex(who: string, value: Value, what: string, length: number): number {
  if (typeof value !== 'number') throw wrongType(who, 'an exact integer as index', value)
  if (value >= 0 && value < length) return value
  throw new SchemeError(`${who}: index ${show(value)} is out of range for ${what} of length ${length}`)
}

/** The optional `start` and `end` of a part of something of that length. */
export function checkRange(who: string, start: Value, end: Value, what: string, length: number): [number, number] {
  const to = end === DEFAULT ? length : bound(who, end, what, length)
  const from = start === DEFAULT ? 0 : bound(who, start, what, length)
  if (from > to) throw new SchemeError(`${who}: start ${from} is behind end ${to}`)
  return [from, to]
}

function bound(who: string, value: Value, what: string, length: number): number {
  if (typeof value !== 'number') throw wrongType(who, 'an exact integer as index', value)
  if (value >= 0 && value <= length) return value
  throw new SchemeError(`${who}: index ${show(value)} is out of range for ${what} of length ${length}`)
}

