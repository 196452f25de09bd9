// fs-undo: a file back to an earlier version. Undoing a creation removes the file.

import type { Plan, Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'

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
    const target = await workspace.resolve(path)
    if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${workspace.root}`)
    const versions = await workspace.versions.list(target.real)
    const version = versions[n - 1]
    if (!version) throw new ToolError('other', versions.length === 0 ? `${path} was not changed by these tools` : `${path} has ${versions.length} earlier versions, got ${n}`)
    const before = target.kind === 'missing' ? null : (await workspace.read(path)).bytes
    const after = await workspace.versions.content(version)
    const isSame = before === null ? after === null : after !== null && Buffer.from(before).equals(after)
    if (isSame) return { changes: [], result: { text: `${path} is as it was already` }, edits: 0 }
    // A file that is there keeps its mode: these tools never change one, so a person did.
    const mode = before === null ? { mode: version.mode } : {}
    const change = { path: target.real, given: path, before, after, ...mode }
    return { changes: [change], result: { text: `${path}: ${after === null ? 'removed, as it was before' : `back to the version before ${version.time}`}` }, edits: 0 }
  },
}
