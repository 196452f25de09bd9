// Random programs: each gives the same value as it is and with its continuation captured at every few
// calls, where every frame is made and every rest of a body is compiled and run; and the same whatever its
// variables are called.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEngine, SchemeError } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'

const PROCEDURES = `(define (id x) x) (define (twice f x) (f (f x))) (define (add a b) (+ a b))
  (define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
  (define p1 (make-parameter 0)) (define trace 0) (define (note x) (set! trace (modulo (+ (* 31 trace) x) 100003)) x)
  (define-syntax my-or (syntax-rules () ((_ a b) (let ((temp a)) (if (> temp 0) temp b)))))
  (define-syntax swapped (syntax-rules () ((_ (x y) (a b) body) (let ((x a) (y b)) (let ((temp x)) (set! x y) (set! y temp)) body))))
  (define-syntax repeat (syntax-rules () ((_ n body) (let loop ((i n) (total 0)) (if (= i 0) total (loop (- i 1) (+ total body)))))))`

type Pick = <T>(...choices: T[]) => T

/** Names that macros and derived syntax use inside, and that the programs themselves do not. */
const MISLEADING = 'temp list cons append eqv? eq? vector not car cdr cadr list-tail list-ref make-promise call-with-values make-parameter error memv i total'.split(' ')

/** An expression over integers; `vars` are in scope. */
function expression(pick: Pick, vars: string[], depth: number, called: (name: string) => string = (name) => name): string {
  const atom = () => pick('-2', '0', '1', '3', '5', ...vars, ...vars)
  if (depth === 0) return atom()
  const inner = (...more: string[]): string => expression(pick, [...vars, ...more], depth - 1, called)
  const v = called(`v${depth}${vars.length}`)
  const w = called(`w${depth}${vars.length}`)
  const small = pick(0, 1, 2, 3)
  const forms: (() => string)[] = [
    atom,
    () => `(${pick('+', '-', 'max')} ${inner()} ${inner()})`,
    () => `(modulo (* ${inner()} ${inner()}) 97)`,
    () => `(if (< ${inner()} ${inner()}) ${inner()} ${inner()})`,
    () => `(${pick('id', 'note')} ${inner()})`,
    () => `(add ${inner()} ${inner()})`,
    () => `(let ((${v} ${inner()})) ${inner(v)})`,
    () => `(let ((${v} ${inner()})) (set! ${v} ${inner(v)}) (note ${inner(v)}))`,
    () => `(twice (lambda (${v}) ${inner(v)}) ${inner()})`,
    () => `(let loop ((${v} ${small}) (${w} ${inner()})) (if (> ${v} 0) (loop (- ${v} 1) ${inner(v, w)}) ${w}))`,
    () => `(do ((${v} 0 (+ ${v} 1)) (s 0 (+ s ${inner(v)}))) ((= ${v} ${small}) s))`,
    () => `(let outer ((${v} ${small}) (r 0)) (if (= ${v} 0) r (let in ((${w} ${v}) (r r)) (if (= ${w} 0) (outer (- ${v} 1) r) (in (- ${w} 1) (+ r ${inner(v, w)}))))))`,
    () => `(call/cc (lambda (k) (let ((${v} ${inner()})) (if (> ${v} 1) (k ${inner(v)}) ${inner(v)}))))`,
    () => `(guard (e ((number? e) (+ e ${inner()}))) (raise ${inner()}))`,
    () => `(with-exception-handler (lambda (e) ${inner()}) (lambda () (+ 1 (raise-continuable ${inner()}))))`,
    () => `(let-values (((p q) (values ${inner()} ${inner()}))) (- p q))`,
    () => `(let () (define ${v} ${inner()}) (define (f) ${inner(v)}) (+ (f) ${v}))`,
    () => `(apply + (map (lambda (${v}) ${inner(v)}) (iota ${small})))`,
    () => `(dynamic-wind (lambda () (note ${inner()})) (lambda () ${inner()}) (lambda () (note ${inner()})))`,
    () => `(begin ${inner()} (and (note ${inner()}) ${inner()}))`,
    () => `(count ${small})`,
    () => `(let ((saved #f) (n 0)) (let ((${v} (call/cc (lambda (k) (set! saved k) ${inner()})))) (set! n (+ n 1)) (if (< n 3) (saved (note n)) ${inner(v)})))`,
    () => `(parameterize ((p1 ${inner()})) (+ (p1) ${inner()}))`,
    () => `(force (delay ${inner()}))`,
    () => `(my-or ${inner()} ${inner()})`,
    () => `(swapped (${v} ${w}) (${inner()} ${inner()}) (- ${inner(v, w)} ${w}))`,
    () => `(repeat ${small} ${inner()})`,
    () => `(case ${inner()} ((0 1) ${inner()}) ((2) => id) (else ${inner()}))`,
    () => `(cond ((assv ${inner()} \`((0 . ,${inner()}) (3 . 4))) => (lambda (${v}) (+ 1 (note 2)))) (else ${inner()}))`,
    // Loops over inexact reals, which are kept as bare numbers while they are ones.
    () => `(exact (floor (let loop ((${v} ${small}) (x 0.5)) (if (= ${v} 0) x (loop (- ${v} 1) (+ (* x 0.5) (exact->inexact (modulo ${inner(v)} 100))))))))`,
    () => `(exact (floor (let loop ((${v} ${small}) (x 0)) (if (= ${v} 0) x (loop (- ${v} 1) (if (> (note ${v}) 1) (+ x 1.5) (exact (floor (+ x 0.25)))))))))`,
    () => `(exact (round (do ((${v} 0.0 (+ ${v} 1.0)) (s 0.0 (+ s (* ${v} (id 0.5))))) ((>= ${v} ${small}) (+ s (exact->inexact (modulo ${inner()} 50)))))))`,
  ]
  return pick(...forms)()
}

/** The program of a seed: the same seed gives the same program. */
function programOf(seed: number, called?: (name: string) => string): string {
  let state = seed
  const pick: Pick = (...choices) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return choices[Math.floor((state / 2 ** 32) * choices.length)]!
  }
  return expression(pick, [], 4, called)
}

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80)

/** What is not done in a second is not compared. */
const LONG = 'long'

async function outcome(program: string, options: object): Promise<string> {
  const engine = createEngine(options)
  try {
    await engine.evaluate(PROCEDURES)
    const value = print(await engine.evaluate(program, { signal: AbortSignal.timeout(1000) }))
    return `${value} ${print(await engine.evaluate('trace'))}`
  } catch (error) {
    if (error instanceof SchemeError) return `error: ${error.message}`
    if (error instanceof DOMException) return LONG
    throw error
  }
}

test('a program gives the same with its continuation captured everywhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 7 }), async (seed, fuel) => {
      const program = programOf(seed)
      const plain = await outcome(program, {})
      const captured = await outcome(program, { depthLimit: 5, fuel })
      if (plain === LONG || captured === LONG) return
      expect(captured, program).toBe(plain)
      expect(plain).not.toMatch(/unbound|used before/)
    }),
    { numRuns: RUNS },
  )
}, 900_000)

test('a program means the same whatever its variables are called', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2 ** 32 - 1), async (seed) => {
      const names = new Map<string, string>()
      const misleading = (name: string): string => {
        if (!names.has(name)) names.set(name, MISLEADING[names.size] ?? name)
        return names.get(name)!
      }
      const plain = await outcome(programOf(seed), {})
      const renamed = await outcome(programOf(seed, misleading), {})
      if (plain !== LONG && renamed !== LONG) expect(renamed, programOf(seed, misleading)).toBe(plain)
    }),
    { numRuns: RUNS },
  )
}, 600_000)
