// What the engine has by name: all of each library, and a usage line and a sentence for each procedure.

import { expect, test } from 'vitest'
import { createEngine } from '../src/engine/index.ts'
import { STANDARD_LIBRARIES } from '../src/engine/standard-library.ts'

test('every library has every name that it should', () => {
  const names = new Set(createEngine().names())
  for (const [library, wanted] of STANDARD_LIBRARIES) expect([library, wanted.filter((name) => !names.has(name))]).toEqual([library, []])
})

test('every name can be imported, and means what it means without', async () => {
  const engine = createEngine()
  for (const library of [...STANDARD_LIBRARIES.keys(), '(nodwyn)', '(nodwyn regexp)', '(nodwyn fiber)', '(srfi 69)', '(srfi 13)', '(srfi 133)'])
    await engine.evaluate(`(import (prefix ${library} l:))`)
  expect(await engine.evaluate('(list (l:car (l:list 1)) (l:regexp? 1) (l:string-index "ab" #\\b) (l:let ((x 1)) (l:cond ((l:= x 1) l:=> l:not) (l:else 5))))')).toEqual(await engine.evaluate("'(1 #f 1 #f)"))
})

test('every procedure and syntax has a usage line and a sentence', () => {
  const engine = createEngine()
  const wanting = engine.names().filter((name) => {
    const described = engine.describe(name)
    return !described?.usage || !/^.+[.)]$/s.test(described.doc)
  })
  expect(wanting).toEqual([])
})
