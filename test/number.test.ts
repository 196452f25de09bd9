// Arithmetic against laws, with fractions of bigints that are computed here and not by the engine.

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEngine, type Engine } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'

let engine: Engine
beforeAll(() => {
  engine = createEngine()
})
const value = async (program: string): Promise<string> => print(await engine.evaluate(program))

interface Fraction {
  top: bigint
  bottom: bigint
}
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b))
const text = ({ top, bottom }: Fraction): string => {
  const sign = bottom < 0n ? -1n : 1n
  const shared = gcd(top, bottom)
  const [a, b] = [(sign * top) / shared, (sign * bottom) / shared]
  return b === 1n ? String(a) : `${a}/${b}`
}

/** Around the ends of small and safe integers, and beyond. */
const integer = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -3n, max: 3n }).chain((d) => fc.constantFrom(30n, 31n, 32n, 52n, 53n, 54n, 64n).chain((p) => fc.constantFrom(1n, -1n).map((s) => s * 2n ** p + d))),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
)
const fraction = fc.tuple(integer, integer.filter((n) => n !== 0n)).map(([top, bottom]): Fraction => ({ top, bottom }))

const OPERATIONS: [string, (a: Fraction, b: Fraction) => Fraction][] = [
  ['+', (a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom })],
  ['-', (a, b) => ({ top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom })],
  ['*', (a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom })],
]

describe('exact numbers', () => {
  for (const [name, compute] of OPERATIONS)
    test(`${name} of fractions and integers, inlined and applied`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(fraction, integer.map((top) => ({ top, bottom: 1n }))), fc.oneof(fraction, integer.map((top) => ({ top, bottom: 1n }))), async (a, b) => {
          const wanted = text(compute(a, b))
          expect(await value(`(list (${name} ${text(a)} ${text(b)}) (apply ${name} (list ${text(a)} ${text(b)})) ((lambda (x y) (${name} x y)) ${text(a)} ${text(b)}))`)).toBe(`(${wanted} ${wanted} ${wanted})`)
        }),
        { numRuns: 150 },
      )
    })

  test('/ of fractions', async () => {
    await fc.assert(
      fc.asyncProperty(fraction, fraction.filter(({ top }) => top !== 0n), async (a, b) => {
        expect(await value(`(/ ${text(a)} ${text(b)})`)).toBe(text({ top: a.top * b.bottom, bottom: a.bottom * b.top }))
      }),
      { numRuns: 150 },
    )
  })

  test('division with a rest, rounded down and towards 0', async () => {
    await fc.assert(
      fc.asyncProperty(integer, integer.filter((n) => n !== 0n), async (a, b) => {
        const quotient = a / b
        const rest = a % b
        const down = rest !== 0n && rest < 0n !== b < 0n
        const wanted = [quotient, rest, quotient, rest, down ? quotient - 1n : quotient, down ? rest + b : rest, down ? rest + b : rest]
        expect(await value(`(map (lambda (f) (f ${a} ${b})) (list quotient remainder truncate-quotient truncate-remainder floor-quotient floor-remainder modulo))`)).toBe(`(${wanted.join(' ')})`)
        expect(await value(`(list (quotient ${a} ${b}) (remainder ${a} ${b}) (modulo ${a} ${b}))`)).toBe(`(${quotient} ${rest} ${wanted[6]})`)
      }),
      { numRuns: 150 },
    )
  })

  test('order, gcd and lcm', async () => {
    await fc.assert(
      fc.asyncProperty(integer, integer, async (a, b) => {
        const shared = gcd(a, b)
        const common = a === 0n || b === 0n ? 0n : (a * b < 0n ? -(a * b) : a * b) / shared
        const holds = [a < b, a <= b, a === b, a >= b, a > b].map((yes) => (yes ? '#t' : '#f'))
        expect(await value(`(list (< ${a} ${b}) (<= ${a} ${b}) (= ${a} ${b}) (>= ${a} ${b}) (> ${a} ${b}) (gcd ${a} ${b}) (lcm ${a} ${b}) (max ${a} ${b}))`)).toBe(`(${holds.join(' ')} ${shared} ${common} ${a > b ? a : b})`)
      }),
      { numRuns: 150 },
    )
  })

  test('powers and integer roots', async () => {
    await fc.assert(
      fc.asyncProperty(integer, fc.integer({ min: 0, max: 9 }), async (a, n) => {
        expect(await value(`(expt ${a} ${n})`)).toBe(String(a ** BigInt(n)))
        const square = a * a
        const root = a < 0n ? -a : a
        expect(await value(`(call-with-values (lambda () (exact-integer-sqrt ${square + 1n})) list)`)).toBe(square === 0n ? '(1 0)' : `(${root} 1)`)
      }),
      { numRuns: 100 },
    )
  })

  test('written in a radix and read in it', async () => {
    await fc.assert(
      fc.asyncProperty(integer, fc.constantFrom(2, 8, 10, 16), async (a, radix) => {
        expect(await value(`(number->string ${a} ${radix})`)).toBe(`"${a.toString(radix)}"`)
        expect(await value(`(string->number "${a.toString(radix)}" ${radix})`)).toBe(String(a))
      }),
      { numRuns: 100 },
    )
  })
})

describe('inexact numbers', () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true })
  const scheme = (x: number): string => `(string->number "${Object.is(x, -0) ? '-0.0' : Number.isInteger(x) && Math.abs(x) < 1e21 ? `${BigInt(x)}.0` : String(x)}")`

  test('compute as IEEE doubles do, in loops that keep them bare as well', async () => {
    await fc.assert(
      fc.asyncProperty(double, double, async (a, b) => {
        const text = `(let ((a ${scheme(a)}) (b ${scheme(b)}))
          (define (f a b) (list (+ a b) (- a b) (* a b) (< a b) (= a b)))
          (define looped (let loop ((x a) (n 0) (all '())) (if (= n 3) all (loop (+ (* x 0.5) b) (+ n 1) (cons x all)))))
          (list (f a b) looped))`
        const x1 = a * 0.5 + b
        const x2 = x1 * 0.5 + b
        const shown = async (x: number): Promise<string> => (Number.isFinite(x) ? value(scheme(x)) : Number.isNaN(x) ? '+nan.0' : x > 0 ? '+inf.0' : '-inf.0')
        const wanted = await Promise.all([a + b, a - b, a * b].map(shown))
        const loop = await Promise.all([x2, x1, a].map(shown))
        expect(await value(text)).toBe(`((${wanted.join(' ')} ${a < b ? '#t' : '#f'} ${a === b ? '#t' : '#f'}) (${loop.join(' ')}))`)
      }),
      { numRuns: 150 },
    )
  })

  test('are what they were after exact and inexact', async () => {
    await fc.assert(
      fc.asyncProperty(double, async (x) => {
        expect(await value(`(let ((x ${scheme(x)})) (= x (inexact (exact x))))`)).toBe('#t')
        expect(await value(`(let ((x ${scheme(x)})) (eqv? x (string->number (number->string x))))`)).toBe('#t')
      }),
      { numRuns: 150 },
    )
  })

  test('are compared with exact ones exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), async (n) => {
        const x = Number(n)
        const exact = BigInt(x)
        expect(await value(`(let ((x ${scheme(x)})) (list (= ${n} x) (< ${n} x) (> ${n} x)))`)).toBe(`(${n === exact ? '#t' : '#f'} ${n < exact ? '#t' : '#f'} ${n > exact ? '#t' : '#f'})`)
      }),
      { numRuns: 150 },
    )
  })
})
