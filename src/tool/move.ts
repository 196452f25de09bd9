// fs-move: a file, a link, or a folder with all that is in it, to another path. What is moved is written
// whole at its new place before it goes from the old one.

import { join, relative } from 'node:path'
import type { Change } from './change.ts'
import { ownPath, readEntry, readTree, type Entry } from './entry.ts'
import type { Plan, Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'

export const fsMove: Prim = {
  name: 'fs-move',
  doc: 'Moves or renames a file, a link or a folder. Missing folders are made. Nothing is replaced: where there is something at the new path, the call fails.',
  readOnly: false,
  effect: 'write',
  params: [
    { name: 'from', type: 'string', role: 'path', doc: 'The file or folder, relative to the workspace.' },
    { name: 'to', type: 'string', role: 'path', doc: 'Its new path, the name included.' },
  ],

  async plan(args, { workspace }): Promise<Plan> {
    const from = args.get('from') as string
    const to = args.get('to') as string
    const entries = await readTree(workspace, from)
    const [first] = entries as [Entry, ...Entry[]]
    const place = await ownPath(workspace, to)
    if (first.kind === 'folder' && place.startsWith(`${first.path}/`)) throw new ToolError('other', `${to} lies inside ${from}, so ${from} cannot be moved there`)
    const there = await readEntry(workspace, to)
    if (there !== null) throw await occupied(from, to, there)
    if (to.endsWith('/') && first.kind !== 'folder') throw new ToolError('contract', `${to} names a folder that does not exist`, { help: `give the whole new path, such as ${join(to, first.given.split('/').at(-1)!)}` })
    const made = entries.map(({ path, kind, bytes, mode }): Change => {
      const inside = relative(first.path, path)
      return { path: join(place, inside), given: join(to, inside), kind, before: null, after: bytes, mode }
    })
    const gone = entries.map(({ path, given, kind, bytes }): Change => ({ path, given, kind, before: bytes, after: null })).reverse()
    return { changes: [...made, ...gone], result: { text: `${from}: moved to ${to}` }, edits: 0 }
  },
}

async function occupied(from: string, to: string, { kind }: Entry): Promise<ToolError> {
  const help = kind === 'folder' ? `give the whole new path, such as ${join(to, from.split('/').at(-1) || from)}` : 'remove it first, or choose another path'
  return new ToolError('other', `${to} exists already${kind === 'folder' ? ' and is a folder' : ''}, so nothing was moved`, { help })
}
