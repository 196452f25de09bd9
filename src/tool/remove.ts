// fs-remove: a file, a link, or a folder with all that is in it, each kept in the versions store first.

import { readTree } from './entry.ts'
import type { Plan, Prim } from './prim.ts'

export const fsRemove: Prim = {
  name: 'fs-remove',
  doc: 'Removes a file, a link, or a folder with all that is in it. fs-undo brings a file back.',
  readOnly: false,
  effect: 'write',
  params: [{ name: 'path', type: 'string', role: 'path', doc: 'The file or folder, relative to the workspace.' }],

  async plan(args, { workspace }): Promise<Plan> {
    const path = args.get('path') as string
    const entries = await readTree(workspace, path)
    // What is in a folder goes before it.
    const changes = entries.reverse().map(({ path, given, kind, bytes }) => ({ path, given, kind, before: bytes, after: null }))
    const within = entries.length - 1
    return { changes, result: { text: `${path}: removed${within > 0 ? `, with all that was in it (${within})` : ''}` }, edits: 0 }
  },
}
