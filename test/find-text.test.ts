// The finder against indexOf, on texts that repeat themselves.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findMany, makeFinder } from '../src/tool/find-text.ts'

/** Few letters and long runs, so that both ways of searching are taken. */
const text = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ab', '\n'), fc.integer({ min: 1, max: 600 })), { maxLength: 8 }).map((runs) => runs.map(([part, times]) => part.repeat(times)).join(''))

it('finds what indexOf finds, from anywhere', () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(3000), (before, pattern, after, from) => {
      fc.pre(pattern !== '')
      const all = before + pattern + after
      const find = makeFinder(pattern)
      for (const start of [0, from, before.length, before.length + 1]) expect(find(all, start)).toBe(all.indexOf(pattern, start))
      expect(find(before + after, 0)).toBe((before + after).indexOf(pattern))
    }),
    { numRuns: 300 },
  )
})

it('ends soon where indexOf would not', () => {
  const pattern = `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}`
  expect(makeFinder(pattern)('a'.repeat(1_000_000), 0)).toBe(-1)
})

it('finds all of several patterns in one pass', () => {
  const part = fc.array(fc.constantFrom('a', 'b', 'c', '\n', 'é', '😀'), { minLength: 3, maxLength: 8 }).map((parts) => parts.join(''))
  const long = fc.array(fc.constantFrom('a', 'b', 'c', '\n', 'é', '😀'), { maxLength: 200 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(long, fc.array(part, { minLength: 1, maxLength: 6 }), (text, patterns) => {
      const places = (pattern: string): number[] => Array.from({ length: text.length }, (_, i) => i).filter((i) => text.startsWith(pattern, i))
      expect(findMany(text, patterns, Infinity)).toEqual(patterns.map(places))
    }),
    { numRuns: 500 },
  )
})
