// exec: a program with its arguments, or a shell text. It gets a declared environment, never the host's
// own, and no input. Where the system has bubblewrap it runs in a sandbox (sandbox.ts); elsewhere nothing
// bounds it, and the guard's question to the person is all there is. Its output carries no label: in the
// sandbox there is no network, and without one nobody can tell whether it was used.

import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { BoundedText } from './bounded-text.ts'
import { hasLoneSurrogate } from './json.ts'
import type { Arguments, Prim, ToolContext, ToolResult } from './prim.ts'
import { runProcess, type ProcessResult } from './process.ts'
import { findBubblewrap, inSandbox } from './sandbox.ts'
import { ToolError } from './tool-error.ts'

const HEAD = 10_000
/** Errors stand at the end, as a rule. */
const TAIL = 30_000
const PROGRESS_MS = 100

const USUAL_TIMEOUT = 120
const MOST_TIMEOUT = 3600

export const exec: Prim = {
  name: 'exec',
  doc: 'Runs a program. Give either argv, a list of the program and its arguments, run without a shell (the form to prefer), or command, a shell text. The result is the exit code and the output; of long output the head and the tail are kept. It gets no input, and what it leaves running in the background is ended with it.',
  readOnly: false,
  effect: 'exec',
  forms: ['command', '"" argv [cwd timeout description]'],
  params: [
    { name: 'command', type: 'string', role: 'command', optional: true, doc: 'A shell text.' },
    { name: 'argv', type: 'list', role: 'command', optional: true, doc: 'The program and its arguments.' },
    { name: 'cwd', type: 'string', role: 'path', optional: true, default: '.', doc: 'The directory to run in, relative to the workspace.' },
    { name: 'timeout', type: 'integer', role: 'plain', optional: true, default: USUAL_TIMEOUT, doc: `Seconds after which it is ended, at most ${MOST_TIMEOUT}.` },
    { name: 'description', type: 'string', role: 'plain', optional: true, doc: 'What it is for, in a few words, for the person who is asked.' },
  ],

  async run(args, context): Promise<ToolResult> {
    const argv = argvOf(args)
    const timeout = Number(args.get('timeout'))
    if (timeout < 1 || timeout > MOST_TIMEOUT) throw new ToolError('contract', `timeout must be from 1 to ${MOST_TIMEOUT} seconds, got ${timeout}`)
    const { root } = context.workspace
    const cwd = await context.workspace.resolve(args.get('cwd') as string)
    if (cwd.relative === null) throw new ToolError('denied', `${cwd.given} lies outside the workspace ${root}`)
    if (cwd.kind !== 'directory') throw new ToolError('other', `cwd ${cwd.given} is no directory`)
    const env = declaredEnvironment()
    const path = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
    const bubblewrap = await findBubblewrap()
    if (bubblewrap !== null) await checkProgram(argv[0]!, cwd.real, path)
    const words = bubblewrap === null ? argv : inSandbox(bubblewrap, argv, { root, cwd: cwd.real, home: env['HOME'], path })
    const output = new BoundedText(HEAD, TAIL)
    const result = await runWords(argv[0]!, words, { cwd: cwd.real, env, timeoutMs: timeout * 1000, output, context })
    return report(result, output.text(), timeout)
  },
}

interface Run {
  cwd: string
  env: { [name: string]: string }
  timeoutMs: number
  output: BoundedText
  context: ToolContext
}

/** `name`: of the program that was asked for, which may stand behind a sandbox. */
async function runWords(name: string, [program = '', ...rest]: string[], { output, context, ...options }: Run): Promise<ProcessResult> {
  const { signal } = context
  const show = progressOf(context)
  const onText = (text: string): void => {
    output.add(text)
    show(text)
  }
  try {
    return await runProcess(program, rest, { ...options, signal, startsOthers: true, onText })
  } catch (error) {
    if (signal.aborted) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new ToolError('other', code === 'ENOENT' ? `there is no program ${name}` : `${name} could not be started (${WORDS[code ?? ''] ?? code})`)
  }
}

/** What starting a program says by itself, said before a sandbox that would start in its place. */
async function checkProgram(name: string, cwd: string, path: string[]): Promise<void> {
  const places = name.includes('/') ? [resolve(cwd, name)] : path.map((folder) => join(folder, name))
  let isThere = false
  for (const place of places) {
    const stats = await stat(place).catch(() => null)
    if (stats?.isFile() && (stats.mode & 0o111) !== 0) return
    isThere ||= stats !== null
  }
  throw new ToolError('other', isThere ? `${name} could not be started (${WORDS['EACCES']})` : `there is no program ${name}`)
}

const WORDS: { [code: string]: string } = {
  EACCES: 'it is no program, or may not be run',
  E2BIG: 'its arguments are too long',
  ENOEXEC: 'it is no program of this system',
}

/** Shows the last line that came, and not more often than an eye can follow. */
function progressOf({ progress }: ToolContext): (text: string) => void {
  let next = 0
  return (text) => {
    const line = text.trimEnd().split('\n').at(-1)
    if (!line || performance.now() < next) return
    next = performance.now() + PROGRESS_MS
    progress(line.slice(0, 200).toWellFormed())
  }
}

function argvOf(args: Arguments): string[] {
  const command = args.get('command') as string | undefined
  const argv = args.get('argv') as string[] | undefined
  if (command && argv && argv.length > 0) throw new ToolError('contract', 'give either command or argv, not both')
  const words = argv && argv.length > 0 ? argv : command ? [SHELL, '-c', command] : []
  if (words.length === 0) throw new ToolError('contract', 'give either command or argv')
  if (words[0] === '') throw new ToolError('contract', 'argv[0] must name a program, got ""')
  for (const word of words) {
    if (word.includes('\0')) throw new ToolError('contract', 'an argument holds a NUL byte')
    if (hasLoneSurrogate(word)) throw new ToolError('contract', 'an argument holds half a character (a lone surrogate)')
  }
  return words
}

/** Shell texts are read as bash reads them, by the guard too. */
const SHELL = ['/bin/bash', '/usr/bin/bash'].find(existsSync) ?? '/bin/sh'

const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'USER', 'LOGNAME', 'TZ']

function declaredEnvironment(): { [name: string]: string } {
  const env: { [name: string]: string } = { NO_COLOR: '1', CI: '1' }
  for (const name of PASSED_ON) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

function report({ code, signal, timedOut, leftBehind }: ProcessResult, output: string, timeout: number): ToolResult {
  const ending = timedOut ? `ended after ${timeout} seconds` : code === null ? `ended by ${signal}` : `exit code ${code}`
  const left = leftBehind === 0 || timedOut ? '' : `; ${leftBehind} process${leftBehind === 1 ? '' : 'es'} that it left running ended too`
  const text = output === '' ? `${ending}${left}, no output` : `${ending}${left}\n${output}`
  // -1: ended by a signal. A number always, so that a strategy can compare it.
  const value = new Map<string, string | number>([['code', code ?? -1], ['output', output]])
  return { text, value }
}
