// ripgrep under index-grep: the files of a folder, and the lines of files that match a pattern. Both are
// told apart from what ripgrep writes by bytes, since a file's name may hold anything but / and NUL.
// Files are named to ripgrep one by one, so whoever leaves some out gets the answer of the others.

import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { ToolError } from './tool-error.ts'

/** What is searched: relative to the root, with `/`. */
export interface FileList {
  files: string[]
  /** Names that are no UTF-8, which no program can be given: their bytes. */
  odd: Buffer[]
}

export interface Line {
  /** From 1; null for a line that is too long to be read. */
  number: number | null
  text: string
  isMatch: boolean
  /** Where the first match begins in the text. */
  at: number
}

export interface FileMatches {
  /** Lossy where the name is no UTF-8. */
  path: string
  /** Its bytes, where it is no UTF-8. */
  odd: Buffer | null
  lines: Line[]
  /** Lines that match. */
  count: number
}

export interface Query {
  root: string
  pattern: string
  /** Lines around a match. */
  context: number
  signal: AbortSignal
  /** Whether a file may be shown at all; one that may not counts for nothing. */
  mayRead(path: string): Promise<boolean>
}

export interface Found {
  files: FileMatches[]
  /** Whether there was something in a binary file, which is not among them. */
  hasBinary: boolean
  /** False where the search ended early, having found too much. */
  isWhole: boolean
  /** How many files could not be read. */
  unreadable: number
}

/** What a search ends at: nobody reads so much, and each file is looked at by the guard. */
const MOST_MATCHES = 5000
const MOST_FILES = 1000
const MOST_TEXT = 64 << 20
/** Of one line in ripgrep's JSON. */
const MOST_LINE = 16 << 20
const MOST_ODD = 100
/** Of the names given to one ripgrep, in bytes: Windows takes 32,767, Linux 2 MB in all. */
const MOST_NAMES = process.platform === 'win32' ? 24_000 : 120_000
const MOST_IN_BATCH = 4000
const FEW = 64

/** The files below a folder, or the file itself, without what .gitignore names and .git. To ripgrep a glob
 * outdoes .gitignore, so what it finds by the glob counts only where it is among what it finds without. */
export async function listFiles(root: string, { folder, glob, signal }: { folder: string; glob: string; signal: AbortSignal }): Promise<FileList> {
  const list = (...more: string[]) => run(['--files', '--hidden', '--no-require-git', '--null', ...more, '--glob', '!.git', '--', '.'], { cwd: folder === '' ? root : `${root}/${folder}`, signal })
  const [all, matching] = await Promise.all([list(), glob === '' ? null : list('--glob', plainGlob(glob))])
  const failure = matching?.error.split('\n')[0] ?? ''
  if (failure.startsWith('rg: error parsing glob')) throw new ToolError('other', `the glob ${JSON.stringify(glob)} cannot be used: ${failure.slice('rg: '.length)}`)
  const names = namesIn(all.out)
  const isWanted = matching === null ? null : new Set(namesIn(matching.out).map((name) => name.toString('latin1')))
  const before = Buffer.from(folder === '' ? '' : `${folder}/`)
  const files: string[] = []
  const odd: Buffer[] = []
  for (const name of names) {
    if (isWanted !== null && !isWanted.has(name.toString('latin1'))) continue
    if (isUtf8(name)) files.push(`${before}${name}`)
    else odd.push(Buffer.concat([before, name]))
  }
  return { files: files.sort(), odd: odd.sort(Buffer.compare) }
}

/** A leading ! is a character like any other, and ./ says nothing. */
function plainGlob(glob: string): string {
  return glob.replace(/^(\.\/)+/, '').replace(/^!/, '\\!')
}

/** Each ended by NUL, without the ./ before it. */
function namesIn(out: Buffer): Buffer[] {
  const names: Buffer[] = []
  for (let start = 0, end = out.indexOf(0); end >= 0; start = end + 1, end = out.indexOf(0, start)) names.push(out.subarray(start + (out[start] === 46 && out[start + 1] === 47 ? 2 : 0), end))
  return names
}

/** The lines that match, file by file in the order given. The same files give the same answer, also where
 * it ends early: each ripgrep goes through its files one after the other. */
export async function matchIn({ files, odd }: FileList, query: Query): Promise<Found> {
  const stop = new AbortController()
  const bounded = { ...query, signal: AbortSignal.any([query.signal, stop.signal]) }
  const jobs = batches(files).map((batch) => () => search(['--', ...batch.map((file) => `./${file}`)], bounded))
  if (odd.length > 0) jobs.push(() => searchOdd(odd.slice(0, MOST_ODD), bounded))
  // With nothing to search the pattern is looked at all the same.
  if (jobs.length === 0) jobs.push(() => search(['--', '-'], bounded))
  const found: Found = { files: [], hasBinary: false, isWhole: true, unreadable: Math.max(0, odd.length - MOST_ODD) }
  const size = new Size()
  try {
    for await (const part of inOrder(jobs, Math.min(4, availableParallelism()))) {
      found.hasBinary ||= part.hasBinary
      found.isWhole &&= part.isWhole
      found.unreadable += part.unreadable
      for (const file of part.files) {
        if (size.isFull) break
        found.files.push(file)
        size.add(file)
      }
      if (size.isFull) return { ...found, isWhole: false }
    }
    return found
  } finally {
    stop.abort()
  }
}

class Size {
  private files = 0
  private matches = 0
  private text = 0

  add({ count, lines }: FileMatches): void {
    this.files++
    this.matches += count
    for (const { text } of lines) this.text += text.length
  }

  get isFull(): boolean {
    return this.files >= MOST_FILES || this.matches >= MOST_MATCHES || this.text >= MOST_TEXT
  }
}

/** Few files go to one ripgrep; of many each processor gets its part. */
function batches(files: string[]): string[][] {
  const most = Math.min(MOST_IN_BATCH, Math.max(FEW, Math.ceil(files.length / Math.min(4, availableParallelism()))))
  const all: string[][] = []
  let bytes = Infinity
  for (const file of files) {
    const own = Buffer.byteLength(file) + 3
    if (bytes + own > MOST_NAMES || all.at(-1)!.length >= most) {
      all.push([])
      bytes = 0
    }
    all.at(-1)!.push(file)
    bytes += own
  }
  return all
}

/** What the jobs give, in their order, some of them running ahead. */
async function* inOrder<T>(jobs: (() => Promise<T>)[], ahead: number): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  let next = 0
  const start = () => {
    const job = jobs[next++]!()
    job.catch(() => {}) // of one that nobody waits for any more
    running.push(job)
  }
  for (;;) {
    while (next < jobs.length && running.length < ahead) start()
    const first = running.shift()
    if (first === undefined) return
    yield await first
  }
}

/** A name that cannot be given to a program is found by a glob with ? for each byte that is no UTF-8. */
async function searchOdd(names: Buffer[], query: Query): Promise<Found> {
  const globs = names.flatMap((name) => ['--glob', `/${[...name].map(globByte).join('')}`])
  const part = await search(['--hidden', '--no-ignore', ...globs, '--glob', '!.git', '--', '.'], query, new Set(names.map((name) => name.toString('latin1'))))
  const key = ({ odd }: FileMatches) => odd?.toString('latin1') ?? ''
  return { ...part, files: part.files.sort((a, b) => (key(a) < key(b) ? -1 : 1)) }
}

function globByte(byte: number): string {
  return byte >= 128 ? '?' : `${/[\w/]/.test(String.fromCharCode(byte)) ? '' : '\\'}${String.fromCharCode(byte)}`
}

/** One ripgrep. `wanted`: the only files that count, by their bytes. */
async function search(what: string[], { root, pattern, context, signal, mayRead }: Query, wanted: Set<string> | null = null): Promise<Found> {
  // With --crlf an end of line may be CR LF, and a CR cannot be searched for.
  const lines = /\\r|\r/.test(pattern) ? [] : ['--crlf']
  // Mapped files are not looked through for NUL.
  const args = ['--json', '--no-mmap', '--threads', '1', '--max-count', String(MOST_MATCHES), '--context', String(context), ...lines, `--regexp=${pattern}`]
  const { child, ended } = await start([...args, ...what], { cwd: root, signal })
  const found: Found = { files: [], hasBinary: false, isWhole: true, unreadable: 0 }
  const size = new Size()
  for await (const { events, isCut, isBinary } of filesOf(child.stdout)) {
    const file = matchesOf(events)
    if (file === null || (wanted !== null && !wanted.has(file.odd?.toString('latin1') ?? '')) || !(await mayRead(file.path))) continue
    if (isBinary) {
      found.hasBinary = true
      continue
    }
    found.files.push(file)
    size.add(file)
    found.isWhole &&= !isCut
    if (!size.isFull) continue
    child.kill()
    return { ...found, isWhole: false }
  }
  const { code, error } = await ended
  if (signal.aborted) throw signal.reason
  found.unreadable = (error.match(/\(os error (?!2\)|3\))\d+\)/g) ?? []).length
  if (code !== 0 && code !== 1 && !/\(os error \d+\)/.test(error)) throw patternError(pattern, error, code)
  return found
}

function patternError(pattern: string, error: string, code: number | null): ToolError {
  const words = /^error: (.*)/m.exec(error)?.[1] ?? (error.split('\n')[0]!.replace(/^rg: /, '') || `ripgrep ended with ${code}`)
  const help = /the literal "\\[nr]"/.test(words) ? 'a match lies within one line: search for a part of one' : `to search for the text as it is, escape it: ${JSON.stringify(pattern.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'))}`
  return new ToolError('other', `the pattern ${JSON.stringify(pattern)} cannot be used: ${words}`, { help })
}

interface FileEvents {
  /** Of its matches and their context, each a line of JSON. */
  events: Buffer[]
  /** There were more of them than is kept. */
  isCut: boolean
  isBinary: boolean
}

const BEGIN = 'b'.charCodeAt(0)
const END = 'e'.charCodeAt(0)
const SUMMARY = 's'.charCodeAt(0)

/** ripgrep tells of the NUL in a binary file last, so nothing of a file is read before its end. */
async function* filesOf(output: AsyncIterable<Buffer>): AsyncGenerator<FileEvents> {
  let events: Buffer[] = []
  let bytes = 0
  let isCut = false
  for await (const event of eventsOf(output)) {
    const type = event['{"type":"'.length]
    if (type === BEGIN) [events, bytes, isCut] = [[], 0, false]
    else if (type === END) yield { events, isCut, isBinary: !event.includes('"binary_offset":null') }
    else if (type === SUMMARY) continue
    else if (bytes + event.length > MOST_TEXT) isCut = true
    else {
      events.push(event)
      bytes += event.length
    }
  }
}

/** The lines of an output. Of one that is too long its begin. */
async function* eventsOf(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of output) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; start = end + 1, end = chunk.indexOf(10, start)) {
      const rest = chunk.subarray(start, end)
      yield size === 0 ? rest : Buffer.concat(size < MOST_LINE ? [...parts, rest] : parts)
      parts = []
      size = 0
    }
    if (size < MOST_LINE) parts.push(chunk.subarray(start))
    size += chunk.length - start
  }
}

type Text = { text: string } | { bytes: string }
interface LineEvent {
  type: 'match' | 'context'
  data: { path: Text; lines: Text; line_number: number | null; submatches: { start: number }[] }
}

/** Null where nothing of it could be read. */
function matchesOf(events: Buffer[]): FileMatches | null {
  const parsed = events.map((event) => lineEvent(event.toString()))
  const first = parsed[0]?.data.path
  if (first === undefined) return null
  const odd = 'text' in first ? null : withoutDot(Buffer.from(first.bytes, 'base64'))
  const path = 'text' in first ? first.text.replace(/^\.\//, '') : odd!.toString()
  return { path, odd, lines: parsed.map(lineOf), count: parsed.filter(({ type }) => type === 'match').length }
}

function withoutDot(name: Buffer): Buffer {
  return name[0] === 46 && name[1] === 47 ? name.subarray(2) : name
}

function lineEvent(text: string): LineEvent {
  if (text.length < MOST_LINE) return JSON.parse(text) as LineEvent
  // One cut off: the text of its line is too long, and what comes after it is gone.
  const [, type, path] = /^\{"type":"(match|context)","data":\{"path":(\{"\w+":"(?:[^"\\]|\\.)*"\})/.exec(text.slice(0, 1 << 16))!
  return { type: type as LineEvent['type'], data: { path: JSON.parse(path!) as Text, lines: { text: '(a line too long to be shown)' }, line_number: null, submatches: [] } }
}

function lineOf({ type, data }: LineEvent): Line {
  const bytes = 'text' in data.lines ? Buffer.from(data.lines.text) : Buffer.from(data.lines.bytes, 'base64')
  const at = bytes.toString('utf8', 0, data.submatches[0]?.start ?? 0).length
  return { number: data.line_number, text: bytes.toString().replace(/\r?\n$/, ''), isMatch: type === 'match', at }
}

interface Ended {
  code: number | null
  error: string
}

const MOST_ERROR = 1 << 20

async function start(args: string[], { cwd, signal }: { cwd: string; signal: AbortSignal }) {
  const { rgPath } = await import('@vscode/ripgrep')
  signal.throwIfAborted()
  const child = spawn(rgPath, ['--no-config', ...args], { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let error = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (error.length < MOST_ERROR && (error += text)))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, error }))
  })
  ended.catch(() => {}) // a search that ends early waits for no end
  return { child, ended }
}

async function run(args: string[], options: { cwd: string; signal: AbortSignal }): Promise<Ended & { out: Buffer }> {
  const { child, ended } = await start(args, options)
  const parts: Buffer[] = []
  for await (const part of child.stdout) parts.push(part as Buffer)
  return { ...(await ended), out: Buffer.concat(parts) }
}
