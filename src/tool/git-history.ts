// git-log, git-show and git-blame: what a repository remembers. git-program.ts sees to it that git runs
// nothing that the repository names.

import { relative, sep } from 'node:path'
import { shortened } from './bounded-text.ts'
import { runGit } from './git-program.ts'
import type { Arguments, Param, Prim, ToolContext } from './prim.ts'
import { ToolError } from './tool-error.ts'

const MOST_COMMITS = 200
const USUAL_COMMITS = 20
const MOST_LINES = 1000
const MOST_SHOWN = 60_000

const REV: Param = { name: 'rev', type: 'string', role: 'plain', optional: true, default: 'HEAD', doc: 'A commit, branch or tag. The usual one is HEAD.' }

export const gitLog: Prim = {
  name: 'git-log',
  doc: 'Lists commits, the latest first: hash, date, author, subject. With a path those alone that changed it.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'The file or directory, relative to the workspace.' },
    { name: 'n', type: 'integer', role: 'plain', optional: true, default: USUAL_COMMITS, doc: `How many commits to list, at most ${MOST_COMMITS}.` },
    REV,
  ],
  async run(args, context) {
    const n = Number(args.get('n'))
    if (n < 1 || n > MOST_COMMITS) throw new ToolError('contract', `n must be from 1 to ${MOST_COMMITS}, got ${n}`)
    const rev = await commitOf(args, context)
    const path = await pathIn(args.get('path') as string, context)
    // A path of . would leave out commits that change no file.
    const within = path === '.' ? [] : ['--', path]
    const out = await runGit(['log', `--max-count=${n + 1}`, '--no-color', '--no-decorate', '--date=short', '--format=%H%x09%h%x09%ad%x09%an%x09%s%x00', rev, ...within], context)
    const commits = out.split('\0').map((line) => line.trim()).filter(Boolean)
    if (commits.length === 0) return { text: `no commit changed ${args.get('path') as string}`, value: [] }
    const shown = commits.slice(0, n).map((commit) => commit.split('\t'))
    const lines = shown.map(([, ...fields]) => fields.join('  '))
    const more = commits.length > n ? `\n… older commits are left out; give a larger n, or the last hash as rev` : ''
    return { text: lines.join('\n') + more, value: lines, objects: shown.map(([id]) => id!) }
  },
}

export const gitShow: Prim = {
  name: 'git-show',
  doc: 'Shows a commit: its message and what it changed. With the path of a file: what that file held then.',
  readOnly: true,
  effect: 'read',
  params: [REV, { name: 'path', type: 'string', role: 'path', optional: true, doc: 'The file, relative to the workspace.' }],
  async run(args, context) {
    const rev = await commitOf(args, context)
    const given = args.get('path') as string | undefined
    if (given) {
      const path = await pathIn(given, context)
      const text = await runGit(['cat-file', 'blob', `${rev}:./${path}`], context).catch((error: unknown) => {
        if (!(error instanceof ToolError)) throw error
        throw new ToolError('other', `${given} was no file in ${args.get('rev') as string}`, { help: `(git-log "${given}") lists the commits that changed it` })
      })
      const id = (await runGit(['rev-parse', '--verify', `${rev}:./${path}`], context)).trim()
      return { text: shortened(text, MOST_SHOWN, 'Scheme gets all of it'), value: text, objects: [id] }
    }
    const { names, objects } = changedIn(await runGit(['diff-tree', '--root', '-m', '--first-parent', '--no-commit-id', ...NAMES, '-r', '--relative', rev], context))
    const { open, left } = await readable(names, context)
    const head = await runGit(['show', '--no-patch', '--no-color', '--format=commit %H%nAuthor: %an <%ae>%nDate:   %ad%n%n%B', rev], context)
    const diff = open.length === 0 ? '' : await runGit(['show', '--format=', '-m', '--first-parent', '--stat', '--patch', ...PATCH, rev, '--', ...open], context)
    const text = `${head.trimEnd()}\n\n${diff.trimEnd()}`.trimEnd()
    return { text: shortened(text, MOST_SHOWN, 'give a path to see a file as it was') + left, value: text, files: open, objects: [rev, ...objects] }
  },
}

export const gitBlame: Prim = {
  name: 'git-blame',
  doc: 'Shows for each line of a file which commit last changed it, with date and author.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' },
    { name: 'first', type: 'integer', role: 'plain', optional: true, default: 1, doc: 'The first line, from 1.' },
    { name: 'last', type: 'integer', role: 'plain', optional: true, doc: `The last line; at most ${MOST_LINES} lines are shown.` },
  ],
  async run(args, context) {
    const given = args.get('path') as string
    const first = Number(args.get('first'))
    const last = Number(args.get('last') ?? 0) || first + MOST_LINES - 1
    if (first < 1) throw new ToolError('contract', `first must be at least 1, got ${first}`)
    if (last < first) throw new ToolError('contract', `last must be at least first (${first}), got ${last}`)
    const { target, bytes } = await context.workspace.read(given)
    const count = countLines(bytes)
    if (first > count) throw new ToolError('other', `${given} has ${count} line${count === 1 ? '' : 's'}, first ${first} is behind the last`)
    const end = Math.min(last, first + MOST_LINES - 1, count)
    const out = await runGit(['blame', '--no-textconv', '--porcelain', '-L', `${first},${end}`, '--', target.relative!], context)
    const text = blameLines(out).join('\n')
    const more = end < Math.min(last, count) ? `\n… ${Math.min(last, count) - end} more lines; go on with first ${end + 1}` : ''
    return { text: shortened(text, MOST_SHOWN, 'give first and last to see less at a time') + more, value: text }
  },
}

/** Options of a diff that runs nothing and whose form no setting changes. */
export const PATCH = ['--no-ext-diff', '--no-textconv', '--no-color', '--relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=dirty']
const MOST_FILES = 500

/** The hash of the commit that `rev` names, so that what follows cannot be taken for an option. */
export async function commitOf(args: Arguments, context: ToolContext): Promise<string> {
  const rev = args.get('rev') as string
  const out = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`], context, { codes: [1, 128] })
  if (out.trim() !== '') return out.trim()
  const isEmpty = (await runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], context, { codes: [1, 128] })).trim() === ''
  throw new ToolError('other', isEmpty ? 'the repository has no commit yet' : `${JSON.stringify(rev)} names no commit`, isEmpty ? {} : { help: '(git-log) lists the commits' })
}

/** As git is asked for it, relative to the root: a link is a file of its own to git. */
export async function pathIn(given: string, { workspace }: Pick<ToolContext, 'workspace'>): Promise<string> {
  const { root } = workspace
  const target = await workspace.resolve(given)
  if (target.relative === null) throw new ToolError('denied', `${target.given} lies outside the workspace ${root}`)
  const lexical = relative(root, target.lexical)
  return (lexical.split(sep)[0] === '..' ? target.relative : lexical) || '.'
}

/** Options by which git names what differs, with the objects before and after. */
export const NAMES = ['--raw', '-z', '--no-abbrev', '--no-renames']

/** The files that `git … --raw -z` names, and the objects that it compared. */
export function changedIn(raw: string): { names: string[]; objects: string[] } {
  const names: string[] = []
  const objects: string[] = []
  const fields = raw.split('\0')
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , before = '', after = ''] = fields[i]!.split(' ')
    objects.push(...[before, after].filter((id) => /[1-9a-f]/.test(id)))
    names.push(fields[i + 1]!)
  }
  return { names, objects }
}

/** The files that may be shown without a question, and what is said of the others. */
export async function readable(names: string[], context: ToolContext): Promise<{ open: string[]; left: string }> {
  const open: string[] = []
  const hidden: string[] = []
  for (const path of names) ((await context.mayRead(path)) ? open : hidden).push(path)
  const parts = []
  if (hidden.length > 0) parts.push(`\n… left out, to be asked for by name: ${hidden.join(', ')}`)
  if (open.length > MOST_FILES) parts.push(`\n… the changes of ${open.length - MOST_FILES} more files are left out; give a path`)
  return { open: open.slice(0, MOST_FILES), left: parts.join('') }
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0)
}

/** `hash date author  12) text`, the columns aligned. */
function blameLines(porcelain: string): string[] {
  const commits = new Map<string, { author: string; date: string }>()
  const rows: { hash: string; line: string; text: string }[] = []
  let hash = ''
  let line = ''
  for (const row of porcelain.split('\n')) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row)
    if (row.startsWith('\t')) rows.push({ hash, line, text: row.slice(1) })
    else if (header) [, hash, line] = header as unknown as [string, string, string]
    else if (hash !== '') {
      const commit = commits.get(hash) ?? { author: '', date: '' }
      if (row.startsWith('author ')) commit.author = row.slice(7)
      if (row.startsWith('author-time ')) commit.date = new Date(Number(row.slice(12)) * 1000).toISOString().slice(0, 10)
      commits.set(hash, commit)
    }
  }
  const width = Math.max(0, ...[...commits.values()].map(({ author }) => author.length))
  const digits = String(rows.at(-1)?.line ?? '').length
  return rows.map(({ hash, line, text }) => {
    const isNew = /^0+$/.test(hash)
    const { author, date } = commits.get(hash) ?? { author: '', date: '' }
    return `${isNew ? 'not yet ' : hash.slice(0, 8)} ${date} ${(isNew ? 'committed' : author).padEnd(width)} ${line.padStart(digits)}) ${text}`
  })
}
