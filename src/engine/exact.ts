// Exact numbers in their one form, and the way between exact and inexact. What can fail is in number.ts.

import { SchemeError } from './error.ts'
import { Flonum, Rational, type Value } from './value.ts'

export type Integer = number | bigint
export type Exact = Integer | Rational
export type Numeric = Exact | Flonum

export const isInteger = (value: Value): value is Integer => typeof value === 'number' || typeof value === 'bigint'
export const isExact = (value: Value): value is Exact => isInteger(value) || value instanceof Rational
export const isNumber = (value: Value): value is Numeric => isExact(value) || value instanceof Flonum

/** Beyond so many bits an operation takes seconds and cannot be stopped. */
const MOST_BITS = 10_000_000n
/** The same for a rational, whose lowest terms take time by the square of their length. */
const MOST_RATIONAL_BITS = 100_000n
interface Bounds {
  least: bigint
  most: bigint
}

// Made when they are first needed, and once: each takes a megabyte.
let integers: Bounds | null = null
let rationals: Bounds | null = null

function makeBounds(bits: bigint): Bounds {
  const most = 1n << bits
  return { least: -most, most }
}

/** Integers below need no closer look. */
const LARGE = 1n << 1000n

export function normalize(n: bigint): Integer {
  if (n > LARGE || n < -LARGE) checkSize(n, (integers ??= makeBounds(MOST_BITS)), 'an integer')
  return n >= -9007199254740991n && n <= 9007199254740991n ? Number(n) : n
}

export const top = (n: Exact): bigint => (n instanceof Rational ? n.numerator : BigInt(n))
export const bottom = (n: Exact): bigint => (n instanceof Rational ? n.denominator : 1n)

export function gcdBig(a: bigint, b: bigint): bigint {
  if (a < 0n) a = -a
  if (b < 0n) b = -b
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function checkSize(n: bigint, { least, most }: Bounds, what: string): void {
  if (n > most || n < least) throw new SchemeError(`${what} is larger than can be computed with`, { kind: 'limit' })
}

/** numerator/denominator in lowest terms; the denominator is not 0. */
export function ratio(numerator: bigint, denominator: bigint): Exact {
  if (denominator === 1n || denominator === -1n) return normalize(numerator * denominator)
  rationals ??= makeBounds(MOST_RATIONAL_BITS)
  checkSize(numerator, rationals, 'a part of a rational')
  checkSize(denominator, rationals, 'a part of a rational')
  if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator]
  const shared = gcdBig(numerator, denominator)
  if (shared !== 1n) [numerator, denominator] = [numerator / shared, denominator / shared]
  return denominator === 1n ? normalize(numerator) : new Rational(numerator, denominator)
}

/** The nearest double; correctly rounded for rationals too. */
export function toDouble(n: Numeric): number {
  if (n instanceof Flonum) return n.value
  if (!(n instanceof Rational)) return Number(n)
  const negative = n.numerator < 0n
  const value = divideToDouble(negative ? -n.numerator : n.numerator, n.denominator)
  return negative ? -value : value
}

export const bits = (n: bigint): number => n.toString(2).length

function divideToDouble(a: bigint, b: bigint): number {
  // A quotient of at least 55 bits with a sticky last bit is rounded right by Number(); below the
  // normal doubles fewer bits are kept, so the scale is bounded there.
  const shift = Math.min(Math.max(0, 66 - (bits(a) - bits(b))), 1140)
  const scaled = a << BigInt(shift)
  let quotient = scaled / b
  if (quotient * b !== scaled) quotient |= 1n
  const spare = shift - 1074
  if (spare > 0 && bits(quotient) - spare < 53) {
    // Subnormal: round to a multiple of 2^-1074 by hand.
    const unit = 1n << BigInt(spare)
    const whole = quotient / unit
    const rest = quotient % unit
    const up = rest * 2n > unit || (rest * 2n === unit && (whole & 1n) === 1n)
    return Number(up ? whole + 1n : whole) * 5e-324
  }
  return scale(Number(quotient), -shift)
}

function scale(value: number, exponent: number): number {
  for (; exponent < -1000; exponent += 1000) value *= 2 ** -1000
  return value * 2 ** exponent
}

/** The exact number that a double is; the double is finite. */
export function exactOf(value: number): Exact {
  if (Number.isSafeInteger(value)) return value + 0
  if (Number.isInteger(value)) return normalize(BigInt(value))
  let denominator = 1n
  while (!Number.isInteger(value)) {
    value *= 2
    denominator *= 2n
  }
  return ratio(BigInt(value), denominator)
}
