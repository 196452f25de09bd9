// One planned change to the disk: only where the disk still holds what the plan was made from, and so
// that a crash at any instant leaves the old bytes or the new ones.

import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { chmod, lstat, mkdir, open, readFile, rename, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Change } from './change.ts'
import { ToolError } from './tool-error.ts'

/** Called at moments that tests want to be in: after the check, before bytes go to the disk. */
export interface CommitHooks {
  beforeWrite?(path: string): Promise<void> | void
}

/** The mode of the file as it is; null where there is none. Throws ToolError where it is not what the
 * plan was made from, or may not be written. */
export async function checkUnchanged(change: Change): Promise<Stats | null> {
  const stats = await statsOf(change.path)
  if (change.before === null) {
    if (stats !== null) throw changed(change, 'was created by another program meanwhile')
    return null
  }
  if (stats === null) throw new ToolError('changed-on-disk', `${change.given} was deleted while it was being edited, so nothing was written`)
  if (!stats.isFile()) throw changed(change, 'is no regular file any more')
  // As root every file can be written; its own mode still says that it should not be.
  if ((stats.mode & 0o222) === 0) throw new ToolError('denied', `no permission to write ${change.given}: it is read-only (mode ${(stats.mode & 0o777).toString(8)})`)
  if (!Buffer.from(change.before).equals(await readFile(change.path))) throw changed(change, 'changed on disk since it was read')
  return stats
}

function changed({ given }: Change, how: string): ToolError {
  return new ToolError('changed-on-disk', `${given} ${how}, so nothing was written`, { help: 'read it again' })
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Makes the change. `root` is where missing folders of a new file may be made. */
export async function writeChange(change: Change, stats: Stats | null, root: string, hooks: CommitHooks): Promise<void> {
  try {
    if (change.after === null) {
      await hooks.beforeWrite?.(change.path)
      await unlink(change.path)
    } else if (stats && stats.nlink > 1) {
      await writeInPlace(change, change.after, hooks)
    } else {
      await makeFolders(dirname(change.path), root)
      await replaceFile(change, change.after, stats, hooks)
    }
    await syncFolder(dirname(change.path))
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('other', `could not write ${change.given} (${inWords(error)}); the file is unchanged`)
  }
}

/** A new file beside the old one, then its name moved over: readers see one or the other. */
async function replaceFile(change: Change, after: Uint8Array, stats: Stats | null, hooks: CommitHooks): Promise<void> {
  const folder = dirname(change.path)
  const temporary = join(folder, `.${basename(change.path).slice(0, 100)}.${randomBytes(6).toString('hex')}.nodwyn`)
  const identity = await lstat(folder)
  const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    try {
      await hooks.beforeWrite?.(change.path)
      await file.writeFile(after)
      if (stats && !(await keepOwner(file, stats))) {
        await file.close()
        await unlink(temporary)
        return await writeInPlace(change, after, hooks)
      }
      // After the owner: changing that clears the special bits.
      await file.chmod(change.mode ?? (stats ? stats.mode & 0o7777 : 0o666 & ~umask()))
      await file.sync()
    } finally {
      await file.close().catch(() => {})
    }
    await checkUnchanged(change)
    const now = await lstat(folder)
    if (now.ino !== identity.ino || now.dev !== identity.dev) throw changed(change, 'lies in a folder that was replaced meanwhile')
    await rename(temporary, change.path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
}

/** False where the owner could not be kept. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await file.stat()
  if (own.uid === uid && own.gid === gid) return true
  try {
    await file.chown(uid, gid)
    return true
  } catch {
    return false
  }
}

/** For a file with several names, or one whose owner a new file could not have. */
async function writeInPlace(change: Change, after: Uint8Array, hooks: CommitHooks): Promise<void> {
  await hooks.beforeWrite?.(change.path)
  const file = await open(change.path, constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    await file.write(after, 0, after.length, 0)
    await file.truncate(after.length)
    await file.sync()
  } finally {
    await file.close()
  }
  if (change.mode !== undefined) await chmod(change.path, change.mode)
}

/** The folders of a new file, one by one, so that none is made through a link. */
async function makeFolders(folder: string, root: string): Promise<void> {
  const stats = await statsOf(folder)
  if (stats) {
    if (stats.isDirectory()) return
    throw new ToolError('other', `${folder} is no folder`)
  }
  if (folder === root || folder === dirname(folder)) return
  await makeFolders(dirname(folder), root)
  await mkdir(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems do not sync folders.
    if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}

function umask(): number {
  return process.umask()
}

const WORDS: { [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reported an error',
  ENOTDIR: 'a part of its path is a file',
  ENAMETOOLONG: 'its name is too long',
}

function inWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const words = WORDS[code ?? '']
  return words ? `${words}, ${code}` : (code ?? message)
}
