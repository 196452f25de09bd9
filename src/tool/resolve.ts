// A path to the file it names: links followed as the operating system does, also where the end of the
// path does not exist yet.

import type { Stats } from 'node:fs'
import { lstat, readlink, readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { nearestWord } from './nearest-word.ts'
import { ToolError } from './tool-error.ts'
import type { Target } from './workspace.ts'

const MOST_LINKS = 40

/** Throws ToolError for a path that can name nothing. */
export async function resolveTarget(root: string, given: string): Promise<Target> {
  if (given.includes('\0')) throw new ToolError('other', `path holds a NUL byte: ${JSON.stringify(given)}`)
  if (given === '') throw new ToolError('other', 'path is empty', { help: 'give "." for the workspace itself' })
  const lexical = resolve(root, given)
  const { real, stats } = await follow(isAbsolute(given) ? given : `${root}${sep}${given}`, given)
  const inside = relative(root, real)
  const outside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
  return {
    given,
    lexical,
    real,
    relative: outside ? null : inside.split(sep).join('/'),
    kind: stats === null ? 'missing' : stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    links: stats?.nlink ?? 0,
  }
}

/** Walks the path from its top, as the system does: `..` after a link leads to the folder above where the link
 * leads. After what does not exist, where the system would give up, it takes the name before it away. */
async function follow(path: string, given: string): Promise<{ real: string; stats: Stats | null }> {
  let rest = segments(path)
  let at = parse(path).root
  let stats: Stats | null = await lstat(at)
  let links = 0
  while (rest.length > 0) {
    const [name, ...after] = rest as [string, ...string[]]
    if (name === '..') {
      at = dirname(at)
      rest = after
      stats = await lstat(at)
      continue
    }
    const next = join(at, name)
    stats = await lstatOrNull(next, given)
    if (stats === null) return after.includes('..') ? follow(join(next, ...after), given) : { real: join(next, ...after), stats: null }
    if (stats.isSymbolicLink()) {
      if (++links > MOST_LINKS) throw new ToolError('other', `${given} goes round in a loop of links`)
      const target = await readlink(next)
      if (isAbsolute(target)) at = parse(target).root
      rest = [...segments(target), ...after]
      stats = await lstat(at)
      continue
    }
    at = next
    rest = after
    if (rest.length > 0 && !stats.isDirectory()) throw new ToolError('other', `${given} does not exist: ${basename(at)} is a file`)
  }
  return { real: at, stats }
}

function segments(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.')
}

async function lstatOrNull(path: string, given: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code === 'ENAMETOOLONG') throw new ToolError('other', `path holds a name that is too long: ${given.slice(0, 60)}…`)
    if (code === 'EACCES' || code === 'EPERM') throw new ToolError('denied', `no permission to look into a folder of ${given}`)
    throw error
  }
}

/** The error for a file that is not there, with the nearest name beside it. */
export async function missingFile({ given, lexical, real }: Target): Promise<ToolError> {
  const name = basename(lexical)
  const near = nearestWord(name, (await namesIn(dirname(real))).filter((other) => other !== name))
  const where = dirname(given)
  const help = near === null ? '' : `; did you mean ${where === '.' ? near : `${where}/${near}`}?`
  return new ToolError('other', `${given} does not exist${help}`, { help: 'to create a file use fs-write' })
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch {
    return []
  }
}
