// What stands at a path itself, and in a folder with all that is in it: for tools that move and remove.
// Unlike a read, a link at the end of the path is not followed; those before it are.

import type { Stats } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Kind } from './change.ts'
import { missingFile } from './resolve.ts'
import { ToolError } from './tool-error.ts'
import type { Workspace } from './workspace.ts'

const MOST_ENTRIES = 1000
const MOST_BYTES = 100_000_000

export interface Entry {
  /** Real, absolute, but for a link at its end. */
  path: string
  given: string
  kind: Kind
  /** Of a link: where it leads; of a folder: empty. */
  bytes: Uint8Array
  /** Permission bits. */
  mode: number
}

/** The path itself, without reading it. Throws ToolError where it lies outside the workspace or is the
 * workspace. */
export async function ownPath(workspace: Workspace, given: string): Promise<string> {
  const { root } = workspace
  const { lexical } = await workspace.resolve(given)
  const folder = await workspace.resolve(dirname(lexical))
  if (lexical === root) throw new ToolError('denied', `${given} is the workspace itself`)
  const path = join(folder.real, basename(lexical))
  if (folder.relative === null) throw new ToolError('denied', `${given} lies outside the workspace ${root}`)
  return path
}

/** Null where nothing stands there. */
export async function readEntry(workspace: Workspace, given: string): Promise<Entry | null> {
  const path = await ownPath(workspace, given)
  const stats = await statsOf(path)
  return stats && (await entryOf(workspace, path, given, stats))
}

/** The entry and, of a folder, all that is in it, each folder before what is in it. Throws ToolError
 * where there is nothing, or more than one call should touch. */
export async function readTree(workspace: Workspace, given: string): Promise<Entry[]> {
  const path = await ownPath(workspace, given)
  const stats = await statsOf(path)
  if (stats === null) throw await missingFile(await workspace.resolve(given))
  const found = [{ path, given, stats }]
  let bytes = stats.size
  for (let i = 0; i < found.length; i++) {
    const folder = found[i]!
    if (!folder.stats.isDirectory()) continue
    for (const name of (await readdir(folder.path)).sort()) {
      const path = join(folder.path, name)
      const stats = await statsOf(path)
      if (stats === null) continue
      found.push({ path, given: join(folder.given, name), stats })
      bytes += stats.size
      if (found.length > MOST_ENTRIES || bytes > MOST_BYTES)
        throw new ToolError('other', `${given} holds more than ${found.length > MOST_ENTRIES ? `${MOST_ENTRIES} files and folders` : `${MOST_BYTES / 1e6} MB`}, too much to keep the earlier versions of`, { help: 'take a part of it at a time, or use exec' })
    }
  }
  const entries: Entry[] = []
  for (const one of found) entries.push(await entryOf(workspace, one.path, one.given, one.stats))
  return entries
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}

async function entryOf(workspace: Workspace, path: string, given: string, stats: Stats): Promise<Entry> {
  const entry = { path, given, mode: stats.mode & 0o7777 }
  if (stats.isSymbolicLink()) return { ...entry, kind: 'link', bytes: await readlink(path, 'buffer') }
  if (stats.isDirectory()) return { ...entry, kind: 'folder', bytes: new Uint8Array() }
  if (!stats.isFile()) throw new ToolError('other', `${given} is not a regular file`)
  return { ...entry, kind: 'file', bytes: (await workspace.read(path)).bytes }
}
