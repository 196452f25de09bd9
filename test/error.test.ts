// What a person is told of an error in a Scheme program: place, line, caret, help, and the procedures
// under way, also where these were waiting or their frames were on the heap.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEngine, UNSPECIFIED } from '../src/engine/index.ts'
import { complaintOf } from '../src/session/report.ts'

async function told(text: string, options: { depthLimit?: number; fuel?: number } = {}): Promise<string[]> {
  const engine = createEngine(options)
  engine.define('wait', { params: '', run: () => setImmediate(UNSPECIFIED) })
  try {
    await engine.evaluate(text, { file: 'a.scm' })
    return []
  } catch (error) {
    const { message, excerpt, help, backtrace = [] } = complaintOf(error)
    return [message, ...(excerpt?.split('\n') ?? []), ...backtrace, ...(help === null ? [] : [`help: ${help}`])]
  }
}

const AVERAGE = `(define (sum numbers)
  (if (null? numbers)
      0
      (+ (car numbers) (sum (cdr numbers)))))
(define (average numbers)
  (let ((total (sum numbers)))
    (/ total (length numbers))))
(define (report) (list (average '(1 x 3))))
(report)`

const AVERAGE_TOLD = [
  'a.scm:4:7: +: expected a number, got x',
  '      (+ (car numbers) (sum (cdr numbers)))))',
  '      ^',
  'in sum at a.scm:4:7',
  'in sum at a.scm:4:24',
  'in average at a.scm:6:16',
  'in report at a.scm:8:24',
  'at a.scm:9:1',
]

test('an error in a called procedure', async () => {
  expect(await told(AVERAGE)).toEqual(AVERAGE_TOLD)
})

test('the same where every frame was on the heap', async () => {
  // But for the call at the top level, which is a tail call and gone.
  expect(await told(AVERAGE, { depthLimit: 1, fuel: 1 })).toEqual(AVERAGE_TOLD.slice(0, -1))
})

test('an error after a wait', async () => {
  expect(await told('(define (f)\n  (wait)\n  (vector-ref (vector 1) 1))\n(+ 1 (f))')).toEqual([
    'a.scm:3:3: vector-ref: index 1 is out of range for a vector of length 1',
    '  (vector-ref (vector 1) 1))',
    '  ^',
    'in f at a.scm:3:3',
    'at a.scm:4:6',
  ])
})

test('deep recursion is told of once', async () => {
  expect(await told("(define (f n)\n  (if (= n 0) (car '()) (+ 1 (f (- n 1)))))\n(f 100000)")).toEqual([
    'a.scm:2:15: car: expected a pair, got ()',
    "  (if (= n 0) (car '()) (+ 1 (f (- n 1)))))",
    '              ^',
    'in f at a.scm:2:15',
    expect.stringMatching(/^in f at a\.scm:2:30, \d+ times$/),
  ])
})

test('a wrong number of arguments', async () => {
  expect(await told('(define (f x y) x)\n(define (g) (f 1))\n(g)')).toEqual([
    'a.scm:2:13: f: missing argument y',
    '(define (g) (f 1))',
    '            ^',
    'in f',
    'in g at a.scm:2:13',
    'at a.scm:3:1',
    'help: the form is (f x y)',
  ])
})

test('something called that is no procedure', async () => {
  expect(await told("(define prices '(1 2))\n(prices 0)")).toEqual([
    'a.scm:2:1: prices: expected a procedure, got (1 2)',
    '(prices 0)',
    '^',
    'help: what stands first in parentheses is called; data are written (list …) or with a quote before them',
  ])
})

test('an unknown name', async () => {
  expect(await told('(define total 1)\n(+ totl 1)')).toEqual(['a.scm:2:1: unbound variable totl', '(+ totl 1)', '^', 'help: did you mean total'])
})

test('a condition that nobody handles', async () => {
  expect(await told('(define (f) (raise (list "boom" 1)))\n(+ 1 (f))')).toEqual([
    'a.scm:1:13: nobody handled ("boom" 1)',
    '(define (f) (raise (list "boom" 1)))',
    '            ^',
    'in raise',
    'in f at a.scm:1:13',
    'at a.scm:2:6',
  ])
})

test('a caret under a place behind wide characters and tabs', async () => {
  expect((await told('\t(display "😀") (car 5)')).slice(1, 3)).toEqual(['\t(display "😀") (car 5)', '\t              ^'])
})
