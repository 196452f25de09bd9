// Commits to one workspace come one after the other, over all programs that share its versions folder:
// between the last look at a file and the writing of it, none of them writes another.

import { mkdir, rm } from 'node:fs/promises'
import { ToolError } from './tool-error.ts'

/** About ten seconds in all; a program that died holding the lock frees it after as long. */
const RETRIES = { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 60 }

export class CommitLock {
  private readonly folder: string
  /** The end of the commit before, within this program: no need to try again and again for that. */
  private last: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Waits for its turn; returns what gives it up. */
  async take(): Promise<() => Promise<void>> {
    let done = (): void => {}
    const before = this.last
    this.last = new Promise((resolve) => (done = resolve))
    await before
    try {
      const release = await this.lockFolder()
      return async () => {
        await release().catch(() => {})
        done()
      }
    } catch (error) {
      done()
      throw error
    }
  }

  /** Takes the lock away from a program that is known to be gone. */
  async free(): Promise<void> {
    await rm(`${this.folder}.lock`, { recursive: true, force: true })
  }

  private async lockFolder(): Promise<() => Promise<void>> {
    const { lock } = await import('proper-lockfile')
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    try {
      return await lock(this.folder, { realpath: false, retries: RETRIES, onCompromised: () => {} })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error
      throw new ToolError('other', 'another nodwyn has been writing in this workspace for too long, so nothing was written', { help: 'try again' })
    }
  }
}
