// Reads 5 MB of definitions, in a new process and again once V8 has compiled the reader, and takes a
// continuation of a million frames: milliseconds, and the megabytes that the frames keep. `node --expose-gc bench/reading.ts`.

import { createEngine } from '../src/engine/index.ts'
import { readSource } from '../src/engine/reader.ts'

const definition = (i: number): string => `(define (procedure-${i} a b) (let ((sum (+ a b ${i}))) (if (> sum 10) (list "some text" 'symbol sum) (cons #\\a ${i}.5))))\n`
let source = ''
for (let i = 0; source.length < 5_000_000; i++) source += definition(i)

for (const when of ['first', 'again', 'again']) {
  const start = performance.now()
  readSource(source, 'source.scm')
  console.log(`${(source.length / 1e6).toFixed(1)} MB read ${when}: ${Math.round(performance.now() - start)} ms`)
}

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const engine = createEngine()
await engine.evaluate('(define kept #f) (define (grow n) (if (= n 0) (call/cc (lambda (k) (set! kept k) 0)) (+ 1 (grow (- n 1)))))')
const before = heap()
await engine.evaluate('(grow 1000000)')
console.log(`a continuation of 1,000,000 frames: ${Math.round((heap() - before) / 1e6)} MB`)
