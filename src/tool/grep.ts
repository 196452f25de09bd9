// index-grep: the lines that match a regular expression, file by file, as text for a model and as a list
// for Scheme. ripgrep.ts does the matching; on a large tree trigram-index.ts says in which files to look.

import type { Arguments, Prim } from './prim.ts'
import { requiredLiterals } from './required-literal.ts'
import { missingFile } from './resolve.ts'
import { listFiles, matchIn, type FileMatches, type Found, type Line } from './ripgrep.ts'
import { ToolError } from './tool-error.ts'
import { MOST_INDEXED, statFiles, TrigramIndex } from './trigram-index.ts'
import type { Workspace } from './workspace.ts'

const MOST_CONTEXT = 10
const MOST_PATTERN = 10_000
const MOST_SHOWN = 200
const MOST_CHARACTERS = 30_000
const LINE_WIDTH = 300
/** How much of a line that is cut stands before the match. */
const BEFORE_MATCH = 100

/** From when on a tree is large: on a smaller one ripgrep alone is faster than looking at every file. */
export interface IndexOptions {
  files: number
  bytes: number
  /** Whether what changed is indexed before the answer; the program builds beside what else it does. */
  awaitsIndex: boolean
  /** Milliseconds, as Date.now. */
  clock: () => number
}

const USUAL: IndexOptions = { files: 20_000, bytes: 200_000_000, awaitsIndex: false, clock: Date.now }

export function makeIndexGrep(options: Partial<IndexOptions> = {}): Prim {
  const settings = { ...USUAL, ...options }
  const indexes = new WeakMap<Workspace, TrigramIndex>()
  const indexOf = (workspace: Workspace): TrigramIndex => {
    const index = indexes.get(workspace) ?? new TrigramIndex(workspace.cache, workspace.root, settings.clock)
    indexes.set(workspace, index)
    return index
  }
  return {
    name: 'index-grep',
    doc: 'Searches the text of files for a regular expression, such as "fn \\w+_test" or "TODO|FIXME", line by line. What .gitignore names is left out, and so are .git, binary files, and files that may not be read without a question unless path names them. To search for text as it is, escape . * + ? ( ) [ ] { } | ^ $ and the backslash by a backslash.',
    readOnly: true,
    effect: 'read',
    params: [
      { name: 'pattern', type: 'string', role: 'plain', doc: 'The regular expression, as ripgrep reads it: no look-around, no backreferences; (?i) before it takes upper and lower case as the same.' },
      { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'The file or directory to search in, relative to the workspace.' },
      { name: 'glob', type: 'string', role: 'plain', optional: true, doc: 'Searches only the files of the directory that it matches, such as "*.ts" or "src/**/test-*.js".' },
      { name: 'context', type: 'integer', role: 'plain', optional: true, doc: `How many lines to show around each match, 0 to ${MOST_CONTEXT}.` },
    ],

    async run(args, { workspace, signal, mayRead }) {
      const { pattern, glob, lines } = checked(args)
      const path = args.get('path') as string
      const { root } = workspace
      const target = await workspace.resolve(path)
      if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${root}`)
      if (target.kind === 'missing') throw await missingFile(target)
      if (target.kind === 'other') throw new ToolError('other', `${path} is not a regular file`)
      const isFile = target.kind === 'file'
      const list = isFile ? { files: [target.relative], odd: [] } : await listFiles(root, { folder: target.relative, glob, signal })
      const count = list.files.length + list.odd.length
      if (count === 0) return { text: glob === '' ? `${path} holds no file to search in` : `no file matches the glob ${glob} in ${path}`, value: [] }
      const isAll = target.relative === '' && glob === ''
      const { files, afterwards } = await narrowed(list.files, { pattern, isAll, root, signal, settings, index: indexOf(workspace) })
      const found = await matchIn({ ...list, files }, { root, pattern, context: lines, signal, mayRead })
      await afterwards()
      const left = found.unreadable > 0 ? `\n… ${counted(found.unreadable, 'file')} could not be read` : ''
      if (found.files.length > 0) return { text: render(found) + left, value: valueOf(found), files: found.files.map((file) => file.path) }
      if (isFile && found.hasBinary) return { text: `${path} is binary, and not searched`, value: [] }
      return { text: `no match for ${JSON.stringify(pattern)} in ${isFile ? path : counted(count, 'file')}${left}`, value: [] }
    },
  }
}

export const indexGrep = makeIndexGrep()

interface Narrowing {
  pattern: string
  /** Whether the files are all of the workspace. */
  isAll: boolean
  root: string
  signal: AbortSignal
  settings: IndexOptions
  index: TrigramIndex
}

/** The files in which the pattern can match, and what is to be done once they were searched. */
async function narrowed(files: string[], { pattern, isAll, root, signal, settings, index }: Narrowing): Promise<{ files: string[]; afterwards: () => Promise<void> }> {
  const all = { files, afterwards: () => Promise.resolve() }
  const texts = requiredLiterals(pattern)
  if (texts.length === 0) return all
  const states = await statFiles(root, files, signal)
  let bytes = 0
  for (const { size } of states.values()) if (size <= MOST_INDEXED) bytes += size
  if (files.length < settings.files && bytes < settings.bytes) return all
  const { search, stale, gone } = await index.narrow(files, states, texts)
  const afterwards = async () => {
    index.update(stale, isAll ? gone : [])
    if (settings.awaitsIndex) await index.settled()
  }
  return { files: search, afterwards }
}

function checked(args: Arguments): { pattern: string; glob: string; lines: number } {
  const pattern = args.get('pattern') as string
  if (pattern === '') throw new ToolError('contract', 'pattern is empty', { help: 'to see which files there are use fs-find' })
  if (pattern.length > MOST_PATTERN) throw new ToolError('contract', `pattern is too long: ${pattern.length} characters, the most is ${MOST_PATTERN}`)
  const glob = (args.get('glob') ?? '') as string
  for (const [name, text] of [['pattern', pattern], ['glob', glob]]) if (text!.includes('\0')) throw new ToolError('contract', `${name} holds a NUL byte`)
  const lines = Number(args.get('context') ?? 0)
  if (lines < 0 || lines > MOST_CONTEXT) throw new ToolError('contract', `context must be from 0 to ${MOST_CONTEXT}, got ${lines}`)
  return { pattern, glob, lines }
}

function valueOf({ files }: Found) {
  return files.flatMap(({ path, lines }) => lines.filter(({ isMatch }) => isMatch).map(({ number, text }) => new Map<string, string | number | null>([['path', path], ['line', number], ['text', text]])))
}

/** File by file up to what is too much, then what is left and how to see less. */
function render({ files, isWhole }: Found): string {
  const shown: string[] = []
  let room = MOST_CHARACTERS
  let most = MOST_SHOWN
  let left = { matches: 0, files: 0 }
  for (const file of files) {
    const { texts, matches } = left.files > 0 ? { texts: [], matches: 0 } : fitting(file, room, most)
    shown.push(...texts)
    room -= texts.reduce((sum, text) => sum + text.length + 1, 0)
    most -= matches
    if (matches < file.count) left = { matches: left.matches + file.count - matches, files: left.files + 1 }
  }
  const more = `${isWhole ? '' : 'at least '}${counted(left.matches, 'more match', 'more matches')} in ${counted(left.files, 'file')}`
  if (left.files === 0 && !isWhole) shown.push('… there may be more matches; narrow the pattern, or give a path or glob')
  if (left.files > 0) shown.push(`… ${more}; narrow the pattern, or give a path or glob`)
  return shown.join('\n')
}

/** The name of a file and of its lines those that there is room for; nothing where that is no match. */
function fitting({ path, odd, lines }: FileMatches, room: number, most: number): { texts: string[]; matches: number } {
  const texts = [nameOf(path, odd)]
  let size = texts[0]!.length + 1
  let matches = 0
  for (const line of lines) {
    const text = lineText(line)
    size += text.length + 1
    if (size > room || (line.isMatch && matches === most)) break
    texts.push(text)
    if (line.isMatch) matches++
  }
  return matches === 0 ? { texts: [], matches } : { texts, matches }
}

/** A name may hold anything but / and NUL: one with control characters is shown as JSON, and so is one
 * that is no UTF-8, with its bytes. */
function nameOf(path: string, odd: Buffer | null): string {
  if (odd !== null) return `"${[...odd].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('')}"`
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path
}

function lineText({ number, text, isMatch, at }: Line): string {
  return `${String(number ?? '?').padStart(5)}${isMatch ? ':' : '-'} ${cut(text, at)}`
}

/** Around the match, and not through the middle of a character. */
function cut(text: string, at: number): string {
  if (text.length <= LINE_WIDTH) return text
  const start = characterStart(text, Math.max(0, Math.min(at - BEFORE_MATCH, text.length - LINE_WIDTH)))
  const end = characterStart(text, Math.min(text.length, start + LINE_WIDTH))
  const before = start === 0 ? '' : `(${counted(start, 'character')} before)…`
  const after = end === text.length ? '' : `…(${counted(text.length - end, 'more character')})`
  return `${before}${text.slice(start, end)}${after}`
}

function characterStart(text: string, at: number): number {
  const isInside = /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
  return isInside ? at - 1 : at
}

function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
