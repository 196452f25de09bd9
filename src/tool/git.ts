// git-status and git-diff: what git says of the workspace. The tools see to the arguments; git-program.ts
// sees to it that git runs nothing and looks at nothing that the repository names.

import { shortened } from './bounded-text.ts'
import { NAMES, PATCH, changedIn, pathIn, readable } from './git-history.ts'
import { runGit } from './git-program.ts'
import type { Prim } from './prim.ts'

const MOST_SHOWN = 60_000

export const gitStatus: Prim = {
  name: 'git-status',
  doc: 'Shows the branch and which files are changed, staged or untracked, in the short form of git.',
  readOnly: true,
  effect: 'read',
  params: [],
  async run(_args, context) {
    const text = await runGit(['status', '--short', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty', '--', '.'], context)
    const isClean = text.trimEnd().split('\n').length === 1
    return { text: shortened(text, MOST_SHOWN, 'use exec with git status') + (isClean ? '\nnothing changed' : ''), value: text }
  },
}

export const gitDiff: Prim = {
  name: 'git-diff',
  doc: 'Shows the changes that are not committed, as a unified diff. Files that git does not track yet are not in it.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'The file or directory, relative to the workspace.' },
    { name: 'staged', type: 'boolean', role: 'plain', optional: true, doc: 'Shows what is staged instead of what is not.' },
  ],
  async run(args, context) {
    const path = await pathIn(args.get('path') as string, context)
    const diff = ['diff', ...PATCH, ...(args.get('staged') === true ? ['--cached'] : [])]
    const { names, objects } = changedIn(await runGit([...diff, ...NAMES, '--', path], context))
    const { open, left } = await readable(names, context)
    const value = open.length === 0 ? '' : withoutEmpty(await runGit([...diff, '--', ...open], context))
    if (value === '' && left === '') return { text: 'no changes', value }
    return { text: (shortened(value, MOST_SHOWN, 'give a path to see less at a time') + left).trim(), value, files: open, objects }
  },
}

/** git names a file that was only touched with a heading and nothing under it. */
function withoutEmpty(diff: string): string {
  return diff.split(/^(?=diff --git )/m).filter((part) => !/^diff --git .*\n?$/.test(part)).join('')
}
