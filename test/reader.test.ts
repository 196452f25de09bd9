// The reader and the printer: each inverts the other on generated data; what is wrong is said in words;
// and numbers agree with bigints and doubles.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Char, Flonum, MutableString, NIL, Pair, ReadError, Rational, intern, list, makeChar, type Value } from '../src/engine/index.ts'
import { isEqual } from '../src/engine/equal.ts'
import * as n from '../src/engine/number.ts'
import { numberText, parseNumber } from '../src/engine/number-text.ts'
import { print } from '../src/engine/printer.ts'
import { readSource } from '../src/engine/reader.ts'

const read = (text: string): Value => {
  const { data } = readSource(text, 't')
  expect(data).toHaveLength(1)
  return data[0]!
}

const integer = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).map(n.normalize)
const rational = fc.tuple(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n })).map(([a, b]) => n.ratio(a, b))
const scalar = fc.integer({ min: 0, max: 0x10ffff }).filter((code) => code < 0xd800 || code > 0xdfff)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const datum = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.boolean(),
    integer,
    rational,
    fc.double().map((x) => new Flonum(x)),
    text.map((name) => intern(name)),
    text,
    scalar.map(makeChar),
    fc.constant(NIL),
    fc.uint8Array({ maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 5 }).map((items) => list(items)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.tuple(tie('value'), tie('value')).map(([a, b]) => new Pair(a, b)),
  ),
})).value

test('what write prints is read back', () => {
  fc.assert(
    fc.property(datum, (value) => {
      const printed = print(value)
      const back = read(printed)
      expect(isEqual(back, value), printed).toBe(true)
      expect(print(back)).toBe(printed)
    }),
    { numRuns: 500 },
  )
})

test('circular and shared data are printed with labels and read back', () => {
  const circular = list([1, 2])
  ;((circular as Pair).cdr as Pair).cdr = circular
  expect(print(circular)).toBe('#0=(1 2 . #0#)')
  expect(print(read('#0=(1 2 . #0#)'))).toBe('#0=(1 2 . #0#)')
  const shared = list([1])
  expect(print(list([shared, shared]))).toBe('((1) (1))')
  expect(print(list([shared, shared]), { mode: 'write-shared' })).toBe('(#0=(1) #0#)')
  const vector: Value[] = [1]
  vector.push(vector)
  expect(print(vector)).toBe('#0=#(1 #0#)')
})

describe('every way of writing', () => {
  for (const [source, want] of [
    ['#t #true #f #false', '(#t #t #f #f)'],
    ["'a `b ,c ,@d", "('a `b ,c ,@d)"],
    ['#\\a #\\space #\\x41 #\\( #\\λ #\\null', '(#\\a #\\space #\\A #\\( #\\λ #\\null)'],
    ['"a\\tb\\x41;\\\\ \\"q\\"" "one \\\n   line"', '("a\\tbA\\\\ \\"q\\"" "one line")'],
    ['|a b| a|B|c |x\\x41;|', '(|a b| aBc xA)'],
    ['#(1 #(2)) #u8(0 255)', '(#(1 #(2)) #u8(0 255))'],
    ['(1 . 2) (1 2 . 3)', '((1 . 2) (1 2 . 3))'],
    ['1 #;2 #;(3 4) 5', '(1 5)'],
    ['1 #| a #| nested |# b |# 2 ; end', '(1 2)'],
    ['#xFF #b-101 #o17 #e1.5 #i1/2 1e3 -.5 +inf.0 -0.0', '(255 -5 15 3/2 0.5 1000.0 -0.5 +inf.0 -0.0)'],
    ['#!fold-case ABC #!no-fold-case ABC', '(abc ABC)'],
    ['... - + -> 1+ .5a', '(... - + -> 1+ .5a)'],
    ['#!default #!eof', '(#!default #<eof>)'],
  ] as const) {
    test(source, () => {
      expect(print(list(readSource(source, 't').data))).toBe(want)
    })
  }
})

describe('what is wrong is said with its place', () => {
  for (const [source, line, column, message, incomplete] of [
    ['(a (b)', 1, 1, 'unclosed ( opened here', true],
    ['(a\n  "b', 2, 3, 'unclosed " opened here', true],
    ['#| x', 1, 1, 'unclosed #| opened here', true],
    ['|ab', 1, 1, 'unclosed | opened here', true],
    ["'", 1, 1, 'unfinished quote opened here', true],
    ['#(1', 1, 1, 'unclosed #( opened here', true],
    [')', 1, 1, 'unexpected )', false],
    ['(1 . )', 1, 6, 'expected a datum after the dot, got )', false],
    ['( . 1)', 1, 3, 'unexpected .', false],
    ["(')", 1, 3, "expected a datum after ', got )", false],
    ['#\\nonsense', 1, 1, 'unknown character name #\\nonsense', false],
    ['"\\q"', 1, 1, 'unknown escape \\q in a string', false],
    ['#u8(256)', 1, 1, 'a bytevector holds integers from 0 to 255', false],
    ['é #foo', 1, 3, 'unknown syntax #foo', false],
    ['1+2i #x1.5', 1, 6, 'unknown syntax #x1.5', false],
    ['#1#', 1, 1, 'unknown datum label #1#', false],
    ['"\\xd800;"', 1, 1, 'no such character: xd800', false],
  ] as const) {
    test(JSON.stringify(source), () => {
      let error: unknown
      try {
        readSource(source, 't')
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(ReadError)
      const { message: said, position, incomplete: more } = error as ReadError
      expect([said, position, more]).toEqual([message, { file: 't', line, column }, incomplete])
    })
  }
})

describe('numbers', () => {
  const big = (value: Value): bigint => BigInt(value as number | bigint)
  test('exact arithmetic is that of bigints, in the one form', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(n.add(a, b)).toBe(n.normalize(big(a) + big(b)))
        expect(n.sub(a, b)).toBe(n.normalize(big(a) - big(b)))
        expect(n.mul(a, b)).toBe(n.normalize(big(a) * big(b)))
        if (b !== 0) {
          expect(n.quotient(a, b)).toBe(n.normalize(big(a) / big(b)))
          expect(n.remainder(a, b)).toBe(n.normalize(big(a) % big(b)))
          expect(n.add(n.mul(n.divide('floor/', 'floor', a, b)[0], b), n.modulo(a, b))).toBe(a)
          expect(isEqual(n.mul(n.div(a, b), b), a)).toBe(true)
        }
        expect(n.less(a, b)).toBe(big(a) < big(b))
      }),
    )
  })
  test('rationals form a field', () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(isEqual(n.mul(a, n.add(b, c)), n.add(n.mul(a, b), n.mul(a, c)))).toBe(true)
        expect(n.sub(n.add(a, b), b)).toEqual(a)
        if (a !== 0) expect(n.mul(a, n.div(1, a))).toBe(1)
      }),
    )
  })
  test('a rational becomes the nearest double, and a double the exact number that it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt({ min: 1n, max: 2n ** 60n }), (x, k) => {
        const exact = n.exactOf(x)
        expect(n.toDouble(exact)).toBe(x + 0)
        // The same value written otherwise, and one a little beside it, round to the same.
        if (exact instanceof Rational) expect(n.toDouble(n.ratio(exact.numerator * k, exact.denominator * k))).toBe(x)
        expect(n.compare(exact, new Flonum(x))).toBe(0)
      }),
    )
  })
  test('comparison of exact with inexact is exact', () => {
    expect(n.numEq(9007199254740993n, new Flonum(9007199254740992))).toBe(false)
    expect(n.less(new Flonum(9007199254740992), 9007199254740993n)).toBe(true)
    expect(n.numEq(n.ratio(1n, 3n), new Flonum(1 / 3))).toBe(false)
  })
  test('text and numbers invert each other in every radix', () => {
    fc.assert(
      fc.property(fc.oneof(integer, rational), fc.constantFrom(2, 8, 10, 16), (value, radix) => {
        expect(isEqual(parseNumber(numberText(value, radix), radix)!, value)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.double(), (x) => {
        const back = parseNumber(numberText(new Flonum(x)), 10) as Flonum
        expect(back).toBeInstanceOf(Flonum)
        expect(Object.is(back.value, x)).toBe(true)
      }),
    )
  })
  test('roots are exact where they are, and integer roots always right', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 300n }), (k) => {
        const root = n.integerSqrt(k)
        expect(root * root <= k && (root + 1n) * (root + 1n) > k).toBe(true)
        expect(n.sqrt(n.normalize(k * k))).toBe(n.normalize(k))
      }),
    )
  })
})

test('a string that is changed is read as it stands', () => {
  fc.assert(
    fc.property(text, scalar, (start, code) => {
      const string = new MutableString(start)
      const chars = Array.from(start)
      expect(string.length).toBe(chars.length)
      chars.forEach((char, i) => expect(string.codeAt(i)).toBe(char.codePointAt(0)))
      if (chars.length > 0) {
        string.mutate()[0] = code
        chars[0] = String.fromCodePoint(code)
      }
      expect(string.toString()).toBe(chars.join(''))
      expect(string.length).toBe(chars.length)
    }),
  )
  expect(makeChar(65)).toBeInstanceOf(Char)
})
