// `nodwyn fork SESSION@SEQ`: a new session that stands where another stood after one of its events, with the
// files as they were then. `nodwyn resume` goes on with it.

import { forkSession } from '../session/past.ts'
import { sessionsFolder } from '../session/place.ts'
import { ToolError } from '../session/report.ts'
import { filesBack } from '../session/rewind.ts'
import { createSession } from '../session/session.ts'
import { readSession } from '../session/past.ts'
import { EXIT } from './exit-code.ts'
import { Headless } from './headless.ts'
import { configOf, modelOf, openPlain } from './opening.ts'
import type { Common, Wiring } from './program.ts'
import { bringBack } from './undo.ts'

export interface ForkOptions extends Common {
  model?: string
  strategy?: string
  keepFiles?: boolean
}

/** Prints the new session's id. */
export async function fork(point: string, options: ForkOptions, { resolveModel }: Wiring): Promise<number> {
  const [, id, seq] = /^([\w-]+)@(\d+)$/.exec(point) ?? []
  if (id === undefined) throw new ToolError('contract', `expected SESSION@SEQ, got ${point}`, { help: 'nodwyn log SESSION --json lists the events with their seq' })
  const past = forkSession(sessionsFolder(), id, Number(seq))
  const config = configOf({ ...options, cwd: past.cwd })
  const model = await modelOf(options.model, past.model, config, resolveModel)
  try {
    const session = await createSession({ cwd: past.cwd, config, model, person: new Headless(), attended: false, consent: 'ask', strategy: options.strategy ?? past.strategy, past })
    session.leave()
  } finally {
    await model?.close?.()
  }
  const isBack = options.keepFiles === true || (await filesOf(id, Number(seq), { ...options, cwd: past.cwd }))
  process.stdout.write(`${past.session}\n`)
  process.stderr.write(`help: nodwyn resume ${past.session} goes on with it\n`)
  return isBack ? EXIT.done : EXIT.failed
}

/** Whether all of them are back. */
async function filesOf(id: string, seq: number, options: Common): Promise<boolean> {
  const back = await filesBack(readSession(sessionsFolder(), id), id, seq, options.cwd)
  if (back.length === 0) return true
  const plain = await openPlain(options, new Headless())
  try {
    return (await bringBack(plain, back)).every(({ ok }) => ok)
  } finally {
    plain.close('done')
  }
}
