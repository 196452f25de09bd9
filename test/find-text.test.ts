// The finder against indexOf, on texts that repeat themselves.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeFinder } from '../src/tool/find-text.ts'

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
