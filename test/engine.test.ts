// Runs every file of test/engine. A line's comment says what the text up to it must do:
// `; => value`, `; error: message`, `; error at 2:3: message`, or `; out: text`. Each file runs twice:
// as it is, and with the continuation captured at every few calls, so that every site is resumed.

import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEngine, SchemeError } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'

const folder = new URL('engine/', import.meta.url)
const EXPECTATION = /;\s*(=>|out:|error(?: at (\d+:\d+))?:)\s?(.*)$/

/** The text up to each expectation; earlier lines are blank, so that positions stay. */
function steps(text: string): { code: string; kind: string; at: string | undefined; want: string }[] {
  const lines = text.split('\n')
  const found = []
  let start = 0
  for (const [i, line] of lines.entries()) {
    const match = EXPECTATION.exec(line)
    if (!match) continue
    const [, kind, at, want] = match
    const code = '\n'.repeat(start) + lines.slice(start, i + 1).join('\n')
    found.push({ code, kind: kind!.split(/[ :]/)[0]!, at, want: want!.trimEnd() })
    start = i + 1
  }
  return found
}

for (const [mode, options] of [
  ['as it is', {}],
  ['captured everywhere', { depthLimit: 5, fuel: 7 }],
] as const) {
  describe(mode, () => {
    for (const name of readdirSync(folder)) {
      test(name, async () => {
        let output = ''
        const engine = createEngine({ ...options, onOutput: (text) => (output += text) })
        const all = steps(readFileSync(new URL(name, folder), 'utf8'))
        expect(all.length).toBeGreaterThan(0)
        for (const { code, kind, at, want } of all) {
          output = ''
          let got: string
          try {
            const value = await engine.evaluate(code, { file: name })
            got = kind === 'out' ? output : print(value)
          } catch (error) {
            if (!(error instanceof SchemeError)) throw error
            const { position } = error
            got = `error${at ? ` at ${position?.line}:${position?.column}` : ''}: ${error.message}`
          }
          expect(got).toBe(kind === 'error' ? `error${at ? ` at ${at}` : ''}: ${want}` : want)
        }
      })
    }
  })
}
