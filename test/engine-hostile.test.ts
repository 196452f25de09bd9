// Scheme text reaches nothing but what the host defined: no name, string, symbol, record or number leads
// to JavaScript's own objects, and nothing that a program does changes them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine, SchemeError } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'

const NAMES = [
  '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__defineGetter__', '__lookupSetter__',
  'Function', 'Object', 'globalThis', 'global', 'process', 'require', 'import', 'eval', 'module', 'exports', 'this', 'arguments', 'callee',
  'caller', 'undefined', 'NaN', 'then', 'catch', 'finally', 'await', 'async', 'yield', 'return', 'var', 'let', 'const', 'function', 'class',
  'new', 'delete', 'length', 'name', 'apply', 'bind', 'call', 'R', 'K', 'K0', 'S', 'T', 'F', 'L', 'W', 'D', 'd', 'm', 't0', 'v0', 'l0', 'CAPTURED',
  'Pair', 'NIL', 'Char', '$', '$$', '`', '${1}', '\\u0041', '*/', '//', '\u2028', '"', "'", ';', '\n', '\u0001', '\u00012\u0002', '\u0000',
]
const hostile = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 4 }).filter((s) => s.isWellFormed()))

/** A name between bars, whatever is in it. */
const barred = (name: string): string => `|${name.replace(/[\\|]/g, '\\$&')}|`
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

async function value(program: string): Promise<string> {
  return print(await createEngine().evaluate(program))
}

/** Words that the programs below use themselves. */
const USED = new Set('a f k r let let* define set! if = - + call/cc lambda list first second third make is? get-it put-it! define-record-type define-syntax syntax-rules tmp _ ...'.split(' '))

test('any name may be defined, called, set, bound, captured and be a field', async () => {
  await fc.assert(
    fc.asyncProperty(hostile.filter((name) => !USED.has(name) && !USED.has(`${name}!`)), async (name) => {
      const x = barred(name)
      const program = `(define (${x} a) (if (= a 0) 0 (${x} (- a 1))))
        (define first (${x} 3))
        (set! ${x} 5)
        (define second (let* ((${x} (+ ${x} 1)) (f (lambda (${x}) (call/cc (lambda (k) (k ${x})))))) (f ${x})))
        (define-record-type ${barred(`${name}-type`)} (make ${x}) is? (${x} get-it put-it!))
        (define third (let ((r (make 1))) (put-it! r 7) (get-it r)))
        (define-syntax ${barred(`${name}!`)} (syntax-rules () ((_ ${x}) (let ((tmp ${x})) tmp))))
        (list first second third (${barred(`${name}!`)} 9))`
      expect(await value(program)).toBe('(0 6 7 9)')
    }),
    { numRuns: 150 },
  )
})

test('a name that nobody defined is unbound, whatever JavaScript has by it', async () => {
  for (const name of NAMES) {
    const engine = createEngine()
    if (engine.lookup(name) !== undefined || engine.names().includes(name)) continue
    const error = await engine.evaluate(barred(name)).catch((raised: unknown) => raised)
    expect(error).toBeInstanceOf(SchemeError)
    expect((error as SchemeError).message).toBe(`unbound variable ${name}`)
  }
})

test('strings and symbols are keys like any others', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      const program = `(define t (make-equal-hash-table))
        (define before (list (hash-table-ref/default t ${quoted(name)} 'none) (hash-table-ref/default t '${barred(name)} 'none)))
        (hash-table-set! t ${quoted(name)} 1)
        (hash-table-set! t '${barred(name)} 2)
        (list before (hash-table-ref/default t ${quoted(name)} 'none) (hash-table-ref/default t '${barred(name)} 'none)
              (eq? (string->symbol ${quoted(name)}) '${barred(name)}) (get-environment-variable ${quoted(name)}))`
      expect(await value(program)).toBe('((none none) 1 2 #t #f)')
    }),
    { numRuns: 150 },
  )
})

test('no text that is read and run changes what JavaScript has, or ends in anything but a condition', async () => {
  const shapes = () => [Object.prototype, Function.prototype, Array.prototype, String.prototype, globalThis].map((object) => Object.getOwnPropertyNames(object).length)
  const before = shapes()
  const word = fc.oneof(hostile.map(barred), fc.constantFrom('car', 'vector-ref', 'apply', 'call/cc', 'lambda', 'define', 'set!', 'let', 'quote', '1', '-1.5', '"x"', '#t', '()', '#(1)'))
  const { form } = fc.letrec<{ form: string }>((tie) => ({
    form: fc.oneof({ maxDepth: 4, depthSize: 'small' }, word, fc.array(tie('form'), { maxLength: 4 }).map((parts) => `(${parts.join(' ')})`)),
  }))
  await fc.assert(
    fc.asyncProperty(form, async (text) => {
      const error = await createEngine().evaluate(text, { timeLimit: 1000 }).catch((raised: unknown) => raised)
      if (error instanceof Error) expect(error).toBeInstanceOf(SchemeError)
    }),
    { numRuns: 400 },
  )
  expect(shapes()).toEqual(before)
})

test('character names, number texts and library names are no property names', async () => {
  for (const text of ['#\\constructor', '#\\__proto__', '#\\toString', '(string->number "constructor")', '(string->number "__proto__")', '(import (__proto__))', '(import (only (scheme base) constructor))', "(eval 'constructor (environment '(scheme base)))"]) {
    const result = await createEngine().evaluate(text).catch((raised: unknown) => raised)
    expect(result === false || result instanceof SchemeError, text).toBe(true)
  }
})
