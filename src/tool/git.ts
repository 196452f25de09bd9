// git-status and git-diff: what git says of the workspace. The tools see to the arguments; git-program.ts
// sees to it that git runs nothing and looks at nothing that the repository names.

import { relative, sep } from 'node:path'
import { runGit } from './git-program.ts'
import type { Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'

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
    return { text: shown(text) + (isClean ? '\nnothing changed' : ''), value: text }
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
    const { root } = context.workspace
    const target = await context.workspace.resolve(args.get('path') as string)
    if (target.relative === null) throw new ToolError('denied', `${target.given} lies outside the workspace ${root}`)
    const staged = args.get('staged') === true
    // A link is a file of its own to git: it is asked for by its name, where that is a name in the root.
    const lexical = relative(root, target.lexical)
    const path = lexical.split(sep)[0] === '..' ? target.relative : lexical
    const text = await runGit([...DIFF, ...(staged ? ['--cached'] : []), '--', path || '.'], context)
    const value = withoutEmpty(text)
    if (value !== '') return { text: shown(value), value }
    return { text: 'no changes', value }
  },
}

const DIFF = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=dirty']

/** git names a file that was only touched with a heading and nothing under it. */
function withoutEmpty(diff: string): string {
  return diff.split(/^(?=diff --git )/m).filter((part) => !/^diff --git .*\n?$/.test(part)).join('')
}

function shown(text: string): string {
  if (text.length <= MOST_SHOWN) return text.trimEnd()
  const end = text.lastIndexOf('\n', MOST_SHOWN) + 1 || MOST_SHOWN
  return `${text.slice(0, end).toWellFormed().trimEnd()}\n… ${text.length - end} more characters; give a path to see less at a time`
}
