// R7RS 6.2: numbers. Complex numbers are left out, so every number is real.

import { wrongType, type Binary, type Builtin } from './builtin.ts'
import { checkLength, checkString, row } from './check.ts'
import { SchemeError } from './error.ts'
import * as n from './number.ts'
import { show } from './printer.ts'
import { numberText, parseNumber } from './number-text.ts'
import { DEFAULT, Flonum, MultipleValues, MutableString, Rational, list, type Value } from './value.ts'

const real = n.checkNumber

function folding(name: string, doc: string, combine: Binary, unit: number): Builtin {
  return binaryRow(name, 'n ...', doc, (...args: Value[]) => (args.length === 1 ? real(name, args[0]!) : args.reduce(combine, unit)), combine)
}

/** `-` and `/`: of one argument its opposite. */
function opposing(name: string, doc: string, combine: Binary, unit: number): Builtin {
  return binaryRow(name, 'n n ...', doc, (first: Value, ...rest: Value[]) => (rest.length === 0 ? combine(unit, first) : rest.reduce(combine, first)), combine)
}

function comparing(name: string, doc: string, holds: (a: Value, b: Value) => boolean): Builtin {
  return binaryRow(name, 'n n ...', doc, (...args: Value[]) => {
    let result = true
    real(name, args[0]!)
    for (let i = 1; i < args.length; i++) if (!holds(args[i - 1]!, args[i]!)) result = false
    return result
  }, holds)
}

function binaryRow(name: string, params: string, doc: string, run: (...args: never[]) => Value, binary: Binary): Builtin {
  return { name, params, doc, run, binary }
}

function predicate(name: string, doc: string, holds: (value: Value) => boolean): Builtin {
  return row(name, 'obj', doc, (value: Value) => holds(value))
}

function numberPredicate(name: string, doc: string, holds: (value: n.Numeric) => boolean): Builtin {
  return row(name, 'n', doc, (value: Value) => holds(real(name, value)))
}

function integer(name: string, value: Value): n.Numeric {
  if (n.isIntegral(value)) return value as n.Numeric
  throw wrongType(name, 'an integer', value)
}

function parity(name: string, doc: string, odd: boolean): Builtin {
  return row(name, 'n', doc, (value: Value) => {
    const number = integer(name, value)
    const rest = number instanceof Flonum ? number.value % 2 : typeof number === 'bigint' ? Number(number % 2n) : (number as number) % 2
    return (rest !== 0) === odd
  })
}

function transcendental(name: string, doc: string, compute: (x: number) => number, exact?: [number, number]): Builtin {
  return row(name, 'z', doc, (value: Value) => {
    const x = real(name, value)
    if (exact && x === exact[0]) return exact[1]
    const result = compute(n.toDouble(x))
    if (Number.isNaN(result) && !Number.isNaN(n.toDouble(x))) throw new SchemeError(`${name}: the result is not real`)
    return new Flonum(result)
  })
}

function dividing(name: string, doc: string, rounding: n.Rounding, pick: (pair: [n.Numeric, n.Numeric]) => Value): Builtin {
  return row(name, 'n1 n2', doc, (a: Value, b: Value) => pick(n.divide(name, rounding, a, b)))
}

function extreme(name: string, doc: string, better: (a: Value, b: Value) => boolean): Builtin {
  return row(name, 'x x ...', doc, (...args: Value[]) => {
    let best = real(name, args[0]!)
    let inexact = best instanceof Flonum
    for (const arg of args.slice(1)) {
      const x = real(name, arg)
      if (x instanceof Flonum) {
        inexact = true
        if (Number.isNaN(x.value)) best = x
      }
      if (better(x, best)) best = x
    }
    return inexact ? new Flonum(n.toDouble(best)) : best
  })
}

function exactFold(name: string, doc: string, unit: number, combine: (a: n.Exact, b: n.Exact) => n.Exact): Builtin {
  return row(name, 'n ...', doc, (...args: Value[]) => {
    let inexact = false
    let result: n.Exact = unit
    for (const arg of args) {
      const number = integer(name, arg)
      if (number instanceof Flonum) inexact = true
      result = combine(result, number instanceof Flonum ? n.exactOf(number.value) : number)
    }
    return inexact ? new Flonum(n.toDouble(result)) : result
  })
}

function toExact(name: string, value: Value): n.Exact {
  const number = real(name, value)
  if (!(number instanceof Flonum)) return number
  if (!Number.isFinite(number.value)) throw wrongType(name, 'a finite number', number)
  return n.exactOf(number.value)
}

const toInexact = (name: string) => (value: Value) => new Flonum(n.toDouble(real(name, value)))

/** Numerator or denominator; of an inexact number inexact. */
function part(name: string, doc: string, pick: (exact: n.Exact) => n.Exact): Builtin {
  return row(name, 'q', doc, (value: Value) => {
    const result = pick(toExact(name, value))
    return value instanceof Flonum ? new Flonum(n.toDouble(result)) : result
  })
}

function bits(name: string, doc: string, combine: (a: bigint, b: bigint) => bigint, unit: bigint): Builtin {
  return row(name, 'n ...', doc, (...args: Value[]) =>
    n.normalize(
      args.reduce<bigint>((result, arg) => {
        if (!n.isInteger(arg)) throw wrongType(name, 'an exact integer', arg)
        return combine(result, BigInt(arg))
      }, unit),
    ))
}

function radixOf(who: string, radix: Value): number {
  if (radix === DEFAULT) return 10
  if (radix === 2 || radix === 8 || radix === 10 || radix === 16) return radix
  throw wrongType(who, '2, 8, 10 or 16 as radix', radix)
}

const lcm = (a: n.Exact, b: n.Exact): n.Exact => {
  if (a === 0 || b === 0) return 0
  const product = n.quotient(n.mul(a, b), n.gcd(a, b)) as n.Exact
  return (n.sign(product) < 0 ? n.negate(product) : product) as n.Exact
}

export const numberBuiltins: Builtin[] = [
  folding('+', 'The sum of the numbers.', n.add, 0),
  folding('*', 'The product of the numbers.', n.mul, 1),
  opposing('-', 'The first number less the others; of one number its negative.', n.sub, 0),
  opposing('/', 'The first number divided by the others; of one number its reciprocal.', n.div, 1),
  comparing('=', 'Tells whether the numbers are equal.', n.numEq),
  comparing('<', 'Tells whether each number is less than the next.', n.less),
  comparing('>', 'Tells whether each number is greater than the next.', n.greater),
  comparing('<=', 'Tells whether no number is greater than the next.', n.lessEq),
  comparing('>=', 'Tells whether no number is less than the next.', n.greaterEq),
  predicate('number?', 'Tells whether obj is a number.', n.isNumber),
  predicate('complex?', 'Tells whether obj is a number.', n.isNumber),
  predicate('real?', 'Tells whether obj is a number.', n.isNumber),
  predicate('rational?', 'Tells whether obj is a finite number.', (v) => n.isExact(v) || (v instanceof Flonum && Number.isFinite(v.value))),
  predicate('integer?', 'Tells whether obj is an integer; 3.0 is one.', n.isIntegral),
  predicate('exact-integer?', 'Tells whether obj is an exact integer.', n.isInteger),
  predicate('exact-rational?', 'Tells whether obj is an exact number.', n.isExact),
  predicate('nan?', 'Tells whether obj is not a number in the sense of IEEE 754.', (v) => v instanceof Flonum && Number.isNaN(v.value)),
  numberPredicate('exact?', 'Tells whether a number is exact.', n.isExact),
  numberPredicate('inexact?', 'Tells whether a number is inexact.', (v) => v instanceof Flonum),
  numberPredicate('finite?', 'Tells whether a number is neither infinite nor NaN.', (v) => !(v instanceof Flonum) || Number.isFinite(v.value)),
  numberPredicate('infinite?', 'Tells whether a number is an infinity.', (v) => v instanceof Flonum && Math.abs(v.value) === Infinity),
  numberPredicate('zero?', 'Tells whether a number is 0.', (v) => n.sign(v) === 0),
  numberPredicate('positive?', 'Tells whether a number is greater than 0.', (v) => n.sign(v) > 0),
  numberPredicate('negative?', 'Tells whether a number is less than 0.', (v) => n.sign(v) < 0),
  parity('odd?', 'Tells whether an integer is odd.', true),
  parity('even?', 'Tells whether an integer is even.', false),
  extreme('max', 'The greatest of the numbers; inexact where one of them is.', n.greater),
  extreme('min', 'The least of the numbers; inexact where one of them is.', n.less),
  row('abs', 'x', 'The magnitude of a number.', (x: Value) => (x instanceof Flonum ? new Flonum(Math.abs(x.value)) : n.sign(real('abs', x)) < 0 ? n.negate(x as n.Numeric) : x)),
  row('magnitude', 'x', 'The magnitude of a number.', (x: Value) => (n.sign(real('magnitude', x)) < 0 ? n.negate(x as n.Numeric) : x)),
  row('1+', 'n', 'One more than n.', (x: Value) => n.add(x, 1)),
  row('1-', 'n', 'One less than n.', (x: Value) => n.sub(x, 1)),
  dividing('quotient', 'The quotient of two integers, rounded towards 0.', 'truncate', ([q]) => q),
  dividing('remainder', 'The remainder of two integers, with the sign of the first.', 'truncate', ([, r]) => r),
  dividing('modulo', 'The remainder of two integers, with the sign of the second.', 'floor', ([, r]) => r),
  dividing('truncate-quotient', 'The quotient of two integers, rounded towards 0.', 'truncate', ([q]) => q),
  dividing('truncate-remainder', 'The remainder to truncate-quotient.', 'truncate', ([, r]) => r),
  dividing('truncate/', 'Two values: truncate-quotient and truncate-remainder.', 'truncate', (pair) => new MultipleValues(pair)),
  dividing('floor-quotient', 'The quotient of two integers, rounded down.', 'floor', ([q]) => q),
  dividing('floor-remainder', 'The remainder to floor-quotient.', 'floor', ([, r]) => r),
  dividing('floor/', 'Two values: floor-quotient and floor-remainder.', 'floor', (pair) => new MultipleValues(pair)),
  exactFold('gcd', 'The greatest common divisor of the integers.', 0, n.gcd),
  exactFold('lcm', 'The least common multiple of the integers.', 1, lcm),
  part('numerator', 'The numerator of a number in lowest terms.', (x) => (x instanceof Rational ? n.normalize(x.numerator) : x)),
  part('denominator', 'The denominator of a number in lowest terms.', (x) => (x instanceof Rational ? n.normalize(x.denominator) : 1)),
  ...(['floor', 'ceiling', 'truncate', 'round'] as const).map((mode) =>
    row(mode, 'x', { floor: 'The largest integer that is not greater.', ceiling: 'The smallest integer that is not less.', truncate: 'The integer part.', round: 'The nearest integer, to even where two are.' }[mode], (x: Value) => n.round(mode, real(mode, x)))),
  row('rationalize', 'x y', 'The simplest number that differs from x by no more than y.', (x: Value, y: Value) => n.rationalize(real('rationalize', x), real('rationalize', y))),
  transcendental('exp', 'e to the power of z.', Math.exp, [0, 1]),
  transcendental('sin', 'The sine of z, in radians.', Math.sin, [0, 0]),
  transcendental('cos', 'The cosine of z, in radians.', Math.cos, [0, 1]),
  transcendental('tan', 'The tangent of z, in radians.', Math.tan, [0, 0]),
  transcendental('asin', 'The arc sine of z, in radians.', Math.asin, [0, 0]),
  transcendental('acos', 'The arc cosine of z, in radians.', Math.acos, [1, 0]),
  row('log', 'z [base]', 'The natural logarithm of z, or the one to a base.', (z: Value, base: Value) => {
    const of = (value: Value): number => {
      const x = real('log', value)
      if (x === 0) throw new SchemeError('log: the logarithm of exact 0 is undefined')
      if (n.sign(x) < 0) throw new SchemeError('log: the result is not real')
      if (typeof x !== 'bigint' || Number.isFinite(Number(x))) return Math.log(n.toDouble(x))
      const digits = x.toString(16).length - 250
      return Math.log(Number(x >> BigInt(4 * digits))) + 4 * digits * Math.LN2
    }
    if (base !== DEFAULT) return new Flonum(of(z) / of(base))
    return z === 1 ? 0 : new Flonum(of(z))
  }),
  row('atan', 'y [x]', 'The arc tangent of y, or the angle of the point (x, y), in radians.', (y: Value, x: Value) => {
    const a = real('atan', y)
    if (x === DEFAULT) return a === 0 ? 0 : new Flonum(Math.atan(n.toDouble(a)))
    const b = real('atan', x)
    return a === 0 && n.isExact(b) && n.sign(b) > 0 ? 0 : new Flonum(Math.atan2(n.toDouble(a), n.toDouble(b)))
  }),
  row('square', 'z', 'z times z.', (z: Value) => n.mul(z, z)),
  row('sqrt', 'z', 'The square root of z, exact where it is.', (z: Value) => n.sqrt(real('sqrt', z))),
  row('exact-integer-sqrt', 'k', 'Two values s and r with k = s² + r, s as large as can be.', (k: Value) => {
    if (!n.isInteger(k) || k < 0) throw wrongType('exact-integer-sqrt', 'an exact non-negative integer', k)
    const root = n.integerSqrt(BigInt(k))
    return new MultipleValues([n.normalize(root), n.normalize(BigInt(k) - root * root)])
  }),
  row('expt', 'z1 z2', 'z1 to the power of z2.', (a: Value, b: Value) => n.expt(real('expt', a), real('expt', b))),
  row('exact', 'z', 'The exact number that is equal to z.', (z: Value) => toExact('exact', z)),
  row('inexact->exact', 'z', 'The exact number that is equal to z.', (z: Value) => toExact('inexact->exact', z)),
  row('inexact', 'z', 'The inexact number nearest to z.', toInexact('inexact')),
  row('exact->inexact', 'z', 'The inexact number nearest to z.', toInexact('exact->inexact')),
  bits('bitwise-and', 'The bits that all integers have.', (a, b) => a & b, -1n),
  bits('bitwise-or', 'The bits that one of the integers has.', (a, b) => a | b, 0n),
  bits('bitwise-xor', 'The bits that an odd number of the integers has.', (a, b) => a ^ b, 0n),
  row('bitwise-not', 'n', 'The complement of the bits of n.', (x: Value) => n.sub(-1, integer('bitwise-not', x))),
  row('arithmetic-shift', 'n count', 'n shifted left, or right where count is negative.', (x: Value, count: Value) => {
    if (!n.isInteger(x)) throw wrongType('arithmetic-shift', 'an exact integer', x)
    if (typeof count !== 'number') throw wrongType('arithmetic-shift', 'an exact integer', count)
    if (count > 10_000_000) throw new SchemeError('arithmetic-shift: the result is too large', { kind: 'limit' })
    return n.normalize(BigInt(x) << BigInt(count))
  }),
  row('number->string', 'number [radix]', 'The text of a number.', (x: Value, radix: Value) =>
    new MutableString(numberText(real('number->string', x), radixOf('number->string', radix)))),
  row('string->number', 'string [radix]', 'The number that a text writes, or #f.', (text: Value, radix: Value) =>
    parseNumber(checkString('string->number', text), radixOf('string->number', radix)) ?? false),
  row('iota', 'count [start step]', 'The list of count numbers from start (0) in steps (1).', (count: Value, start: Value, step: Value) => {
    const from = start === DEFAULT ? 0 : real('iota', start)
    const by = step === DEFAULT ? 1 : real('iota', step)
    const items: Value[] = []
    const length = checkLength('iota', count)
    for (let i = 0; i < length; i++) items.push(n.add(from, n.mul(i, by)))
    return list(items)
  }),
  // Every number is real here (R7RS 6.2.1 leaves the others out).
  row('real-part', 'x', 'A number itself: there are no complex numbers.', (x: Value) => real('real-part', x)),
  row('imag-part', 'x', 'An exact 0: there are no complex numbers.', (x: Value) => (real('imag-part', x), 0)),
  row('magnitude', 'x', 'The number without its sign.', (x: Value) => (n.sign(real('magnitude', x)) < 0 ? n.negate(real('magnitude', x)) : x)),
  row('angle', 'x', 'An exact 0, for a negative number pi.', (x: Value) => (n.sign(real('angle', x)) < 0 ? new Flonum(Math.PI) : 0)),
  row('make-rectangular', 'x y', 'x, where y is an exact 0: there are no complex numbers.', (x: Value, y: Value) => {
    if (real('make-rectangular', y) !== 0) throw new SchemeError(`make-rectangular: there are no complex numbers, got the imaginary part ${show(y)}`)
    return real('make-rectangular', x)
  }),
  row('make-polar', 'x angle', 'x, where the angle is an exact 0: there are no complex numbers.', (x: Value, angle: Value) => {
    if (real('make-polar', angle) !== 0) throw new SchemeError(`make-polar: there are no complex numbers, got the angle ${show(angle)}`)
    return real('make-polar', x)
  }),
]
