// `nodwyn log`: the sessions there are, or what happened in one.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '../session/event.ts'
import { listSessions, readLog } from '../session/log.ts'
import { readSession } from '../session/past.ts'
import { sessionsFolder } from '../session/place.ts'
import { colorsFor, type Colors } from './colour.ts'
import { EXIT } from './exit-code.ts'
import type { Common } from './program.ts'
import { Figures } from './status.ts'
import { Transcript } from './transcript.ts'
import { visible } from './visible.ts'

export function log(session: string | undefined, options: Common & { json?: boolean }): number {
  if (session === undefined) return list(options.json === true)
  const file = join(sessionsFolder(), `${session}.jsonl`)
  if (!/^[\w-]+$/.test(session) || !existsSync(file)) {
    process.stderr.write(`no session ${session}\nhelp: nodwyn log lists the sessions\n`)
    return EXIT.usage
  }
  if (options.json) process.stdout.write(readFileSync(file))
  else show(readSession(sessionsFolder(), session))
  return EXIT.done
}

/** One line a session, the latest last. */
function list(json: boolean): number {
  for (const id of listSessions(sessionsFolder())) {
    const events = readLog(join(sessionsFolder(), `${id}.jsonl`))
    const start = events[0]
    if (start?.type !== 'session.start') continue
    const end = events.at(-1)
    const reason = end?.type === 'session.end' ? end.reason : 'open'
    const { t, cwd, model, task } = start
    if (json) process.stdout.write(`${JSON.stringify({ session: id, t, cwd, model, task, events: events.length, reason })}\n`)
    else process.stdout.write(`${id}  ${t.slice(0, 16).replace('T', ' ')}  ${model}  ${cwd}  ${firstLine(task ?? '')}\n`)
  }
  return EXIT.done
}

function show(events: Event[]): void {
  const colors = colorsFor(process.stdout)
  const transcript = new Transcript((text) => process.stdout.write(text), colors)
  const figures = new Figures()
  showEvents(events, transcript, figures, colors)
  const start = events.find((event) => event.type === 'session.start')
  transcript.line(colors.dim(figures.line(start?.model ?? 'no model', null)))
}

/** Events as they were seen when they happened. */
export function showEvents(events: readonly Event[], transcript: Transcript, figures: Figures, colors: Colors): void {
  for (const event of events) {
    if (event.type === 'input' && event.kind !== 'call') transcript.line(colors.cyan(`> ${visible(event.text)}`))
    figures.add(event)
    transcript.event(event)
  }
}

function firstLine(text: string): string {
  const line = text.split('\n')[0]!
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
