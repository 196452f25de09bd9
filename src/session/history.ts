// The earlier versions of a workspace's files, for a person to look at. Bringing one back is fs-undo's.

import { relative } from 'node:path'
import type { Change } from '../tool/change.ts'
import { diffOf } from '../tool/diff.ts'
import { readEntry } from '../tool/entry.ts'
import { openWorkspace } from '../tool/open.ts'
import { ToolError } from '../tool/tool-error.ts'
import { versionsOf } from '../tool/undo.ts'
import type { Version, Workspace } from '../tool/workspace.ts'
import { stateFolder } from './place.ts'

/** One earlier version, as a list shows it. */
export interface PastVersion {
  /** Relative to the workspace. */
  path: string
  /** How many changes of this path lie between it and the file as it is: the `n` of fs-undo. */
  n: number
  time: string
  session: string
  call: string
  kind: Version['kind']
  /** Bytes; null: there was no file, or its content was dropped to save space. */
  size: number | null
  existed: boolean
}

/** The newest first; of one path, or of all in the workspace. */
export async function listVersions(cwd: string, path: string | null, state = stateFolder()): Promise<PastVersion[]> {
  const workspace = await openWorkspace(cwd, { state })
  const versions = path === null ? await workspace.versions.list() : await versionsOf(workspace, path)
  const counts = new Map<string, number>()
  const past: PastVersion[] = []
  for (const version of versions) {
    const { time, session, call, kind, hash } = version
    const n = (counts.get(version.path) ?? 0) + 1
    counts.set(version.path, n)
    past.push({ path: relative(workspace.root, version.path), n, time, session, call, kind, size: await workspace.versions.size(version), existed: hash !== null })
  }
  return past
}

/** What the change after the n-th version did: to the next version, or to the file as it is. */
export async function diffVersion(cwd: string, path: string, n: number, state = stateFolder()): Promise<string> {
  const workspace = await openWorkspace(cwd, { state })
  const versions = await versionsOf(workspace, path)
  const version = versions[n - 1]
  if (!version) throw new ToolError('contract', versions.length === 0 ? `${path} was not changed here` : `${path} has ${versions.length} earlier version${versions.length === 1 ? '' : 's'}, got ${n}`)
  const before = await workspace.versions.content(version)
  const after = n === 1 ? await contentNow(workspace, version.path) : await workspace.versions.content(versions[n - 2]!)
  const change: Change = { path: version.path, given: relative(workspace.root, version.path), kind: version.kind, before, after }
  return diffOf([change])
}

async function contentNow(workspace: Workspace, path: string): Promise<Uint8Array | null> {
  return (await readEntry(workspace, path))?.bytes ?? null
}
