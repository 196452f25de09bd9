// The protected files of a workspace as they are, to tell after a program ran which of them it changed:
// no plan foretold that, and no snapshot holds what git ignores or keeps for itself.

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { classify } from './protected-name.ts'

/** Of each protected file that is there, by its path relative to the root, what changes when it does. */
export type ProtectedState = ReadonlyMap<string, string>

const MOST_ENTRIES = 20_000
/** What is in them comes and goes with every installation. */
const NOT_ENTERED = new Set(['node_modules', '.venv', 'venv', 'target', '.hg', '.svn'])
/** Of git's own folder, what it runs or obeys. */
const OF_GIT = /^\.git\/(config(\.worktree)?|hooks\/.+|info\/.+)$/

export async function protectedState(root: string): Promise<ProtectedState> {
  const state = new Map<string, string>()
  const open = ['']
  let entries = 0
  for (let folder = open.shift(); folder !== undefined && entries < MOST_ENTRIES; folder = open.shift()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      entries++
      if (entry.isDirectory()) {
        if (!NOT_ENTERED.has(entry.name) && isWorthEntering(path)) open.push(path)
      } else if (isWatched(path)) {
        const stats = await lstat(join(root, path), { bigint: true }).catch(() => null)
        if (stats) state.set(path, `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino} ${stats.mode}`)
      }
    }
  }
  return state
}

/** In order, those that are new, gone or changed. */
export function changedBetween(before: ProtectedState, after: ProtectedState): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}

function isWorthEntering(path: string): boolean {
  return !/(^|\/)\.git\/(?!hooks$|info$)/.test(path)
}

function isWatched(path: string): boolean {
  const own = path.slice(Math.max(0, path.lastIndexOf('.git/')))
  if (path.includes('.git/')) return OF_GIT.test(own)
  const protection = classify(path)
  return protection === 'guarded' || protection === 'secret' || protection === 'deny write'
}
