// `nodwyn` alone: the terminal client in a directory.

import type { Past } from '../session/past.ts'
import { createSession, type Session, type SessionOptions } from '../session/session.ts'
import { EXIT } from './exit-code.ts'
import { HOW_TO_SET_A_MODEL, configOf, modelSet } from './opening.ts'
import type { Common, Wiring } from './program.ts'
import { Terminal } from './terminal.ts'

/** `scheme`: a REPL without a model, where every line is Scheme. */
export async function interactive(
  options: Common & { model?: string; strategy?: string; scheme?: boolean },
  { resolveModel }: Wiring,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write('standard input is no terminal\nhelp: nodwyn run TASK does one task without one\n')
    return EXIT.usage
  }
  const config = configOf(options)
  const name = options.scheme ? null : modelSet(options.model, config)
  const model = name === null ? null : await resolveModel(name)
  try {
    return await atTerminal({ cwd: options.cwd, config, model, strategy: options.strategy ?? null }, null, options.scheme)
  } finally {
    await model?.close?.()
  }
}

/** `past`: the session that goes on. */
export async function atTerminal(opening: Pick<SessionOptions, 'cwd' | 'config' | 'model' | 'strategy'>, past: Past | null, scheme = false): Promise<number> {
  const terminal = new Terminal()
  const open = (from: Past | null): Promise<Session> =>
    createSession({ ...opening, person: terminal, attended: true, consent: 'ask', ...(from ? { past: from } : {}) })
  const session = await open(past)
  if (past) terminal.showPast(past.events)
  const { model } = opening
  const mind = model === null ? 'without a model: Scheme and the tools work' : `with ${model.name}`
  const greeting = scheme
    ? ['Scheme, with the tools as procedures. ,help says what else can be typed.']
    : [`${past ? `session ${session.id} goes on` : 'nodwyn'} in ${session.root}, ${mind}. ,help says what can be typed.`, ...(model === null ? [HOW_TO_SET_A_MODEL] : [])]
  return terminal.run(session, { greeting: greeting.map(terminal.colors.dim).join('\n'), suggestion: '', scheme, reopen: open })
}
