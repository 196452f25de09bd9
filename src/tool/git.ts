// git-status and git-diff: what git says of the workspace, without running any program that the
// repository names (hooks, pagers, external diffs, text conversions, file system monitors, filters).

import { devNull } from 'node:os'
import type { Prim, ToolContext } from './prim.ts'
import { runProcess } from './process.ts'
import { ToolError } from './tool-error.ts'

const TIMEOUT_MS = 30_000

export const gitStatus: Prim = {
  name: 'git-status',
  doc: 'Shows the branch and which files are changed, staged or untracked, in the short form of git.',
  readOnly: true,
  effect: 'read',
  params: [],
  async run(_args, context) {
    const text = await git(['status', '--short', '--branch', '--untracked-files=normal', '--ignore-submodules=all'], context)
    return { text: text.trimEnd(), value: text }
  },
}

export const gitDiff: Prim = {
  name: 'git-diff',
  doc: 'Shows the changes that are not committed, as a unified diff.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'The file or directory, relative to the workspace.' },
    { name: 'staged', type: 'boolean', role: 'plain', optional: true, doc: 'Shows what is staged instead of what is not.' },
  ],
  async run(args, context) {
    const target = await context.workspace.resolve(args.get('path') as string)
    if (target.relative === null) throw new ToolError('denied', `${target.given} lies outside the workspace ${context.workspace.root}`)
    const staged = args.get('staged') === true ? ['--cached'] : []
    const text = await git(['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', ...staged, '--', target.relative || '.'], context)
    return { text: text === '' ? 'no changes' : text.trimEnd(), value: text }
  },
}

/** Settings that a repository could use to have a program run, each turned off. */
const SAFE = ['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'core.pager=cat', 'diff.external=', 'core.sshCommand=false', 'protocol.allow=never', 'core.untrackedCache=false']

async function git(args: string[], { workspace, signal }: ToolContext): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: devNull,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    // A repository of another user, as in a container, is the workspace all the same.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  }
  const run = (words: string[], settings: string[]) =>
    runProcess('git', ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), ...words], { cwd: workspace.root, env, timeoutMs: TIMEOUT_MS, signal })
  try {
    const filters = await filterSettings(run)
    const { output, code, timedOut } = await run(args, [...SAFE, ...filters])
    if (timedOut) throw new ToolError('other', `git took longer than ${TIMEOUT_MS / 1000} seconds`)
    if (code === 0) return output
    if (/not a git repository/i.test(output)) throw new ToolError('other', `${workspace.root} is no git repository`)
    throw new ToolError('other', `git failed: ${output.trim().split('\n')[0]}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ToolError('other', 'git is not installed')
    throw error
  }
}

/** A clean or process filter runs on every file that looks changed: each one named is emptied. */
async function filterSettings(run: (words: string[], settings: string[]) => ReturnType<typeof runProcess>): Promise<string[]> {
  const { output, code } = await run(['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$'], SAFE)
  if (code !== 0) return []
  return output.split('\0').filter(Boolean).map((name) => `${name}=${name.endsWith('.required') ? 'false' : ''}`)
}
