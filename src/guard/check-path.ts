// The pin: a path argument to the file it names, which must lie under the workspace's root. Which files
// inside are protected is check-protected's.

import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ToolError } from '../tool/prim.ts'
import type { Target } from '../tool/workspace.ts'
import { changesFiles, finding, shown, type Check, type Judging } from './check.ts'
import { classify, classifyAsWritten } from './protected-name.ts'
import type { RoleUse } from './role.ts'
import type { Finding } from './verdict.ts'

const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const KERNEL = ['/proc', '/dev', '/sys']

/** The pin, and every rule about how a path is spelled. */
export const checkPath: Check = async (use, judging) => {
  const denied = checkSpelling(use)
  if (denied) return [denied]
  let target: Target
  try {
    target = await judging.workspace.resolve(use.text)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [finding('pin', 'deny', use, error.message)]
  }
  return checkTarget(use, target, judging)
}

function checkSpelling(use: RoleUse): Finding | null {
  const { text } = use
  if (HIDDEN.test(text)) return finding('pin', 'deny', use, `${shown(text)} holds characters that cannot be seen`)
  const names = text.split(/[/\\]/)
  const odd = names.find((name) => isGitLookalike(name))
  if (odd !== undefined) return finding('pin', 'deny', use, `${shown(odd)} is another spelling of .git on some file systems`)
  const normal = text.normalize('NFKC')
  if (normal !== text && classify(normal) !== null && classifyAsWritten(text) === null)
    return finding('pin', 'deny', use, `${shown(text)} reads as the protected ${shown(normal)}`)
  return null
}

/** Names that some file system takes for `.git`: trailing dots and spaces, short names, streams. */
function isGitLookalike(name: string): boolean {
  const plain = name.normalize('NFKC').toLowerCase()
  return plain !== '.git' && (/^\.git[. ]+$/.test(plain) || /^git~\d+$/.test(plain) || /^\.git[. ]*:/.test(plain))
}

async function checkTarget(use: RoleUse, target: Target, { call, workspace }: Judging): Promise<Finding[]> {
  const { lexical, real, relative, kind, links } = target
  if (relative === null || KERNEL.some((folder) => isUnder(folder, real) || isUnder(folder, lexical)))
    return [finding('pin', 'deny', use, `${shown(use.text)} lies outside the workspace ${workspace.root}`)]
  if (kind === 'other') return [finding('pin', 'deny', use, `${shown(use.text)} is not a regular file but a device, a pipe or a socket`)]
  if (kind === 'file' && links > 1 && changesFiles(call) && !(await hasAllNames(workspace.root, real, links)))
    return [finding('hard link', 'security confirm', use, `${shown(use.text)} has ${links} names (hard links), and not all of them are ordinary files of the workspace`)]
  return []
}

const MOST_ENTRIES = 20_000

/** Whether all names of a file with several lie under the root, none of them protected: what is written under
 * one name is read under the others. A tree too large to look through counts as no. */
async function hasAllNames(root: string, file: string, links: number): Promise<boolean> {
  const { ino, dev } = await lstat(file)
  const open = [root]
  let entries = 0
  let found = 0
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (++entries > MOST_ENTRIES) return false
      const path = join(folder, entry.name)
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) {
        const stats = await lstat(path)
        if (stats.ino !== ino || stats.dev !== dev) continue
        if (classify(relative(root, path)) !== null) return false
        if (++found === links) return true
      }
    }
  }
  return false
}

/** Compared by segment; a path lies under itself. */
export function isUnder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
