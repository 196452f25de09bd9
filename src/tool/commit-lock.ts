// Commits to one workspace come one after the other, over all programs that share its versions folder:
// between the last look at a file and the writing of it, none of them writes another. The lock is a file
// that says who holds it and what they are in the middle of, so that the next one can mend what a killed
// program left: it removes a temporary file, and gives a file half written in place what it held.

import { linkSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { readFile, realpath, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from './tool-error.ts'
import { hashOf } from './versions.ts'
import type { Versions } from './workspace.ts'

const WAIT_MS = 10_000
/** Of a holder on another machine, or one whose number another program got since, nobody can tell whether
 * it still runs: a lock that nobody touched for so long is left. */
const LEFT_MS = 60_000

/** The file that is being written beside another, or in place; neither: a commit has begun. Hashes are
 * SHA-256 of contents. */
export interface Step {
  temporary?: string
  inPlace?: { path: string; before: string; after: string }
}
interface Holder extends Step {
  pid: number
  host: string
}

export class CommitLock {
  private readonly folder: string
  private readonly root: string
  private readonly versions: Versions
  /** The end of the commit before, within this program: no need to try again and again for that. */
  private last: Promise<void> = Promise.resolve()

  constructor(folder: string, root: string, versions: Versions) {
    this.folder = folder
    this.root = root
    this.versions = versions
  }

  /** Waits for its turn; returns what gives it up. */
  async take(): Promise<() => void> {
    let done = (): void => {}
    const before = this.last
    this.last = new Promise((resolve) => (done = resolve))
    await before
    try {
      await this.hold()
      return () => {
        unlinkSync(this.file)
        done()
      }
    } catch (error) {
      done()
      throw error
    }
  }

  /** Says what the holder is about to do. Nothing is synced: what a killed program has written stays. */
  note(step: Step): void {
    const part = this.write(step)
    renameSync(part, this.file)
  }

  /** Mends what a program left that is gone; where all is well it takes no time. */
  async mendLeft(): Promise<void> {
    if (isLeft(this.file)) (await this.take())()
  }

  private get file(): string {
    return join(this.folder, 'lock.json')
  }

  private async hold(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const until = Date.now() + WAIT_MS
    let left: Step | null = null
    while (!this.create()) {
      left ??= this.claimLeft()
      if (left && this.create()) break
      if (Date.now() > until) throw new ToolError('other', 'another nodwyn has been writing in this workspace for too long, so nothing was written', { help: 'try again' })
      await pause(5 + Math.random() * 20)
    }
    if (left) await this.mend(left)
  }

  /** False where somebody holds it. Its content is there from the first moment. */
  private create(): boolean {
    const part = this.write({})
    try {
      linkSync(part, this.file)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      unlinkSync(part)
    }
  }

  private write(step: Step): string {
    const part = `${this.file}.${process.pid}`
    writeFileSync(part, JSON.stringify({ ...step, pid: process.pid, host: hostname() }), { mode: 0o600 })
    return part
  }

  /** What a holder that is gone was doing. Of several that look, one gets it, and frees the lock. */
  private claimLeft(): Step | null {
    if (!isLeft(this.file)) return null
    const claimed = `${this.file}.${process.pid}.left`
    try {
      renameSync(this.file, claimed)
    } catch {
      return null
    }
    if (!isLeft(claimed)) {
      // Somebody else freed and took it in between.
      renameSync(claimed, this.file)
      return null
    }
    const holder = readHolder(claimed)
    unlinkSync(claimed)
    return holder ?? {}
  }

  private async mend({ temporary, inPlace }: Step): Promise<void> {
    if (temporary !== undefined && TEMPORARY.test(basename(temporary)) && (await this.isInside(temporary))) await unlink(temporary).catch(() => {})
    if (inPlace !== undefined && (await this.isInside(inPlace.path))) await this.putBack(inPlace)
  }

  private async putBack({ path, before, after }: NonNullable<Step['inPlace']>): Promise<void> {
    const now = await readFile(path).catch(() => null)
    if (now === null || [before, after].includes(hashOf(now))) return
    const version = (await this.versions.list(path)).find(({ hash }) => hash === before)
    const content = version && (await this.versions.content(version).catch(() => null))
    if (content) await writeFile(path, content, { flush: true })
  }

  private async isInside(path: string): Promise<boolean> {
    const folder = await realpath(dirname(path)).catch(() => '')
    return folder === this.root || folder.startsWith(`${this.root}${sep}`)
  }
}

/** The name of a file that is written beside another and then moved over it. */
const TEMPORARY = /^\.[0-9a-f]{16}\.nodwyn$/

function isLeft(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return false
  const holder = readHolder(file)
  if (holder?.host === hostname() && !isAlive(holder.pid)) return true
  return Date.now() - stats.mtimeMs > LEFT_MS
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return typeof holder.pid === 'number' ? (holder as Holder) : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
