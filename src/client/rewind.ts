// `,rewind`: back to before something that was typed. Talk goes back by a fork of the session, so that nothing
// of what was is lost; files by fs-undo, which can be undone.

import { forkSession, readSession } from '../session/past.ts'
import { sessionsFolder } from '../session/place.ts'
import { filesBack, pointsOf } from '../session/rewind.ts'
import type { Session } from '../session/session.ts'
import type { Terminal } from './terminal.ts'
import { bringBack } from './undo.ts'
import { visible } from './visible.ts'

const SHOWN_WIDTH = 70

export async function rewind(argument: string, terminal: Terminal, session: Session): Promise<void> {
  const { transcript } = terminal
  const events = session.hasBegun ? readSession(sessionsFolder(), session.id) : []
  const points = pointsOf(events)
  const [n = '', what = 'both'] = argument.split(/\s+/)
  if (n === '') {
    if (points.length === 0) return transcript.line('nothing was typed here yet')
    for (const [i, { text }] of points.entries()) transcript.line(`${String(i + 1).padStart(3)}  ${firstLine(text)}`)
    return
  }
  const point = points[Number(n) - 1]
  if (!point || !['both', 'talk', 'files'].includes(what)) return transcript.line(`say to before which, by its number in ,rewind, and what: ,rewind ${points.length || 1} talk`)
  const files = what === 'talk' ? [] : await filesBack(events, point.session, point.seq, session.root)
  const current = what === 'files' ? session : await terminal.goBack(forkSession(sessionsFolder(), point.session, point.seq), point.text.includes('\n') ? '' : point.text)
  const outcomes = await bringBack(current, files)
  const left = outcomes.filter(({ ok }) => !ok).length
  transcript.line(`back to before: ${firstLine(point.text)}${left === 0 ? '' : `; ${left} of ${files.length} files could not be brought back`}`)
  if (current !== session) transcript.line(terminal.colors.dim(`this is session ${current.id} now; ${session.id} stays as it was`))
}

function firstLine(text: string): string {
  const line = visible(text.split('\n')[0]!)
  return line.length > SHOWN_WIDTH ? `${line.slice(0, SHOWN_WIDTH - 1)}…` : line
}
