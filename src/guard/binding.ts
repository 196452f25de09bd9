// A command to the files that say what it does: an approval of it was of what these held, and ends when
// they hold something else.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { ToolError } from '../tool/prim.ts'
import type { Workspace } from '../tool/workspace.ts'

/** Hash by path, relative to the root; "" for a file that was not there. */
export type Binding = Readonly<Record<string, string>>

/** Programs that run what a file in the workspace says. */
const RUNNERS: Record<string, string[]> = {
  npm: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  cargo: ['build.rs', '.cargo/config.toml'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
}

/** Of a command run in the root: the files of its runner, and those that its words name. */
export async function bindingOf(words: readonly string[], workspace: Workspace): Promise<Binding> {
  const program = basename(words[0] ?? '')
  const paths = [...(Object.hasOwn(RUNNERS, program) ? RUNNERS[program]! : []), ...words.filter((word, i) => (i > 0 && !word.startsWith('-')) || (i === 0 && word.includes('/')))]
  const binding: Record<string, string> = {}
  for (const path of paths) {
    const hash = await hashOf(path, workspace)
    const isRunners = RUNNERS[program]?.includes(path) === true
    if (hash !== '' || isRunners) binding[path] = hash
  }
  return binding
}

export async function stillHolds(binding: Binding, workspace: Workspace): Promise<boolean> {
  for (const [path, hash] of Object.entries(binding)) if ((await hashOf(path, workspace)) !== hash) return false
  return true
}

async function hashOf(path: string, workspace: Workspace): Promise<string> {
  try {
    const { bytes } = await workspace.read(path)
    return createHash('sha256').update(basename(path) === 'package.json' ? scriptsIn(bytes) : bytes).digest('hex')
  } catch (error) {
    if (error instanceof ToolError) return ''
    throw error
  }
}

/** What of a package.json runs; what depends on it may change. */
function scriptsIn(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.stringify((JSON.parse(text) as { scripts?: unknown }).scripts) ?? ''
  } catch {
    return text
  }
}
