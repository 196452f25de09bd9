// Opens a workspace: a directory, with its versions kept in the program's state folder.

import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Change } from './change.ts'
import { CommitLock } from './commit-lock.ts'
import { checkUnchanged, writeChange, type CommitHooks, type Site } from './commit.ts'
import { missingFile, resolveTarget } from './resolve.ts'
import { Snapshots } from './snapshot.ts'
import { ToolError } from './tool-error.ts'
import { VersionStore } from './versions.ts'
import type { Snapshot, Target, Versions, Workspace } from './workspace.ts'

export interface WorkspaceOptions {
  /** The program's state folder; the versions of this workspace get a folder of their own in it, and so does its cache. */
  state: string
  hooks?: CommitHooks
}

/** Throws ToolError where `directory` is no directory. */
export async function openWorkspace(directory: string, { state, hooks = {} }: WorkspaceOptions): Promise<Workspace> {
  let root: string
  try {
    root = await realpath(directory)
  } catch {
    throw new ToolError('other', `${directory} does not exist`)
  }
  if (!(await stat(root)).isDirectory()) throw new ToolError('other', `${directory} is no directory`)
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const folder = join(state, 'versions', name)
  const versions = new VersionStore(folder)
  const lock = new CommitLock(folder, root, versions)
  await lock.mendLeft()
  return new DirectoryWorkspace({ root, lock, hooks }, versions, { folder, cache: join(state, 'cache', name) })
}

/** More than any text that is worked on; Node reads at most 2 GiB. */
const MOST_BYTES = 500_000_000

class DirectoryWorkspace implements Workspace {
  readonly root: string
  readonly cache: string
  readonly versions: Versions
  private readonly site: Site
  private readonly snapshots: Snapshots

  constructor(site: Site, versions: Versions, { folder, cache }: { folder: string; cache: string }) {
    this.root = site.root
    this.cache = cache
    this.versions = versions
    this.site = site
    this.snapshots = new Snapshots(folder, this)
  }

  resolve(path: string): Promise<Target> {
    return resolveTarget(this.root, path)
  }

  async read(path: string): Promise<{ target: Target; bytes: Uint8Array }> {
    const target = await this.resolve(path)
    if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${this.root}`)
    if (target.kind === 'missing') throw await missingFile(target)
    if (target.kind === 'directory') throw new ToolError('other', `${path} is a directory`, { help: 'to see what is in it use fs-list' })
    if (target.kind === 'other') throw new ToolError('other', `${path} is not a regular file`)
    return { target, bytes: await readRegular(target) }
  }

  async commit(changes: Change[], why: { session: string; call: string }): Promise<void> {
    if (changes.length === 0) return
    const leave = await this.site.lock.take()
    try {
      const stats = []
      for (const change of changes) stats.push(await checkUnchanged(change, this.root))
      await this.writeAll(changes, stats, why)
    } finally {
      leave()
    }
  }

  async snapshot(): Promise<Snapshot | null> {
    const before = await this.snapshots.take()
    if (before === null) return null
    return {
      keepChanges: async (why) => {
        const after = await this.snapshots.take()
        const changes = after === null ? [] : await this.snapshots.changes(before, after)
        for (const change of changes) await this.versions.keep(change, change.mode ?? 0o644, why)
        return changes
      },
    }
  }

  private async writeAll(changes: Change[], stats: (Stats | null)[], why: { session: string; call: string }): Promise<void> {
    const modes = stats.map((one) => (one?.mode ?? 0o644) & 0o7777)
    for (const [i, change] of changes.entries()) {
      try {
        await this.versions.keep(change, modes[i]!, why)
        await writeChange(change, stats[i]!, this.site)
      } catch (error) {
        await this.takeBack(changes.slice(0, i), modes, error)
        throw error
      }
    }
  }

  /** Undoes the changes that were made before one that failed. */
  private async takeBack(made: Change[], modes: number[], reason: unknown): Promise<void> {
    for (const [i, change] of [...made.entries()].reverse()) {
      const back = { ...change, before: change.after, after: change.before, mode: modes[i]! }
      try {
        await writeChange(back, await checkUnchanged(back, this.root), this.site)
      } catch (error) {
        const [why, whyNot] = [reason, error].map((one) => (one instanceof Error ? one.message : String(one)))
        throw new ToolError('other', `${why}; before that ${change.given} was changed, which could not be taken back: ${whyNot}`, { help: 'fs-undo brings back what it was' })
      }
    }
  }
}

/** Opened without following a last link and without waiting for a pipe: it may have been swapped. */
async function readRegular({ real, given }: Target): Promise<Uint8Array> {
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw new ToolError('other', `${given} is not a regular file`)
      if (stats.size > MOST_BYTES) throw new ToolError('other', `${given} is too large to read: ${stats.size} bytes, the most is ${MOST_BYTES}`, { help: 'use exec with head, tail or sed -n' })
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') throw new ToolError('denied', `no permission to read ${given}`)
    if (code === 'ENOENT' || code === 'ELOOP') throw new ToolError('changed-on-disk', `${given} was replaced or deleted while it was being opened`)
    throw error
  }
}
