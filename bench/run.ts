// Times small Scheme programs, side by side with the same in hand-written JavaScript in this process
// where there is one, and prints the ratio. The best of several rounds counts. `npm run bench`.

import { createEngine } from '../src/engine/index.ts'

const ROUNDS = 5

interface Program {
  name: string
  define: string
  run: string
  /** The same by hand. */
  javascript?: () => unknown
}

const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2))
const tak = (x: number, y: number, z: number): number =>
  y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
const sum = (n: number): number => {
  let s = 0
  for (let i = 0; i < n; i++) s += i
  return s
}

const programs: Program[] = [
  { name: 'fib 30', define: '(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))', run: '(fib 30)', javascript: () => fib(30) },
  {
    name: 'tak 24 16 8',
    define: '(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))',
    run: '(tak 24 16 8)',
    javascript: () => tak(24, 16, 8),
  },
  {
    name: 'loop of 1e8 steps',
    define: '(define (sum n) (let loop ((i 0) (s 0)) (if (= i n) s (loop (+ i 1) (+ s i)))))',
    run: '(sum 100000000)',
    javascript: () => sum(100_000_000),
  },
  {
    name: '1e7 mutual tail calls',
    define: '(define (ev? n) (if (= n 0) #t (od? (- n 1)))) (define (od? n) (if (= n 0) #f (ev? (- n 1))))',
    run: '(ev? 10000000)',
  },
  { name: 'recursion 1e6 deep', define: "(define (build n) (if (= n 0) '() (cons n (build (- n 1)))))", run: '(length (build 1000000))' },
  {
    name: 'ctak 18 12 6',
    define: `(define (ctak x y z) (call/cc (lambda (k) (aux k x y z))))
      (define (aux k x y z) (if (not (< y x)) (k z)
        (call/cc (lambda (k) (aux k (call/cc (lambda (k) (aux k (- x 1) y z))) (call/cc (lambda (k) (aux k (- y 1) z x)))
          (call/cc (lambda (k) (aux k (- z 1) x y))))))))`,
    run: '(ctak 18 12 6)',
  },
  { name: 'sort of 1e5', define: '(define items (iota 100000))', run: '(length (sort items >))' },
]

const engine = createEngine()
console.log(`${'program'.padEnd(24)}${'ms'.padStart(8)}${'JavaScript'.padStart(12)}${'ratio'.padStart(8)}`)
for (const { name, define, run, javascript } of programs) {
  await engine.evaluate(define)
  const scheme = await best(() => engine.evaluate(run))
  const byHand = javascript ? await best(async () => javascript()) : null
  const columns = byHand === null ? '' : `${byHand.toFixed(1).padStart(12)}${(scheme / byHand).toFixed(2).padStart(8)}`
  console.log(`${name.padEnd(24)}${scheme.toFixed(1).padStart(8)}${columns}`)
}

async function best(step: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    await step()
    least = Math.min(least, performance.now() - start)
  }
  return least
}
