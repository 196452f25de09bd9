// One planned change to the disk: only where the disk still holds what the plan was made from, and so
// that a crash at any instant leaves the old bytes or the new ones.

import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, chmod, link, lstat, mkdir, open, readlink, rename, rmdir, symlink, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Change } from './change.ts'
import type { CommitLock } from './commit-lock.ts'
import { codeOf, openFolder, type Folder } from './folder.ts'
import { ToolError } from './tool-error.ts'
import { hashOf } from './versions.ts'

/** Called at moments that tests want to be in: after the check, before bytes go to the disk. */
export interface CommitHooks {
  beforeWrite?(path: string): Promise<void> | void
}

/** Where changes are made. */
export interface Site {
  /** Missing folders are made under it, and nothing is written outside. */
  root: string
  lock: CommitLock
  hooks: CommitHooks
}

/** The file as it is; null where there is none. Throws ToolError where it is not what the plan was made
 * from, or may not be written. */
export async function checkUnchanged(change: Change, root: string): Promise<Stats | null> {
  const folder = await openFolder(root, dirname(change.path), change.given, false)
  try {
    return await checkFile(change, folder && folder.at(basename(change.path)))
  } finally {
    await folder?.close()
  }
}

/** `file`: where it is found; null where its folder is missing. */
async function checkFile(change: Change, file: string | null): Promise<Stats | null> {
  const stats = file === null ? null : await statsOf(file)
  if (change.before === null) {
    if (stats !== null) throw changed(change, 'was created by another program meanwhile')
    return null
  }
  if (stats === null) throw new ToolError('changed-on-disk', `${change.given} was deleted while it was being edited, so nothing was written`)
  if (change.kind === 'link') return await checkLink(change, file!, stats)
  if (change.kind === 'folder') {
    if (!stats.isDirectory()) throw changed(change, 'is no folder any more')
    return stats
  }
  if (!stats.isFile()) throw changed(change, 'is no regular file any more')
  // Whoever may write the folder may remove a file that is read-only.
  if (change.after !== null && !(await isWritable(file!, stats))) throw new ToolError('denied', `no permission to write ${change.given}: it is read-only (mode ${(stats.mode & 0o777).toString(8)})`)
  // A pipe put there meanwhile must not keep the program waiting.
  const handle = await open(file!, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!(await holds(handle, change.before))) throw changed(change, 'changed on disk since it was read')
  } finally {
    await handle.close()
  }
  return stats
}

async function checkLink(change: Change, file: string, stats: Stats): Promise<Stats> {
  if (!stats.isSymbolicLink()) throw changed(change, 'is no link any more')
  if (!(await readlink(file, 'buffer')).equals(change.before!)) throw changed(change, 'leads elsewhere since it was read')
  return stats
}

/** Root may write every file: then the file's own mode says whether it should be. */
async function isWritable(file: string, { mode }: Stats): Promise<boolean> {
  if (process.getuid?.() === 0) return (mode & 0o222) !== 0
  return access(file, constants.W_OK).then(
    () => true,
    () => false,
  )
}

async function holds(file: FileHandle, bytes: Uint8Array): Promise<boolean> {
  const { size } = await file.stat()
  return size === bytes.length && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).equals(await file.readFile())
}

function changed({ given }: Change, how: string): ToolError {
  return new ToolError('changed-on-disk', `${given} ${how}, so nothing was written`, { help: 'read it again' })
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Makes the change. */
export async function writeChange(change: Change, stats: Stats | null, site: Site): Promise<void> {
  let folder: Folder | null = null
  try {
    folder = await openFolder(site.root, dirname(change.path), change.given, change.after !== null)
    if (folder === null) throw changed(change, 'lies in a folder that was deleted meanwhile')
    await writeIn(folder, change, stats, site)
    await folder.sync()
  } catch (error) {
    await folder?.unmake()
    if (error instanceof ToolError) throw error
    const verb = change.after === null ? 'remove' : 'write'
    throw new ToolError('other', `could not ${verb} ${change.given} (${inWords(error)}); the ${change.kind ?? 'file'} is unchanged`)
  } finally {
    await folder?.close()
  }
}

async function writeIn(folder: Folder, change: Change, stats: Stats | null, site: Site): Promise<void> {
  const { kind = 'file', after } = change
  const file = folder.at(basename(change.path))
  if (after === null || kind !== 'file') {
    await site.hooks.beforeWrite?.(change.path)
    await checkAgain(folder, file, change)
    if (after === null) await (kind === 'folder' ? rmdir(file) : unlink(file))
    else if (kind === 'link') await symlink(Buffer.from(after), file)
    else await makeFolder(file, change.mode)
  } else if (stats && stats.nlink > 1) await writeInPlace(folder, file, change, after, site)
  else await replaceFile(folder, file, change, after, stats, site)
}

async function makeFolder(path: string, mode: number | undefined): Promise<void> {
  await mkdir(path)
  if (mode !== undefined) await chmod(path, mode)
}

/** Right before the last step: the folder and the file are still those that were judged. */
async function checkAgain(folder: Folder, file: string, change: Change): Promise<void> {
  if (!(await folder.isInPlace())) throw changed(change, 'lies in a folder that was replaced meanwhile')
  await checkFile(change, file)
}

/** A new file beside the old one, then its name moved over: readers see one or the other. */
async function replaceFile(folder: Folder, file: string, change: Change, after: Uint8Array, stats: Stats | null, site: Site): Promise<void> {
  const name = `.${randomBytes(8).toString('hex')}.nodwyn`
  const temporary = folder.at(name)
  site.lock.note({ temporary: join(dirname(change.path), name) })
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    try {
      await site.hooks.beforeWrite?.(change.path)
      await handle.writeFile(after)
      if (stats && !(await keepOwner(handle, stats))) {
        await unlink(temporary)
        return await writeInPlace(folder, file, change, after, site)
      }
      // After the owner: changing that clears the special bits.
      await handle.chmod(change.mode ?? (stats ? stats.mode & 0o7777 : 0o666 & ~process.umask()))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await checkAgain(folder, file, change)
    if (stats) await rename(temporary, file)
    else await nameNew(temporary, file, change)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
}

/** Gives a new file its name, never over one that somebody else made in the meantime. */
async function nameNew(temporary: string, file: string, change: Change): Promise<void> {
  try {
    await link(temporary, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(change, 'was created by another program meanwhile')
    // A file system without hard links.
    return await rename(temporary, file)
  }
  await unlink(temporary)
}

/** False where the owner could not be kept. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await file.stat()
  if (own.uid === uid && own.gid === gid) return true
  return file.chown(uid, gid).then(
    () => true,
    () => false,
  )
}

/** For a file with several names, or one whose owner a new file could not have. It is compared and
 * written through one handle; where writing fails, what it held is put back. */
async function writeInPlace(folder: Folder, file: string, change: Change, after: Uint8Array, site: Site): Promise<void> {
  await site.hooks.beforeWrite?.(change.path)
  await checkAgain(folder, file, change)
  const handle = await open(file, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    if (!(await holds(handle, change.before!))) throw changed(change, 'changed on disk since it was read')
    site.lock.note({ inPlace: { path: change.path, before: hashOf(change.before!), after: hashOf(after) } })
    try {
      await overwrite(handle, after)
      if (change.mode !== undefined) await handle.chmod(change.mode)
      await handle.sync()
    } catch (error) {
      await putBack(handle, change, error)
      throw error
    }
  } finally {
    await handle.close()
  }
}

async function overwrite(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten
  await file.truncate(bytes.length)
}

async function putBack(file: FileHandle, change: Change, reason: unknown): Promise<void> {
  try {
    await overwrite(file, change.before!)
    await file.sync()
  } catch (error) {
    throw new ToolError('other', `could not write ${change.given} (${inWords(reason)}), nor put back what it held (${inWords(error)})`, {
      help: 'its content before is kept: fs-undo brings it back once the disk can be written',
    })
  }
}

const WORDS: { [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reported an error',
  ENOTDIR: 'a part of its path is a file',
  ENAMETOOLONG: 'its name is too long',
  ENOTEMPTY: 'it holds something else by now',
}

function inWords(error: unknown): string {
  const code = codeOf(error)
  const words = WORDS[code]
  return words ? `${words}, ${code}` : code || (error as Error).message
}
