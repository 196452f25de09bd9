// fs-list: what a directory holds, down to a depth.

import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Prim } from './prim.ts'
import { missingFile } from './resolve.ts'
import { ToolError } from './tool-error.ts'

const MOST_ENTRIES = 1000
const MOST_DEPTH = 10

export const fsList: Prim = {
  name: 'fs-list',
  doc: 'Lists a directory: folders end in /, files come with their size in bytes. Folders that hold no work of the project (.git, node_modules) are named and not entered.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The directory, relative to the workspace; "." is the workspace itself.' },
    { name: 'depth', type: 'integer', role: 'plain', optional: true, default: 1, doc: `How many levels to list, 1 to ${MOST_DEPTH}.` },
  ],

  async run(args, { workspace }) {
    const path = args.get('path') as string
    const depth = Number(args.get('depth'))
    if (depth < 1 || depth > MOST_DEPTH) throw new ToolError('contract', `depth must be from 1 to ${MOST_DEPTH}, got ${depth}`)
    const target = await workspace.resolve(path)
    if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${workspace.root}`)
    if (target.kind === 'missing') throw await missingFile(target)
    if (target.kind !== 'directory') throw new ToolError('other', `${path} is no directory`, { help: 'to see what is in a file use fs-read' })
    const entries: Entry[] = []
    const isWhole = await collect(target.real, '', depth, entries)
    if (entries.length === 0) return { text: `${path} is empty`, value: [] }
    const more = isWhole ? '' : `\n… more than ${MOST_ENTRIES} entries; list a folder of it, or use fs-find`
    return { text: entries.map(line).join('\n') + more, value: entries.map(({ name }) => name) }
  },
}

interface Entry {
  /** Its path in the directory; a folder's ends in /. */
  name: string
  /** Its size, or where a link leads. */
  about: string | null
}

/** A name may hold anything but / and NUL: one with control characters is shown as JSON. */
function line({ name, about }: Entry): string {
  const shown = /\p{Cc}/u.test(name) ? JSON.stringify(name) : name
  return about === null ? shown : `${shown}\t${about}`
}

const NOT_ENTERED = new Set(['.git', 'node_modules', '.hg', '.svn'])

/** False where there are more than fit. */
async function collect(folder: string, prefix: string, depth: number, entries: Entry[]): Promise<boolean> {
  let names: string[]
  try {
    names = (await readdir(folder)).sort()
  } catch (error) {
    if (prefix === '') throw new ToolError('denied', `the directory cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return true
  }
  for (const name of names) {
    if (entries.length >= MOST_ENTRIES) return false
    const path = join(folder, name)
    const stats = await lstat(path).catch(() => null)
    if (stats === null) continue
    if (stats.isDirectory()) {
      entries.push({ name: `${prefix}${name}/`, about: null })
      if (depth > 1 && !NOT_ENTERED.has(name) && !(await collect(path, `${prefix}${name}/`, depth - 1, entries))) return false
    } else if (stats.isSymbolicLink()) entries.push({ name: `${prefix}${name}`, about: `-> ${await readlink(path).catch(() => '?')}` })
    else entries.push({ name: `${prefix}${name}`, about: String(stats.size) })
  }
  return true
}
