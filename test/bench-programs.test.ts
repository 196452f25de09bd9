// The programs of bench/program are right before they are timed: each gives what it expects on our engine,
// and so do those written by hand in JavaScript. How long they take is no matter here.

import { readFileSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { javascript, written } from '../bench/javascript.ts'
import { createEngine } from '../src/engine/index.ts'

const FOLDER = resolve(import.meta.dirname, '../bench/program')
const programs = readdirSync(FOLDER).map((file) => basename(file, '.scm'))

async function write(program: string, expression: string): Promise<string> {
  const engine = createEngine()
  await engine.evaluate(readFileSync(join(FOLDER, `${program}.scm`), 'utf8'))
  return String(await engine.evaluate(`(let ((port (open-output-string))) (write ${expression} port) (get-output-string port))`))
}

it.each(programs)('%s gives what it expects', async (program) => {
  expect(await write(program, '(run)')).toBe(await write(program, 'expected'))
})

it.each(Object.keys(javascript))('%s in JavaScript gives it too', async (program) => {
  expect(written(javascript[program]!())).toBe(await write(program, 'expected'))
})
