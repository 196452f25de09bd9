// Labels through the engine: whatever a program makes of a labelled value carries its labels, or the
// fiber does that branched on it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine, label, Labelled, type Value } from '../src/engine/index.ts'

/** The labels that reach `(sink …)`: of its argument, at any depth, and of the fiber. */
async function labelsAtSink(program: string): Promise<string[]> {
  const engine = createEngine()
  const found = new Set<string>()
  const collect = (value: Value, seen = new Set<Value>()): void => {
    if (value instanceof Labelled) {
      for (const name of value.labels) found.add(name)
      value = value.value
    }
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    for (const part of Object.values(value)) collect(part as Value, seen)
  }
  engine.define('taint', { params: 'obj', run: ([value]) => label(value!, ['untrusted:page']) })
  engine.define('sink', {
    params: 'obj',
    run: ([value], { labels }) => {
      for (const name of labels) found.add(name)
      collect(value!)
      return true
    },
  })
  await engine.evaluate(program)
  return [...found]
}

const programs = [
  '(sink (taint 1))',
  '(sink (+ 1 (taint 1)))',
  '(sink (* (taint 2) (taint 3)))',
  '(sink (string-length (taint "secret")))',
  '(sink (string-append "a" (taint "b")))',
  "(sink (car (taint '(1 2))))",
  "(sink (cadr (taint '(1 2))))",
  "(sink (map (lambda (x) x) (taint '(1 2))))",
  '(sink (list 1 (taint 2)))',
  '(sink (vector-ref (vector 1 (taint 2)) 1))',
  '(sink (symbol->string (taint (quote a))))',
  '(sink (string->symbol (taint "a")))',
  '(sink (equal? (list 1 (taint 2)) (list 1 2)))',
  '(sink (string-join (list "a" (taint "b")) ","))',
  '(if (taint #f) (sink 1) (sink 2))',
  '(if (null? (taint (quote ()))) (sink 1) (sink 2))',
  "(if (eq? (taint 'a) 'a) (sink 1) (sink 2))",
  '(if (< (taint 1) 2) (sink 1) (sink 2))',
  '(cond ((taint #f) (sink 1)) (else (sink 2)))',
  "(case (taint 'a) ((a) (sink 1)) (else (sink 2)))",
  "(sink (assq 'a (taint '((a . 1)))))",
  '(sink (apply + (taint (list 1 2))))',
  '(sink ((taint (lambda () 1))))',
  "(guard (e (#t (sink (error-object-message e)))) (car (taint 5)))",
  '(let ((p (open-output-string))) (write (taint "x") p) (sink (get-output-string p)))',
  '(let ((v (vector 1 2))) (vector-set! v 0 (taint 9)) (sink (vector-ref v 0)))',
  '(let ((v (make-vector 3 0))) (vector-fill! v (taint 9)) (sink (vector-ref v 2)))',
  '(let ((s (make-string 2 #\\a))) (string-set! s 0 (taint #\\b)) (sink s))',
  "(let ((t (make-hash-table))) (hash-table-set! t 'k (taint 1)) (sink (hash-table-ref/default t 'k 0)))",
  '(let loop ((i 0)) (if (= i (taint 3)) (sink i) (loop (+ i 1))))',
  '(sink (parameterize () (taint 1)))',
  '(sink (number->string (taint 12)))',
  '(sink (let-values (((a b) (values (taint 1) 2))) a))',
  '(sink (label-scope (lambda () (if (taint #t) 1 2))))',
  '(sink (call/cc (lambda (k) (k (taint 1)))))',
  "(sink (sort (taint '(2 1)) <))",
  '(sink (list->string (list #\\a (taint #\\b))))',
  '(define-record-type p (make-p x) p? (x p-x)) (sink (p-x (make-p (taint 1))))',
]

for (const program of programs) {
  test(program, async () => {
    expect(await labelsAtSink(program)).toEqual(['untrusted:page'])
  })
}

test('a program without labels has none', async () => {
  expect(await labelsAtSink("(taint 1) (if #t (sink (list 1 \"a\" 'b)))")).toEqual([])
})

test('label-scope keeps the label of a branch to its result', async () => {
  expect(await labelsAtSink('(label-scope (lambda () (if (taint #t) 1 2))) (sink 3)')).toEqual([])
})

test('no chain of pure builtins loses a label', async () => {
  // Each step's result depends on its input; that a fresh list is no #f, say, would not.
  const step = fc.constantFrom(
    (x: string) => `(car (list ${x}))`,
    (x: string) => `(vector-ref (vector 1 ${x}) 1)`,
    (x: string) => `(cdr (cons 1 ${x}))`,
    (x: string) => `(equal? ${x} 1)`,
    (x: string) => `(if ${x} 1 2)`,
    (x: string) => `(call-with-output-string (lambda (p) (write ${x} p)))`,
    (x: string) => `((lambda (y) y) ${x})`,
    (x: string) => `(let ((y ${x})) (if (number? y) (+ y 1) y))`,
    (x: string) => `(let ((y ${x})) (if (string? y) (string-length y) y))`,
    (x: string) => `(not ${x})`,
    (x: string) => `(eq? ${x} 1)`,
    (x: string) => `(and ${x} #t)`,
    (x: string) => `(force (delay ${x}))`,
    (x: string) => `(call-with-values (lambda () (values 1 ${x})) (lambda (a b) b))`,
    (x: string) => `(apply (lambda (a . b) a) (list ${x}))`,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (chain) => {
      const program = `(sink ${chain.reduce((inner, wrap) => wrap(inner), '(taint 1)')})`
      expect(await labelsAtSink(program)).toEqual(['untrusted:page'])
    }),
    { numRuns: 60 },
  )
})
