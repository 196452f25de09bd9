// An earlier session to what a new one goes on from: all its events, those of the sessions that it was forked
// from first.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../tool/tool-error.ts'
import { outcomeOf } from './call-again.ts'
import { replyOf } from './complete.ts'
import { Context, ModelReply, Performed, SaidByPerson, type ToolUse } from './context.ts'
import type { Event } from './event.ts'
import { listSessions, makeSessionId, readLog } from './log.ts'

export interface Past {
  /** Whose log goes on. */
  session: string
  /** SESSION@SEQ where that is a new one. */
  from: string | null
  events: Event[]
  /** What it was begun with. */
  cwd: string
  model: string
  strategy: string | null
  /** Only what was said is taken over; the strategy is not run again. */
  messagesOnly?: boolean
}

/** The session itself, to go on where it ended. Throws ToolError where there is none, or its log cannot be read. */
export function pastSession(folder: string, id: string): Past {
  return past(id, null, readSession(folder, id))
}

/** A new session that stands where `id` stood after its event `seq`. */
export function forkSession(folder: string, id: string, seq: number): Past {
  const events = readSession(folder, id)
  const end = events.findIndex((event) => event.session === id && event.seq === seq) + 1
  if (end === 0) throw new ToolError('contract', `session ${id} has no event ${seq}`, { help: `its events are 0 to ${events.at(-1)!.seq}; nodwyn log ${id} --json lists them` })
  return past(makeSessionId(), `${id}@${seq}`, events.slice(0, end))
}

/** The latest session with a model that was in a folder; null where there is none. */
export function latestSession(folder: string, cwd: string): string | null {
  for (const id of listSessions(folder).reverse()) {
    const [start] = readLog(join(folder, `${id}.jsonl`))
    if (start?.type === 'session.start' && start.cwd === cwd && start.model !== 'none') return id
  }
  return null
}

function past(session: string, from: string | null, events: Event[]): Past {
  const { cwd } = events.find((event) => event.type === 'session.start')!
  const { model, strategy } = events.findLast((event) => event.type === 'session.start' || event.type === 'session.resume')!
  return { session, from, events, cwd, model, strategy: strategy === 'loop' ? null : strategy }
}

/** The events of a session, after those of the sessions that it was forked from. */
export function readSession(folder: string, id: string): Event[] {
  const file = join(folder, `${id}.jsonl`)
  if (!/^[\w-]+$/.test(id) || !existsSync(file)) throw new ToolError('contract', `no session ${id}`, { help: 'nodwyn log lists the sessions' })
  const events = readLog(file)
  const [start] = events
  if (start?.type !== 'session.start') throw new ToolError('contract', `${file}: expected session.start in the first line`)
  if (start.from === undefined) return events
  const [parent = '', seq = ''] = start.from.split('@')
  const before = readSession(folder, parent)
  const end = before.findIndex((event) => event.session === parent && event.seq === Number(seq)) + 1
  if (end === 0) throw new ToolError('contract', `${file}: session ${parent} has no event ${seq}`)
  return [...before.slice(0, end), ...events]
}

export type Said = SaidByPerson | ModelReply | Performed

/** What was said in the main context, in order, as a strategy adds it to one. */
export function saidIn(events: readonly Event[]): Said[] {
  const main = new Context('main')
  const said: Said[] = []
  /** The calls that have no result yet. */
  let open: ToolUse[] = []
  const close = (): void => {
    for (const use of open) said.push(new Performed(use, { ok: false, kind: 'stopped', error: 'cancelled', message: `${use.name}: stopped`, help: null, labels: [] }))
    open = []
  }
  for (const event of events) {
    if (event.ctx !== 'main') continue
    if (event.type === 'input' && event.kind === 'task') {
      close()
      said.push(new SaidByPerson(event.text, []))
    } else if (event.type === 'llm.resp') {
      close()
      const reply = new ModelReply(replyOf(event), main, 'answer')
      open = [...reply.calls]
      said.push(reply)
    } else if (event.type === 'tool.result') {
      const use = open.find(({ id }) => id === event.id)
      open = open.filter((one) => one !== use)
      if (use) said.push(new Performed(use, outcomeOf(event, use.name)))
    }
  }
  close()
  return said
}
