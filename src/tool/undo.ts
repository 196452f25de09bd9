// fs-undo: a file back to an earlier version. Undoing a creation removes the file, undoing a removal gives
// it back its mode, and a link back as a link.

import { isSame, type Change } from './change.ts'
import { ownPath, readEntry } from './entry.ts'
import type { Plan, Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'
import type { Version, Workspace } from './workspace.ts'

export const fsUndo: Prim = {
  name: 'fs-undo',
  doc: 'Takes back the last change that was made to a file through these tools, or the last n. The undoing can be undone.',
  readOnly: false,
  effect: 'write',
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' },
    { name: 'n', type: 'integer', role: 'plain', optional: true, default: 1, doc: 'How many changes to take back.' },
  ],

  async plan(args, { workspace }): Promise<Plan> {
    const path = args.get('path') as string
    const n = Number(args.get('n'))
    if (n < 1) throw new ToolError('contract', `n must be at least 1, got ${n}`)
    const versions = await versionsOf(workspace, path)
    const version = versions[n - 1]
    if (!version) throw new ToolError('other', versions.length === 0 ? `${path} was not changed by these tools` : `${path} has ${versions.length} earlier version${versions.length === 1 ? '' : 's'}, got ${n}`)
    const { change, text } = await takeBack(workspace, path, version)
    return { changes: change ? [change] : [], result: { text }, edits: 0 }
  },
}

/** Those of the path itself come first: what was a link may be one again. */
export async function versionsOf(workspace: Workspace, path: string): Promise<Version[]> {
  const own = await workspace.versions.list(await ownPath(workspace, path))
  return own.length > 0 ? own : workspace.versions.list((await workspace.resolve(path)).real)
}

async function takeBack(workspace: Workspace, given: string, version: Version): Promise<{ change: Change | null; text: string }> {
  const { path, kind, mode, time } = version
  const now = await readEntry(workspace, path)
  if (now && now.kind !== kind) throw new ToolError('other', `${given} is a ${now.kind} now, and was a ${kind} in the version before ${time}, so nothing was changed`, { help: 'move it away first' })
  const before = now && now.bytes
  const after = await workspace.versions.content(version)
  if (before === null || after === null ? before === after : isSame(before, after)) return { change: null, text: `${given} is as it was already` }
  // A file that is there keeps its mode: these tools never change one, so a person did.
  const change = { path, given, kind, before, after, ...(before === null ? { mode } : {}) }
  return { change, text: `${given}: ${after === null ? 'removed, as it was before' : `back to the version before ${time}`}` }
}
