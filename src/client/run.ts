// `nodwyn run`: one task, headless. The transcript goes to standard error, the answer to standard output.

import { createSession, type Session, type SessionOptions, type TaskResult } from '../session/session.ts'
import { complaintText } from './complain.ts'
import { colorsFor } from './colour.ts'
import { EXIT } from './exit-code.ts'
import { Headless, JsonLines } from './headless.ts'
import { configOf, modelName, readInput } from './opening.ts'
import type { Common, Wiring } from './program.ts'
import { stopOnSignals } from './signals.ts'

export interface RunOptions extends Common {
  model?: string
  strategy?: string
  unattended?: boolean
  yes?: boolean
  maxRequests?: number
  json?: boolean
}

/** Unattended, a task must be able to do its work: ordinary confirms are answered by policy. What the
 * guard asks a person for in any case stays refused. */
export async function run(task: string | undefined, options: RunOptions, { resolveModel }: Wiring): Promise<number> {
  const config = configOf(options)
  if (options.maxRequests !== undefined) config.limits.requests = options.maxRequests
  const text = (task === undefined || task === '-' ? await readInput() : task).trim()
  if (text === '') {
    process.stderr.write('missing argument TASK\nhelp: nodwyn run "what is to be done", or - to read it from standard input\n')
    return EXIT.usage
  }
  const model = await resolveModel(modelName(options.model, config))
  try {
    return await runHeadless({ cwd: options.cwd, config, model, strategy: options.strategy ?? null }, options, (session) => session.runTask(text))
  } finally {
    await model.close?.()
  }
}

/** A session without a person: what `work` in it comes to, null where there was nothing to do. */
export async function runHeadless(
  opening: Pick<SessionOptions, 'cwd' | 'config' | 'model' | 'strategy' | 'past'>,
  { json, unattended, yes }: RunOptions,
  work: (session: Session) => Promise<TaskResult | null>,
): Promise<number> {
  const person = json ? new JsonLines() : new Headless()
  const session = await createSession({ ...opening, person, attended: false, consent: unattended || yes ? 'yes' : 'ask' })
  const release = stopOnSignals(session)
  try {
    const result = await work(session)
    if (result === null) return EXIT.usage
    person.transcript.fresh()
    if (!json) process.stderr.write(`${person.figures.line(session.model?.name ?? 'no model', session.model?.window ?? null)}\n`)
    if (!json && result.text.trim() !== '') process.stdout.write(`${result.text.trim()}\n`)
    if (result.problem) process.stderr.write(complaintText({ ...result.problem, excerpt: null, kind: 'failed' }, colorsFor(process.stderr)))
    return exitOf(result)
  } finally {
    release()
    session.close('done')
  }
}

/** A check that fails at the end is work that failed, whatever the model says. */
function exitOf({ ending, check }: TaskResult): number {
  if (ending === 'stopped') return EXIT.interrupted
  return ending === 'answer' && check !== 'failed' ? EXIT.done : EXIT.failed
}
