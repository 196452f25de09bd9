// What a commit is in the middle of, as a file beside the versions, so that what a killed program left is
// mended by the next one: a temporary file is removed, a file that was half written in place gets back
// what it held.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { readFile, realpath, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import type { Versions } from './workspace.ts'

/** The name of a file that is written beside another and then moved over it. */
const TEMPORARY = /^\.[0-9a-f]{16}\.nodwyn$/

/** The file that is being written beside another, or in place; neither: a commit has begun. Hashes are
 * SHA-256 of contents. */
export interface Step {
  temporary?: string
  inPlace?: { path: string; before: string; after: string }
}
export type Note = Step & { pid: number; host: string }

export class Journal {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Replaces what was noted before. Nothing is synced: a process that is killed leaves what it has written to the system. */
  begin(step: Step): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    writeFileSync(this.file, JSON.stringify({ ...step, pid: process.pid, host: hostname() }), { mode: 0o600 })
  }

  end(): void {
    try {
      unlinkSync(this.file)
    } catch {
      // There is none.
    }
  }

  /** The step of a program that is gone without having ended it. Of several that look, one gets it. */
  claimLeft(): Note | null {
    if (!isLeft(readNote(this.file))) return null
    const claimed = join(this.folder, `writing.${process.pid}.json`)
    try {
      renameSync(this.file, claimed)
    } catch {
      return null
    }
    const note = readNote(claimed)
    // Somebody else may have begun one in between.
    if (isLeft(note)) unlinkSync(claimed)
    else renameSync(claimed, this.file)
    return isLeft(note) ? note : null
  }

  /** Mends what the last step left; only for who holds the lock. */
  async mend(root: string, versions: Versions): Promise<void> {
    const note = readNote(this.file)
    if (note === null) return
    await mendStep(note, root, versions)
    this.end()
  }

  private get file(): string {
    return join(this.folder, 'writing.json')
  }
}

/** Null where there is none, or one that was cut off: then its step had not begun. */
function readNote(file: string): Note | null {
  try {
    const note = JSON.parse(readFileSync(file, 'utf8')) as Partial<Note>
    return typeof note.pid === 'number' ? (note as Note) : null
  } catch {
    return null
  }
}

function isLeft(note: Note | null): boolean {
  return note !== null && note.host === hostname() && !isAlive(note.pid)
}

export async function mendStep({ temporary, inPlace }: Step, root: string, versions: Versions): Promise<void> {
  if (temporary !== undefined) await removeTemporary(temporary, root)
  if (inPlace !== undefined) await putBack(inPlace, root, versions)
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function removeTemporary(path: string, root: string): Promise<void> {
  if (TEMPORARY.test(basename(path)) && (await isInside(path, root))) await unlink(path).catch(() => {})
}

async function putBack({ path, before, after }: NonNullable<Step['inPlace']>, root: string, versions: Versions): Promise<void> {
  if (!(await isInside(path, root))) return
  const now = await readFile(path).catch(() => null)
  if (now === null || [before, after].includes(hashOf(now))) return
  const version = (await versions.list(path)).find(({ hash }) => hash === before)
  const content = version && (await versions.content(version).catch(() => null))
  if (content) await writeFile(path, content, { flush: true })
}

async function isInside(path: string, root: string): Promise<boolean> {
  const folder = await realpath(dirname(path)).catch(() => '')
  return folder === root || folder.startsWith(`${root}${sep}`)
}

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
