// A real folder inside the workspace, held open, so that what is done in it is done in that very folder,
// whatever its name leads to by then. On Linux each step down goes through the open folder above it and
// follows no link; everywhere its name is compared with it once more before the last step.

import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rmdir, type FileHandle } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { ToolError } from './tool-error.ts'

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export class Folder {
  private readonly handle: FileHandle
  private readonly path: string
  /** The folders that were made on the way, the deepest first. */
  private readonly made: string[]

  constructor(handle: FileHandle, path: string, made: string[]) {
    this.handle = handle
    this.path = path
    this.made = made
  }

  /** The path of a name in this folder, for as long as it is open. */
  at(name: string): string {
    return join(process.platform === 'linux' ? `/proc/self/fd/${this.handle.fd}` : this.path, name)
  }

  /** Whether its path still leads to it, without a link. */
  async isInPlace(): Promise<boolean> {
    try {
      const [own, there, real] = await Promise.all([this.handle.stat(), lstat(this.path), realpath(this.path)])
      return own.dev === there.dev && own.ino === there.ino && real === this.path
    } catch {
      return false
    }
  }

  async sync(): Promise<void> {
    try {
      await this.handle.sync()
    } catch (error) {
      // Some file systems do not sync folders.
      if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
    }
  }

  /** Takes away the folders made on the way, as far as they are empty: what they were made for failed. */
  async unmake(): Promise<void> {
    for (const folder of this.made) await rmdir(folder).catch(() => {})
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** Opens a folder by its real path. Null where it does not exist, unless `make` says to make it. Throws
 * ToolError where it lies outside the root, or the path leads through a link: it was swapped. */
export async function openFolder(root: string, path: string, given: string, make: boolean): Promise<Folder | null> {
  const inside = relative(root, path)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw new ToolError('denied', `${given} lies outside the workspace ${root}`)
  const made: string[] = []
  let handle = await step(root, given)
  let at = root
  for (const name of inside.split(sep).filter(Boolean)) {
    const above = handle
    at = join(at, name)
    try {
      const next = process.platform === 'linux' ? `/proc/self/fd/${above.fd}/${name}` : at
      if (make && (await makeFolder(next))) made.unshift(at)
      handle = await step(next, given)
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && !make) return null
      throw error
    } finally {
      await above.close()
    }
  }
  const folder = new Folder(handle, at, made)
  if (await folder.isInPlace()) return folder
  await folder.close()
  throw swapped(given)
}

async function step(path: string, given: string): Promise<FileHandle> {
  try {
    return await open(path, FOLDER)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP') throw swapped(given)
    if (code !== 'ENOTDIR') throw error
    if ((await lstat(path)).isSymbolicLink()) throw swapped(given)
    throw new ToolError('other', `a folder of ${given} is a file`)
  }
}

function swapped(given: string): ToolError {
  return new ToolError('changed-on-disk', `a folder of ${given} was replaced by a link meanwhile, so nothing was written`, { help: 'look again where it leads' })
}

/** False where there is something of that name already. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
