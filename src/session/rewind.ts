// A point in a session's log to what brings the files back to how they were then.

import { listVersions } from './history.ts'
import type { Event } from './event.ts'

/** What `fs-undo` needs: a file, and how many of its changes to take back. */
export interface FileBack {
  path: string
  n: number
}

/** The files that a session changed after its event `seq`; what others did to them since goes back with it.
 * The latest change first, so that a folder is empty before it goes. */
export async function filesBack(events: readonly Event[], session: string, seq: number, cwd: string, state?: string): Promise<FileBack[]> {
  const after = events.slice(events.findIndex((event) => event.session === session && event.seq === seq) + 1)
  const calls = new Set(after.filter((event) => event.type === 'edit').map(({ id }) => id))
  const sessions = new Set(after.map((event) => event.session))
  const back = new Map<string, number>()
  for (const version of await listVersions(cwd, null, state)) if (sessions.has(version.session) && calls.has(version.call)) back.set(version.path, version.n)
  return [...back].map(([path, n]) => ({ path, n }))
}

/** Where one can go back to: before each input, by the number of the event before it. */
export function pointsOf(events: readonly Event[]): { session: string; seq: number; text: string }[] {
  return events.flatMap((event, i) => {
    const before = events[i - 1]
    return event.type === 'input' && event.kind !== 'call' && before ? [{ session: before.session, seq: before.seq, text: event.text }] : []
  })
}
