// `nodwyn resume`: a session goes on where it ended: in the terminal, or headless where there is none or a task
// is given.

import { latestSession, pastSession, type Past } from '../session/past.ts'
import { sessionsFolder } from '../session/place.ts'
import { ToolError } from '../session/report.ts'
import { configOf, modelOf } from './opening.ts'
import { atTerminal } from './interactive.ts'
import type { Wiring } from './program.ts'
import { runHeadless, type RunOptions } from './run.ts'

export interface ResumeOptions extends RunOptions {
  fromMessages?: boolean
}

export async function resume(id: string | undefined, task: string | undefined, options: ResumeOptions, { resolveModel }: Wiring): Promise<number> {
  const past = findPast(id, options)
  const config = configOf({ ...options, cwd: past.cwd })
  if (options.maxRequests !== undefined) config.limits.requests = options.maxRequests
  const model = await modelOf(options.model, past.model, config, resolveModel)
  const opening = { cwd: past.cwd, config, model, strategy: past.strategy }
  try {
    if (task === undefined && process.stdin.isTTY && process.stdout.isTTY) return await atTerminal(opening, past)
    return await runHeadless({ ...opening, past }, options, async (session) => {
      const result = session.unfinished ? await session.goOn() : null
      if (task !== undefined) return session.runTask(task)
      if (result === null) process.stderr.write(`session ${session.id} is in the middle of nothing\nhelp: nodwyn resume ${session.id} "what comes next"\n`)
      return result
    })
  } finally {
    await model?.close?.()
  }
}

/** The session that is meant, with the strategy that was asked for. */
function findPast(id: string | undefined, { cwd, strategy, fromMessages }: ResumeOptions): Past {
  const found = id ?? latestSession(sessionsFolder(), cwd)
  if (found === null) throw new ToolError('contract', `no session was in ${cwd}`, { help: 'nodwyn log lists the sessions' })
  const past = pastSession(sessionsFolder(), found)
  return { ...past, strategy: strategy ?? past.strategy, messagesOnly: fromMessages === true }
}
