// `nodwyn eval`: Scheme from the command line, a file or standard input; prints the last value. What the
// program displays and the value go to standard output, an error to standard error.

import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { evaluateAlone, type LanguageOptions, type Source } from '../session/language.ts'
import { STOPPED, complaintOf, exitCodeOf } from '../session/report.ts'
import { colorsFor } from './colour.ts'
import { complaintText, exitOfComplaint } from './complain.ts'
import { EXIT } from './exit-code.ts'
import type { Common } from './program.ts'

interface EvalOptions extends Common {
  file?: string
  tools?: boolean
  /** Seconds. */
  timeLimit?: number
  /** Megabytes. */
  memoryLimit?: number
  yes?: boolean
}

/** `texts` are expressions, or with a file the program's arguments. */
export async function evaluate(texts: string[], options: EvalOptions): Promise<number> {
  const sources = sourcesOf(texts, options.file)
  if (sources.length === 0) {
    process.stderr.write('missing argument EXPR\nhelp: nodwyn eval "(+ 1 2)", or -f FILE\n')
    return EXIT.usage
  }
  try {
    // A program that comes from standard input does not read from there too.
    const stdin = options.file === '-' ? {} : { input: () => readFileSync(0, 'utf8') }
    const args = options.file === undefined ? [] : [options.file, ...texts]
    const folder = options.file === undefined || options.file === '-' ? null : dirname(options.file)
    const shown = options.tools ? await withTools(sources, options) : await alone(sources, { args, folder, ...stdin, limits: limitsOf(options) })
    if (shown !== null) process.stdout.write(`${shown}\n`)
    return EXIT.done
  } catch (error) {
    const code = exitCodeOf(error)
    if (code !== null) return code
    const complaint = complaintOf(error)
    process.stderr.write(complaintText(complaint, colorsFor(process.stderr)))
    return exitOfComplaint(complaint)
  }
}

function sourcesOf(texts: string[], file: string | undefined): Source[] {
  if (file === undefined) return texts.map((text) => ({ text, file: 'eval' }))
  return [{ text: readFileSync(file === '-' ? 0 : file, 'utf8'), file: file === '-' ? 'stdin' : basename(file) }]
}

function limitsOf({ timeLimit, memoryLimit }: EvalOptions): { timeLimit?: number; memory?: number } {
  return { ...(timeLimit === undefined ? {} : { timeLimit: timeLimit * 1000 }), ...(memoryLimit === undefined ? {} : { memory: memoryLimit * 1e6 }) }
}

async function alone(sources: Source[], from: Pick<LanguageOptions, 'args' | 'folder' | 'input' | 'limits'>): Promise<string | null> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new Error(STOPPED))
  process.once('SIGINT', onSignal)
  try {
    const onOutput = (text: string): void => void process.stdout.write(text)
    return await evaluateAlone(sources, { ...from, onOutput, signal: stop.signal })
  } finally {
    process.off('SIGINT', onSignal)
  }
}

/** The calls go through the guard, as those of a strategy that nobody watches: without --yes what needs
 * a confirm is asked of a person at a terminal, or refused. */
async function withTools(sources: Source[], options: EvalOptions): Promise<string | null> {
  const [{ openPlain }, { Headless }, { askOnce }, { valueText }, { stopOnSignals }] = await Promise.all([
    import('./opening.ts'),
    import('./headless.ts'),
    import('./ask-once.ts'),
    import('../session/report.ts'),
    import('./signals.ts'),
  ])
  const person = Object.assign(new Headless(), {
    event: () => {},
    passing: (passing: { type: string; text?: string }) => passing.type === 'output' && process.stdout.write(passing.text ?? ''),
    confirm: askOnce,
  })
  const session = await openPlain(options, person, process.stdin.isTTY === true && options.file !== '-')
  const release = stopOnSignals(session)
  try {
    let shown: string | null = null
    for (const source of sources) {
      shown = valueText(await session.evaluateAs('strategy', source.text, source.file))
    }
    return shown
  } finally {
    release()
    session.close('done')
  }
}
