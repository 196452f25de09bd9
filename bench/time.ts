// Times one program in one implementation, in this process: `node bench/time.ts KIND PROGRAM ROUNDS LIMIT`,
// where KIND is javascript, biwascheme, lips, or the path of a module that exports createEngine. Prints one
// Figure as a line of JSON. run.ts starts a process for each figure, so that none has another's types and garbage.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createEngine } from '../src/engine/index.ts'
import { javascript, written } from './javascript.ts'

/** Best round in milliseconds, or why there is none: the first line of the reason, a result that is not
 * the expected one, or more milliseconds than the limit allows. */
export type Figure = { ms: number } | { fails: string } | { wrong: string } | { over: number }

/** A round, and what tells after it of its result: null where it is the expected one, else what it is. */
interface Timed {
  round(): unknown
  check(): Promise<string | null> | string | null
}

interface Biwa {
  Interpreter: new (onError: (error: Error) => void) => { evaluate(text: string): unknown }
}
interface Lips {
  exec(text: string): Promise<unknown[]>
}

const ROUND = '(define result (run))'
const CHECK = '(equal? result expected)'
const WRITE = '(let ((port (open-output-string))) (write result port) (get-output-string port))'
const require = createRequire(import.meta.url)

const prepare: Record<string, (text: string, name: string) => Promise<Timed> | Timed> = {
  javascript(text, name) {
    const run = javascript[name]!
    let result: unknown
    const check = async (): Promise<string | null> => {
      const { createEngine } = await import('../src/engine/index.ts')
      const engine = createEngine()
      await engine.evaluate(text)
      const expected = String(await engine.evaluate(WRITE.replace('result', 'expected')))
      return written(result) === expected ? null : written(result)
    }
    return { round: () => (result = run()), check }
  },
  biwascheme(text) {
    const { Interpreter } = require('biwascheme') as Biwa
    const interpreter = new Interpreter((error) => {
      throw error
    })
    interpreter.evaluate(text)
    return { round: () => interpreter.evaluate(ROUND), check: () => (interpreter.evaluate(CHECK) === true ? null : String(interpreter.evaluate(WRITE))) }
  },
  async lips(text) {
    const { exec } = require('@jcubic/lips') as Lips
    // Most of R7RS is in a library that the package carries beside the program.
    await exec(`(let-env lips.env.__parent__ (load ${JSON.stringify(join(dirname(require.resolve('@jcubic/lips')), 'std.xcb'))}))`)
    await exec(text)
    return { round: () => exec(ROUND), check: async () => (String(await exec(CHECK)) === 'true' ? null : String(await exec(WRITE))) }
  },
}

async function prepareEngine(file: string, text: string): Promise<Timed> {
  const module = (await import(pathToFileURL(file).href)) as { createEngine: typeof createEngine }
  const engine = module.createEngine()
  await engine.evaluate(text)
  return { round: () => engine.evaluate(ROUND), check: async () => ((await engine.evaluate(CHECK)) === true ? null : String(await engine.evaluate(WRITE))) }
}

/** The best of `rounds`, or of as many as fit in a second, so that V8 has compiled what it compiles; no
 * further one is begun after five seconds, or after the limit. */
async function best({ round, check }: Timed, rounds: number, limit: number): Promise<Figure> {
  let best = Infinity
  for (let i = 0, spent = 0; (i < rounds || spent < 1000) && spent < Math.min(5000, limit); i++) {
    const start = performance.now()
    await round()
    const took = performance.now() - start
    best = Math.min(best, took)
    spent += took
  }
  const wrong = await check()
  if (wrong !== null) return { wrong }
  return best > limit ? { over: limit } : { ms: best }
}

async function time(kind: string, file: string, rounds: number, limit: number): Promise<Figure> {
  try {
    const text = readFileSync(file, 'utf8')
    const timed = await (prepare[kind]?.(text, basename(file, '.scm')) ?? prepareEngine(kind, text))
    return await best(timed, rounds, limit)
  } catch (error) {
    return { fails: String(error instanceof Error ? error.message : error).split('\n')[0]! }
  }
}

const [, , kind, file, rounds, limit] = process.argv
console.log(JSON.stringify(await time(kind!, file!, Number(rounds ?? 5), Number(limit ?? 20) * 1000)))
process.exit()
