// Takes back the last change of a session: the files that the last writing call touched, each through
// fs-undo, which goes through the guard like everything else.

import type { Event, Outcome } from '../session/event.ts'
import { listSessions, readLog } from '../session/log.ts'
import { join } from 'node:path'
import { sessionsFolder } from '../session/place.ts'
import type { FileBack } from '../session/rewind.ts'
import type { Session } from '../session/session.ts'

/** `path`: that file's last change, whoever made it. Null: what the latest writing call of this
 * workspace's sessions changed, one outcome a file; empty where there is none. */
export async function undoLast(session: Session, path: string | null): Promise<Outcome[]> {
  const paths = path === null ? lastPaths(session.root) : [path]
  return bringBack(session, paths.map((one) => ({ path: one, n: 1 })))
}

/** Takes back so many changes of each file: one outcome a file. */
export async function bringBack(session: Session, files: readonly FileBack[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { path, n } of files) outcomes.push(await session.callAsPerson('fs-undo', JSON.stringify({ path, n })))
  return outcomes
}

function lastPaths(root: string): string[] {
  for (const id of listSessions(sessionsFolder()).reverse()) {
    const events = readLog(join(sessionsFolder(), `${id}.jsonl`))
    if (events[0]?.type !== 'session.start' || events[0].cwd !== root) continue
    const paths = lastEdited(events)
    if (paths.length > 0) return paths
  }
  return []
}

/** The paths of the latest call that changed files, the last one first: a folder is empty before it goes. */
function lastEdited(events: Event[]): string[] {
  const failed = new Set(events.flatMap((event) => (event.type === 'tool.result' && !event.ok ? [event.id] : [])))
  const edits = events.filter((event) => event.type === 'edit').filter(({ id }) => !failed.has(id))
  const last = edits.at(-1)
  return edits.filter(({ id }) => id === last?.id).map(({ path }) => path).reverse()
}
