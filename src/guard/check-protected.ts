// A path, as given and as resolved, to whether it is one of the protected files; and a planned change of
// package.json to whether it changes what runs.

import { relative, sep } from 'node:path'
import picomatch from 'picomatch'
import { ToolError, type Change } from '../tool/prim.ts'
import type { Target } from '../tool/workspace.ts'
import { changesFiles, finding, shown, type ChangeCheck, type Check, type Judging } from './check.ts'
import { isUnder } from './check-path.ts'
import { classify, type Protection } from './protected-name.ts'
import { labelsOfKind, type RoleUse } from './role.ts'
import type { Finding } from './verdict.ts'

export const checkProtected: Check = async (use, judging) => {
  let target: Target
  try {
    target = await judging.workspace.resolve(use.text)
  } catch (error) {
    if (error instanceof ToolError) return [] // the pin denies it
    throw error
  }
  const names = namesOf(use.text, target, judging.workspace.root)
  const own = judging.own.find((folder) => isUnder(folder, target.real) || isUnder(folder, target.lexical))
  if (own !== undefined) return [finding('protected path', 'deny', use, `${shown(use.text)} belongs to this program`)]
  const findings = names.flatMap((name) => judgeProtection(classify(name), use, judging))
  return [...findings, ...judgePersonal(names, use, judging)]
}

/** The names a path goes by: relative to the root where it lies under it. */
function namesOf(given: string, { lexical, real }: Target, root: string): string[] {
  const names = [lexical, real].map((path) => (isUnder(root, path) ? relative(root, path).split(sep).join('/') : path))
  // A given path that is not normalised is judged as written too: `.git/../a` goes through .git.
  return [...new Set([...names, ...(given.startsWith('/') ? [] : [given])])]
}

function judgeProtection(protection: Protection | null, use: RoleUse, { call, uses }: Judging): Finding[] {
  const path = shown(use.text)
  const changes = changesFiles(call)
  switch (protection) {
    case 'deny':
      return [finding('protected path', 'deny', use, `${path} is part of git's own folder`)]
    case 'deny write':
      return changes ? [finding('protected path', 'deny', use, `${path} says what an agent may do`)] : []
    case 'secret':
      return [finding('protected path', 'security confirm', use, `${path} is a file that holds credentials`)]
    case 'guarded':
      return changes ? [finding('protected path', 'security confirm', use, `${path} is run or obeyed later by another program`)] : []
    case 'hook': {
      const source = changes ? uses.flatMap((other) => labelsOfKind(other, 'untrusted'))[0] : undefined
      return source === undefined ? [] : [finding('protected path', 'security confirm', use, `${path} is run or obeyed later, and the change carries ${shown(source)}`)]
    }
    default:
      return []
  }
}

/** The person's own list. Its ordinary confirm is asked even where writing is granted. */
function judgePersonal(names: string[], use: RoleUse, { call, policy }: Judging): Finding[] {
  if (!changesFiles(call)) return []
  return policy.protect
    .filter(({ glob }) => names.some((name) => matchesGlob(glob, name)))
    .map(({ glob, verdict }) => finding('protected by the person', verdict, use, `${shown(use.text)} is protected by ${shown(glob)}`))
}

/** Whether a glob of the person's lists covers this path: a name alone is meant at any depth, a folder
 * covers what is in it. */
export function matchesGlob(glob: string, path: string): boolean {
  const plain = fold(glob).replace(/^\.\//, '').replace(/\/+$/, '')
  if (plain === '') return false
  const patterns = glob.replace(/\/+$/, '').includes('/') ? [plain, `${plain}/**`] : [plain, `**/${plain}`, `${plain}/**`, `**/${plain}/**`]
  return picomatch(patterns.map((pattern) => pattern.replace(/^\//, '')), { dot: true, nonegate: true })(fold(path).replace(/^\//, ''))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Fields of package.json whose change makes something else run. */
const RUNNING = ['scripts', 'bin', 'overrides', 'resolutions', 'pnpm', 'gypfile', 'husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'packageManager', 'workspaces', 'config', 'directories', 'bundleDependencies', 'allowScripts', 'trustedDependencies']

export const checkManifest: ChangeCheck = (change) => {
  if (classify(change.path) !== 'manifest') return []
  const before = parseObject(change.before)
  const after = parseObject(change.after)
  const about = { role: 'path' as const, argument: 'path' }
  if (!after) return [finding('protected path', 'security confirm', about, `${shown(change.given)} would be no valid JSON object, so that what it runs cannot be seen`)]
  const field = RUNNING.find((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]))
  return field === undefined ? [] : [finding('protected path', 'security confirm', about, `${field} of ${shown(change.given)} changes, which other programs run`)]
}

function parseObject(bytes: Change['before']): Record<string, unknown> | null {
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Under untrusted labels a dependency is code as well. */
export const checkDependencies: ChangeCheck = (change, { uses }) => {
  if (classify(change.path) !== 'manifest') return []
  const source = uses.flatMap((use) => labelsOfKind(use, 'untrusted'))[0]
  if (source === undefined) return []
  return [finding('protected path', 'security confirm', { role: 'path', argument: 'path' }, `${shown(change.given)} decides what is installed, and the change carries ${shown(source)}`)]
}
