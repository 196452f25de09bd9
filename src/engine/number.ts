// Arithmetic on exact integers of any size, rationals and inexact reals (R7RS 6.2), as builtins and the
// slow paths of compiled code call it. Every result is in the one form that exact.ts describes.

import { wrongType, type Binary } from './builtin.ts'
import { SchemeError } from './error.ts'
import { bits, bottom, exactOf, gcdBig, isExact, isInteger, isNumber, normalize, ratio, toDouble, top, type Exact, type Integer, type Numeric } from './exact.ts'
import { Flonum, Rational, type Value } from './value.ts'

export { exactOf, isExact, isInteger, isNumber, normalize, ratio, toDouble, type Exact, type Integer, type Numeric } from './exact.ts'

const big = (n: Integer): bigint => BigInt(n)

export function checkNumber(who: string, value: Value): Numeric {
  if (isNumber(value)) return value
  throw wrongType(who, 'a number', value)
}

/** Arithmetic on what is not two inexact reals, nor two safe integers with such a result. */
function exactly(
  who: string,
  doubles: (a: number, b: number) => number,
  integers: (a: bigint, b: bigint) => bigint,
  rationals: (an: bigint, ad: bigint, bn: bigint, bd: bigint) => Exact,
): Binary {
  return (a, b) => {
    const x = checkNumber(who, a)
    const y = checkNumber(who, b)
    if (x instanceof Flonum) return new Flonum(doubles(x.value, typeof y === 'number' ? y : toDouble(y)))
    if (y instanceof Flonum) return new Flonum(doubles(typeof x === 'number' ? x : toDouble(x), y.value))
    if (isInteger(x) && isInteger(y)) return normalize(integers(big(x), big(y)))
    return rationals(top(x), bottom(x), top(y), bottom(y))
  }
}

const addExactly = exactly('+', (a, b) => a + b, (a, b) => a + b, (an, ad, bn, bd) => ratio(an * bd + bn * ad, ad * bd))
const subExactly = exactly('-', (a, b) => a - b, (a, b) => a - b, (an, ad, bn, bd) => ratio(an * bd - bn * ad, ad * bd))
const mulExactly = exactly('*', (a, b) => a * b, (a, b) => a * b, (an, ad, bn, bd) => ratio(an * bn, ad * bd))

// Written out one by one: V8 makes one fast piece of code of each.
export const add: Binary = (a, b) => {
  if (a instanceof Flonum && b instanceof Flonum) return new Flonum(a.value + b.value)
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b
  return addExactly(a, b)
}

export const sub: Binary = (a, b) => {
  if (a instanceof Flonum && b instanceof Flonum) return new Flonum(a.value - b.value)
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a - b)) return a - b
  return subExactly(a, b)
}

export const mul: Binary = (a, b) => {
  if (a instanceof Flonum && b instanceof Flonum) return new Flonum(a.value * b.value)
  // `+ 0` turns the -0 of 0 times a negative number into 0.
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a * b)) return a * b + 0
  return mulExactly(a, b)
}

export const div: Binary = (a, b) => {
  if (a instanceof Flonum && b instanceof Flonum) return new Flonum(a.value / b.value)
  const x = checkNumber('/', a)
  const y = checkNumber('/', b)
  if (y === 0) throw divisionByZero('/')
  if (x instanceof Flonum || y instanceof Flonum) return new Flonum(toDouble(x) / toDouble(y))
  if (typeof x === 'number' && typeof y === 'number' && x % y === 0) return x / y + 0
  return ratio(top(x) * bottom(y), bottom(x) * top(y))
}

export function divisionByZero(who: string): SchemeError {
  return new SchemeError(`${who}: division by zero`)
}

/** -1, 0 or 1; NaN where one of them is. Exact against inexact is compared exactly. */
export function compare(x: Numeric, y: Numeric): number {
  if (typeof x === 'number' && typeof y === 'number') return Math.sign(x - y)
  if (x instanceof Flonum && y instanceof Flonum) return x.value < y.value ? -1 : x.value > y.value ? 1 : x.value === y.value ? 0 : NaN
  if (x instanceof Flonum) return -compare(y, x)
  if (y instanceof Flonum) {
    if (Number.isNaN(y.value)) return NaN
    if (!Number.isFinite(y.value)) return y.value > 0 ? -1 : 1
    return compare(x, exactOf(y.value))
  }
  const difference = top(x) * bottom(y) - top(y) * bottom(x)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const inOrder = (who: string, a: Value, b: Value): number => compare(checkNumber(who, a), checkNumber(who, b))

export const numEq = (a: Value, b: Value): boolean => (a instanceof Flonum && b instanceof Flonum ? a.value === b.value : inOrder('=', a, b) === 0)
export const less = (a: Value, b: Value): boolean => (a instanceof Flonum && b instanceof Flonum ? a.value < b.value : inOrder('<', a, b) < 0)
export const lessEq = (a: Value, b: Value): boolean => (a instanceof Flonum && b instanceof Flonum ? a.value <= b.value : inOrder('<=', a, b) <= 0)
export const greater = (a: Value, b: Value): boolean => (a instanceof Flonum && b instanceof Flonum ? a.value > b.value : inOrder('>', a, b) > 0)
export const greaterEq = (a: Value, b: Value): boolean => (a instanceof Flonum && b instanceof Flonum ? a.value >= b.value : inOrder('>=', a, b) >= 0)

export type Rounding = 'floor' | 'truncate'

/** Quotient and remainder of integers (R7RS 6.2.6); inexact where one of them is. */
export function divide(who: string, rounding: Rounding, a: Value, b: Value): [Numeric, Numeric] {
  if (a instanceof Flonum || b instanceof Flonum) {
    const x = integerDouble(who, a)
    const y = integerDouble(who, b)
    if (y === 0) throw divisionByZero(who)
    const [quotient, remainder] = divide(who, rounding, exactOf(x), exactOf(y)) as [Exact, Exact]
    return [new Flonum(toDouble(quotient)), new Flonum(toDouble(remainder))]
  }
  if (!isInteger(a)) throw wrongType(who, 'an integer', a)
  if (!isInteger(b)) throw wrongType(who, 'an integer', b)
  if (b === 0) throw divisionByZero(who)
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a % b
    if (rounding === 'floor' && rest !== 0 && rest < 0 !== b < 0) return [(a - rest) / b - 1, rest + b]
    return [(a - rest) / b + 0, rest + 0]
  }
  const x = big(a)
  const y = big(b)
  let quotient = x / y
  let remainder = x % y
  if (rounding === 'floor' && remainder !== 0n && remainder < 0n !== y < 0n) {
    quotient -= 1n
    remainder += y
  }
  return [normalize(quotient), normalize(remainder)]
}

function integerDouble(who: string, value: Value): number {
  if (isInteger(value)) return Number(value)
  if (value instanceof Flonum && Number.isInteger(value.value)) return value.value
  throw wrongType(who, 'an integer', value)
}

export const quotient: Binary = (a, b) => divide('quotient', 'truncate', a, b)[0]
export const remainder: Binary = (a, b) => bigRemainder(a, b) ?? divide('remainder', 'truncate', a, b)[1]
export const modulo: Binary = (a, b) => {
  const rest = bigRemainder(a, b)
  if (rest === null) return divide('modulo', 'floor', a, b)[1]
  return rest !== 0 && rest < 0 !== (b as Integer) < 0 ? add(rest, b) : rest
}

/** The remainder where one of two integers lies beyond the safe ones; null for all else, and for 0. */
function bigRemainder(a: Value, b: Value): Integer | null {
  if (!isInteger(a) || !isInteger(b) || b === 0 || (typeof a === 'number' && typeof b === 'number')) return null
  return normalize(big(a) % big(b))
}

/** Whether a value is an integer in the sense of `integer?`: 3.0 is one. */
export function isIntegral(value: Value): boolean {
  return isInteger(value) || (value instanceof Flonum && Number.isInteger(value.value))
}

export function sign(n: Numeric): number {
  if (n instanceof Flonum) return Math.sign(n.value)
  return n instanceof Rational ? (n.numerator < 0n ? -1 : 1) : n < 0 ? -1 : n > 0 ? 1 : 0
}

export function negate(n: Numeric): Numeric {
  return n instanceof Flonum ? new Flonum(-n.value) : (sub(0, n) as Numeric)
}

export function gcd(a: Exact, b: Exact): Integer {
  return normalize(gcdBig(top(a), top(b)))
}

/** To an integer: `floor`, `ceiling`, `truncate`, or `round` to even. */
export function round(mode: 'floor' | 'ceiling' | 'truncate' | 'round', n: Numeric): Numeric {
  if (isInteger(n)) return n
  if (n instanceof Flonum) return new Flonum(roundDouble(mode, n.value))
  const floor = divide('floor', 'floor', normalize(n.numerator), normalize(n.denominator))[0] as Integer
  const ceiling = add(floor, 1) as Integer
  switch (mode) {
    case 'floor':
      return floor
    case 'ceiling':
      return ceiling
    case 'truncate':
      return n.numerator < 0n ? ceiling : floor
    case 'round': {
      const half = compare(sub(n, floor) as Exact, new Rational(1n, 2n))
      return half < 0 || (half === 0 && big(floor) % 2n === 0n) ? floor : ceiling
    }
  }
}

function roundDouble(mode: 'floor' | 'ceiling' | 'truncate' | 'round', x: number): number {
  if (mode === 'floor') return Math.floor(x)
  if (mode === 'ceiling') return Math.ceil(x)
  if (mode === 'truncate') return Math.trunc(x)
  const floor = Math.floor(x)
  const rest = x - floor
  if (rest < 0.5) return floor === 0 && Object.is(Math.sign(x), -0) ? -0 : floor
  return rest > 0.5 || floor % 2 !== 0 ? Math.ceil(x) : floor
}

/** The largest integer whose square is no larger; n >= 0. */
export function integerSqrt(n: bigint): bigint {
  if (n < 2n) return n
  let guess = BigInt(Math.floor(Math.sqrt(Number(n > 1n << 1000n ? 1n : n))))
  if (n > 1n << 1000n) guess = 1n << BigInt(Math.ceil(bits(n) / 2))
  for (;;) {
    const next = (guess + n / guess) >> 1n
    if (next === guess || next === guess + 1n) break
    guess = next
  }
  while (guess * guess > n) guess -= 1n
  while ((guess + 1n) * (guess + 1n) <= n) guess += 1n
  return guess
}

/** Exact where the root is. */
export function sqrt(n: Numeric): Numeric {
  if (sign(n) < 0) throw new SchemeError(`sqrt: the root of a negative number is not real, got ${toDouble(n)}`)
  if (n instanceof Flonum) return new Flonum(Math.sqrt(n.value))
  const a = integerSqrt(top(n))
  const b = integerSqrt(bottom(n))
  if (a * a === top(n) && b * b === bottom(n)) return ratio(a, b)
  return new Flonum(Math.sqrt(toDouble(n)))
}

const LARGEST_POWER_BITS = 10_000_000

export function expt(base: Numeric, exponent: Numeric): Numeric {
  if (isExact(base) && isInteger(exponent)) {
    if (exponent < 0) {
      if (base === 0) throw divisionByZero('expt')
      return div(1, expt(base, negate(exponent))) as Numeric
    }
    if (base === 0 || base === 1) return exponent === 0 ? 1 : base
    if (base === -1) return big(exponent) % 2n === 0n ? 1 : -1
    const size = Math.max(bits(top(base) < 0n ? -top(base) : top(base)), bits(bottom(base))) * Number(exponent)
    if (size > LARGEST_POWER_BITS) throw new SchemeError(`expt: the result has more than ${LARGEST_POWER_BITS} bits`, { kind: 'limit' })
    return ratio(top(base) ** big(exponent), bottom(base) ** big(exponent))
  }
  const x = toDouble(base)
  const y = toDouble(exponent)
  const result = x ** y
  if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y)) throw new SchemeError('expt: the result is not real')
  // Math says 1 ** Infinity is NaN; IEEE pow says 1.
  return new Flonum(result)
}

/** The simplest rational within `tolerance` of `n` (R7RS `rationalize`). */
export function rationalize(n: Numeric, tolerance: Numeric): Numeric {
  const inexact = n instanceof Flonum || tolerance instanceof Flonum
  if (inexact && !(Number.isFinite(toDouble(n)) && Number.isFinite(toDouble(tolerance)))) {
    if (Number.isFinite(toDouble(n)) && Math.abs(toDouble(tolerance)) === Infinity) return new Flonum(0)
    return new Flonum(Math.abs(toDouble(n)) === Infinity && Number.isFinite(toDouble(tolerance)) ? toDouble(n) : NaN)
  }
  const x = n instanceof Flonum ? exactOf(n.value) : n
  let t = tolerance instanceof Flonum ? exactOf(tolerance.value) : tolerance
  if (sign(t) < 0) t = negate(t) as Exact
  const result = simplest(sub(x, t) as Exact, add(x, t) as Exact)
  return inexact ? new Flonum(toDouble(result)) : result
}

function simplest(low: Exact, high: Exact): Exact {
  if (sign(low) <= 0 && sign(high) >= 0) return 0
  if (sign(high) < 0) return negate(simplest(negate(high) as Exact, negate(low) as Exact)) as Exact
  const floor = round('floor', low) as Integer
  if (compare(floor, low) === 0) return floor
  if (compare(floor, round('floor', high)) < 0) return add(floor, 1) as Exact
  const rest = simplest(div(1, sub(high, floor)) as Exact, div(1, sub(low, floor)) as Exact)
  return add(floor, div(1, rest)) as Exact
}
