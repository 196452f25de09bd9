// fs-write: a file with a given content, created or replaced.

import { hasLoneSurrogate } from './json.ts'
import type { Plan, Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'

export const fsWrite: Prim = {
  name: 'fs-write',
  doc: 'Creates a file, or replaces all of it. To change a part of a file use fs-edit. Missing folders are made.',
  readOnly: false,
  effect: 'write',
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' },
    { name: 'content', type: 'string', role: 'payload', doc: 'The whole text of the file.' },
  ],

  async plan(args, { workspace }): Promise<Plan> {
    const path = args.get('path') as string
    const content = args.get('content') as string
    if (hasLoneSurrogate(content)) throw new ToolError('contract', 'content holds half a character (a lone surrogate)')
    const target = await workspace.resolve(path)
    if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${workspace.root}`)
    if (path.endsWith('/')) throw new ToolError('contract', `${path} names a directory`, { help: 'give the path of a file; missing folders are made' })
    const before = target.kind === 'missing' ? null : (await workspace.read(path)).bytes
    const after = new TextEncoder().encode(content)
    if (before && Buffer.from(before).equals(after)) return { changes: [], result: { text: `${path} already has this content` }, edits: 0 }
    const change = { path: target.real, given: path, before, after }
    return { changes: [change], result: { text: `${path}: ${before === null ? 'created' : 'replaced'}, ${after.length} bytes` }, edits: 0 }
  },
}
