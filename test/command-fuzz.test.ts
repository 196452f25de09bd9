// The reading of shell texts against bash itself: whatever bash runs and writes is what was read. Texts of
// which that cannot be told are refused by the reader, and not tried here.

import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseCommand } from '../src/guard/command.ts'
import { makeFolder } from './help.ts'

/** No program is found, so that each command comes to this function, which notes its words: in one write,
 * since those of a pipe run at once. */
const NOTING = `exec 9>>record; command_not_found_handle() { printf '%s\\037' "$#" "$@" >&9; }\n`

/** The words of each command that bash runs, and the files that it makes. */
function runs(text: string): { commands: string[][]; files: string[] } {
  const folder = makeFolder()
  try {
    execFileSync('/bin/bash', ['--noprofile', '--norc', '-c', NOTING + text], { cwd: folder, env: { PATH: '/nonexistent', HOME: folder }, stdio: 'ignore', timeout: 5000 })
  } catch {
    // A text that bash does not understand may have run up to there.
  }
  const fields = readFileSync(join(folder, 'record'), 'utf8').split('\x1f')
  const commands: string[][] = []
  for (let i = 0; i + 1 < fields.length; ) {
    const count = Number(fields[i])
    commands.push(fields.slice(i + 1, i + 1 + count))
    i += 1 + count
  }
  return { commands, files: readdirSync(folder).filter((name) => name !== 'record') }
}

const part = fc.constantFrom('p', 'q', 'a', 'b1', ' ', ' ', ' ', '\t', '\n', ';', '&&', '||', '|', '&', '|&', "'x y'", '"x y"', '"a\\"b"', "'a\"b'", '"a\\\\"', '\\ ', '\\\n', '\\"', "\\'", '#', ' #c\n', '>f', '>>g', '2>h', '2>&1', '&>i', '<j', '=', '-x', '--y=z', '{}', '{', '}', '!', 'if ', 'é', '""', "''", '\\', "'", '"', '(', ')', '$', '`', '*', '~', '\r', '[', 'A=1 ', ':', '%', '^', ',', '@')

it('finds every command that bash runs, and every file that it writes', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const read = parseCommand(text)
      if (read === null || read.some(({ expands }) => expands)) return
      compared++
      const known = read.map(({ words }) => JSON.stringify(words))
      const targets = read.flatMap(({ redirects }) => redirects.map(({ target }) => target))
      const { commands, files } = runs(text)
      for (const words of commands) expect(known, text).toContain(JSON.stringify(words))
      for (const file of files) expect(targets, text).toContain(file)
    }),
    { numRuns: 1500, examples: [[['!', '\\\n', ' ', 'p']], [['p ', '>&', '1', '\\"']], [['{', '\\\n', ' p;}']]] },
  )
  expect(compared).toBeGreaterThan(100)
}, 60_000)
