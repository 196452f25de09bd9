// The program as a person types at it, on a terminal that util-linux's `script` makes.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { makeFolder } from './help.ts'

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js')

/** What the terminal shows of a command line. Each step is typed when what it waits for has been shown. */
export async function typeAt(command: string, steps: [waitFor: string | RegExp, keys: string][], cwd = makeFolder(), state = makeFolder()): Promise<string[]> {
  const env = { ...process.env, NO_COLOR: '1', TERM: 'xterm', XDG_STATE_HOME: state, XDG_CONFIG_HOME: state }
  const terminal = spawn('script', ['-qec', `stty cols 100; '${process.execPath}' '${MAIN}' ${command}`, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const ended = new Promise((resolve) => terminal.on('exit', resolve))
  let from = 0
  const isShown = (what: string | RegExp): boolean => {
    const rest = stripVTControlCharacters(shown).slice(from)
    const found = typeof what === 'string' ? rest.indexOf(what) : rest.search(what)
    if (found < 0) return false
    from += found + (typeof what === 'string' ? what.length : 1)
    return true
  }
  for (const [waitFor, keys] of steps) {
    const end = Date.now() + 10_000
    while (!isShown(waitFor)) {
      if (Date.now() > end) throw new Error(`not shown: ${String(waitFor)}\n${stripVTControlCharacters(shown)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    terminal.stdin.write(keys)
  }
  await ended
  return stripVTControlCharacters(shown).replaceAll('\r', '').split('\n')
}
