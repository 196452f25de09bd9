// The files of a Scheme program that a person runs by itself (`nodwyn eval -f`): its own folder, the
// current one and the system's temporary one, through R7RS's file procedures. A strategy has no files
// but through tools and their guard.

import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { EngineOptions, Files } from '../engine/index.ts'
import { classify } from '../guard/protected-name.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants

const WORDS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'a folder',
  ERR_FS_EISDIR: 'a folder',
  ENOTDIR: 'a part of the path is no folder',
  ELOOP: 'a link',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system cannot be written',
}

/** What a program in `folder` gets: files, libraries from that folder or the current one, and texts that
 * are included, each from beside the text that includes it. */
export function programFiles(folder: string): Pick<EngineOptions, 'files' | 'include' | 'library'> {
  const files = boundedFiles([folder, process.cwd(), tmpdir()])
  const text = (path: string): string => new TextDecoder().decode(files.read(path))
  return {
    files,
    include: (file, from) => text(resolve(folder, dirname(from), file)),
    library: (name) => {
      if (name.some((part) => part.includes('/') || part.startsWith('.'))) return null
      const path = `${name.join('/')}.sld`
      const found = [folder, process.cwd()].map((place) => join(place, path)).find((place) => existsSync(place))
      return found === undefined ? null : { file: relative(folder, found), text: text(found) }
    },
  }
}

function boundedFiles(folders: string[]): Files {
  const roots = folders.map((folder) => realpathSync(folder))
  /** The real path, where it lies in one of the folders and what is done with it is allowed. */
  const allowed = (path: string, change: boolean): string => {
    const real = realOf(resolve(path))
    const root = roots.find((one) => isInside(one, real))
    if (root === undefined) throw new Error(`outside the folders of the program: ${roots.join(', ')}`)
    const protection = classify(relative(root, real))
    if (protection === 'secret' || protection === 'deny' || (change && protection !== null)) throw new Error('a protected name')
    return real
  }
  const said = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw new Error(WORDS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message, { cause: error })
    }
  }
  return {
    read: (path) => said(() => withFile(allowed(path, false), O_RDONLY, (fd) => readFileSync(fd))),
    write: (path, bytes, append) =>
      said(() => withFile(allowed(path, true), O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), (fd) => writeAll(fd, bytes))),
    exists: (path) => existsSync(allowed(path, false)),
    remove: (path) => said(() => rmSync(allowed(path, true))),
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

/** With the links of what exists followed; the rest of the path need not exist. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), basename(path))
  }
}

function withFile<T>(path: string, flags: number, step: (fd: number) => T): T {
  // A FIFO would otherwise be waited for.
  const fd = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o666)
  try {
    if (!fstatSync(fd).isFile()) throw new Error('not a regular file')
    return step(fd)
  } finally {
    closeSync(fd)
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}
