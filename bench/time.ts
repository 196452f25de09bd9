// Times one program in one implementation, in this process: `node bench/time.ts KIND PROGRAM ROUNDS`.
// Prints a line of JSON: the best round in milliseconds, or what went wrong. run.ts starts one for each
// figure, so that none has another's types and garbage.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { javascript } from './javascript.ts'

const [, , kind, file, rounds] = process.argv
const text = readFileSync(file!, 'utf8')
const require = createRequire(import.meta.url)

/** A round, and what tells after it whether its result is the right one. */
interface Timed {
  round(): unknown
  isRight(): Promise<boolean> | boolean
}

interface Biwa {
  Interpreter: new (onError: (error: Error) => void) => { evaluate(text: string): unknown }
}
interface Lips {
  exec(text: string): Promise<unknown[]>
}

async function prepare(): Promise<Timed> {
  switch (kind) {
    case 'javascript': {
      const round = javascript[basename(file!, '.scm')]
      if (!round) throw new Error('not written by hand')
      return { round, isRight: () => true }
    }
    case 'biwascheme': {
      const { Interpreter } = require('biwascheme') as Biwa
      const interpreter = new Interpreter((error) => {
        throw error
      })
      interpreter.evaluate(text)
      return { round: () => interpreter.evaluate('(define result (run))'), isRight: () => interpreter.evaluate('(equal? result expected)') === true }
    }
    case 'lips': {
      const { exec } = require('@jcubic/lips') as Lips
      await exec(text)
      return { round: () => exec('(define result (run))'), isRight: async () => String((await exec('(equal? result expected)'))[0]) === 'true' }
    }
    default: {
      const { createEngine } = (await import(kind!)) as typeof import('../src/engine/index.ts')
      const engine = createEngine()
      await engine.evaluate(text)
      return { round: () => engine.evaluate('(define result (run))'), isRight: async () => (await engine.evaluate('(equal? result expected)')) === true }
    }
  }
}

try {
  const { round, isRight } = await prepare()
  let best = Infinity
  // At least a second, so that V8 has compiled what it compiles; at most five.
  for (let i = 0, spent = 0; (i < Number(rounds) || spent < 1000) && spent < 5000; i++) {
    const start = performance.now()
    await round()
    const took = performance.now() - start
    best = Math.min(best, took)
    spent += took
  }
  console.log(JSON.stringify((await isRight()) ? { ms: best } : { wrong: true }))
} catch (error) {
  console.log(JSON.stringify({ fails: String(error instanceof Error ? error.message : error).split('\n')[0] }))
}
process.exit()
