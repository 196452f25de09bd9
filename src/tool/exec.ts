// exec: a program with its arguments, or a shell text. It gets a declared environment, never the host's
// own, and no input. Where the system has bubblewrap, it sees the rest of the machine read-only, no home
// and no network; elsewhere nothing bounds it, and the guard's question to the person is all there is.

import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Arguments, Prim, ToolResult } from './prim.ts'
import { runProcess, type ProcessResult } from './process.ts'
import { ToolError } from './tool-error.ts'

const USUAL_TIMEOUT = 120
const MOST_TIMEOUT = 3600

export const exec: Prim = {
  name: 'exec',
  doc: 'Runs a program. Give either argv, a list of the program and its arguments, run without a shell (the form to prefer), or command, a shell text. The result is the exit code and the output; of long output the head and the tail are kept.',
  readOnly: false,
  effect: 'exec',
  forms: ['command', '"" argv [cwd timeout]'],
  params: [
    { name: 'command', type: 'string', role: 'command', optional: true, doc: 'A shell text.' },
    { name: 'argv', type: 'list', role: 'command', optional: true, doc: 'The program and its arguments.' },
    { name: 'cwd', type: 'string', role: 'path', optional: true, default: '.', doc: 'The directory to run in, relative to the workspace.' },
    { name: 'timeout', type: 'integer', role: 'plain', optional: true, default: USUAL_TIMEOUT, doc: `Seconds after which it is ended, at most ${MOST_TIMEOUT}.` },
  ],

  async run(args, { workspace, signal, progress }): Promise<ToolResult> {
    const argv = argvOf(args)
    const timeout = Number(args.get('timeout'))
    if (timeout < 1 || timeout > MOST_TIMEOUT) throw new ToolError('contract', `timeout must be from 1 to ${MOST_TIMEOUT} seconds, got ${timeout}`)
    const cwd = await workspace.resolve(args.get('cwd') as string)
    if (cwd.relative === null) throw new ToolError('denied', `${cwd.given} lies outside the workspace ${workspace.root}`)
    if (cwd.kind !== 'directory') throw new ToolError('other', `cwd ${cwd.given} is no directory`)
    const [program, ...rest] = inSandbox(argv, workspace.root, cwd.real)
    let result: ProcessResult
    try {
      result = await runProcess(program!, rest, { cwd: cwd.real, env: declaredEnvironment(), timeoutMs: timeout * 1000, signal, onLine: progress })
    } catch (error) {
      if (signal.aborted) throw error
      const { code } = error as NodeJS.ErrnoException
      throw new ToolError('other', code === 'ENOENT' ? `there is no program ${argv[0]}` : `${argv[0]} could not be started (${code})`)
    }
    return report(result, timeout)
  },
}

function argvOf(args: Arguments): string[] {
  const command = args.get('command') as string | undefined
  const argv = args.get('argv') as string[] | undefined
  if (command && argv && argv.length > 0) throw new ToolError('contract', 'give either command or argv, not both')
  const words = argv && argv.length > 0 ? argv : command ? ['/bin/sh', '-c', command] : []
  if (words.length === 0) throw new ToolError('contract', 'give either command or argv')
  const bad = words.find((word) => word.includes('\0'))
  if (bad !== undefined) throw new ToolError('contract', 'an argument holds a NUL byte')
  return words
}

const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'TZ']

function declaredEnvironment(): { [name: string]: string } {
  const env: { [name: string]: string } = { NO_COLOR: '1', CI: '1' }
  for (const name of PASSED_ON) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

const BUBBLEWRAP = '/usr/bin/bwrap'

/** The argument vector with the sandbox before it, where the system has one. */
function inSandbox(argv: string[], root: string, cwd: string): string[] {
  if (!existsSync(BUBBLEWRAP)) return argv
  const home = process.env['HOME']
  const hidden = home && home !== '/' && !root.startsWith(`${home}/`) ? ['--tmpfs', home] : []
  return [
    BUBBLEWRAP, '--die-with-parent', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc',
    '--bind', tmpdir(), tmpdir(), ...hidden, '--bind', root, root, '--chdir', cwd, '--', ...argv,
  ]
}

function report({ output, code, signal, timedOut }: ProcessResult, timeout: number): ToolResult {
  const ending = timedOut ? `ended after ${timeout} seconds` : code === null ? `ended by ${signal}` : `exit code ${code}`
  const text = output === '' ? `${ending}, no output` : `${ending}\n${output}`
  const value = new Map([['code', code ?? -1], ['output', output]] as [string, string | number][])
  return { text, value }
}
