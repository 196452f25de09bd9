// Which files of a large tree may hold some texts: an index of their trigrams in SQLite, outside the
// workspace. It is only a cache. What it says of a file counts where the file is, by size, times and inode,
// the one that was indexed; of all others it says that they are to be searched.

import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync, readdirSync, rmSync, writeFileSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

/** A file as it is: which content it has, and how much. */
export interface FileState {
  /** Another one is another content, but for what is written within RACY_MS. */
  print: string
  size: number
}

/** Larger ones are not indexed but searched. */
export const MOST_INDEXED = 2_000_000
/** A file that changed less than this ago may change again and keep its times: file systems count in ticks. */
const RACY_MS = 2000
/** Building takes turns with whatever else the program does. */
const SLICE_MS = 12
const PAUSE_MS = 12
const BUSY_PAUSE_MS = 250
const MOST_BUSY = 40
const STATS_AT_ONCE = 500
/** ripgrep has seen a NUL here before it reports anything of a file. */
const BINARY_HEAD = 8192
/** Of the texts asked for; more tell little more. */
const MOST_TRIGRAMS = 24

/** The states of files, without those that cannot be looked at. One after the other: with all names in the
 * system's cache that takes a third of what a pool of threads does. */
export async function statFiles(root: string, files: string[], signal: AbortSignal): Promise<Map<string, FileState>> {
  const states = new Map<string, FileState>()
  for (const [i, file] of files.entries()) {
    if (i % STATS_AT_ONCE === STATS_AT_ONCE - 1) {
      await new Promise(setImmediate)
      signal.throwIfAborted()
    }
    try {
      const stats = lstatSync(`${root}/${file}`, { bigint: true, throwIfNoEntry: false })
      if (stats?.isFile()) states.set(file, { print: printOf(stats), size: Number(stats.size) })
    } catch {} // it is searched, and what is wrong said there
  }
  return states
}

function printOf({ size, mtimeNs, ino, ctimeNs }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ino}:${ctimeNs}`
}

/** What is in a file, for the index. */
type Kind = 'text' | 'searched' | 'binary'

interface Content {
  print: string
  kind: Kind
  codes: string
}

interface Row {
  id: number
  path: string
  print: string
  kind: Kind
}

/** Raised with what the tables or the codes mean. */
const FORMAT = 1
const FILE_NAME = new RegExp(`^trigram-${FORMAT}-(\\d+)\\.db$`)
const TABLES = `
  create table file (id integer primary key autoincrement, path text not null unique, print text not null, kind text not null) strict;
  create virtual table trigram using fts5 (codes, tokenize = 'ascii', detail = none, content = '', contentless_delete = 1);
  -- Merged less often than usual and never a whole level at once, it is built in half the time, and each
  -- step stops the program for a quarter of it.
  insert into trigram (trigram, rank) values ('automerge', 8), ('crisismerge', 64);
`

export class TrigramIndex {
  private readonly folder: string
  private readonly root: string
  private readonly clock: () => number
  private readonly stale = new Set<string>()
  private readonly gone = new Set<string>()
  private building: Promise<void> | null = null

  /** `clock` gives milliseconds as Date.now does. */
  constructor(folder: string, root: string, clock: () => number = Date.now) {
    this.folder = folder
    this.root = root
    this.clock = clock
  }

  /** Of the files those to search for the texts, in their order, and those whose content the index does not
   * know. `gone`: what it knows and is not among them. Without a usable index that is all of them. */
  async narrow(files: string[], states: Map<string, FileState>, texts: string[]): Promise<{ search: string[]; stale: string[]; gone: string[] }> {
    const known = (await this.read((database) => candidates(database, texts))) ?? { rows: [], holding: new Set<number>() }
    const isToSearch = new Map<string, boolean>()
    const gone: string[] = []
    const listed = new Set(files)
    for (const { id, path, print, kind } of known.rows) {
      if (!listed.has(path)) gone.push(path)
      else if (states.get(path)?.print === print) isToSearch.set(path, kind === 'text' ? known.holding.has(id) : kind !== 'binary')
    }
    return { search: files.filter((file) => isToSearch.get(file) ?? true), stale: files.filter((file) => !isToSearch.has(file)), gone }
  }

  /** Indexes files and forgets others, a little at a time, for as long as the program runs. */
  update(stale: string[], gone: string[]): void {
    for (const path of stale) this.stale.add(path)
    for (const path of gone) this.gone.add(path)
    if (this.stale.size + this.gone.size === 0) return
    this.building ??= this.build().finally(() => {
      this.building = null
      this.stale.clear()
      this.gone.clear()
    })
  }

  /** When nothing is being built. */
  async settled(): Promise<void> {
    while (this.building !== null) await this.building
  }

  /** Null where there is no index, or none that can be read. */
  private async read<T>(work: (database: DatabaseSync) => T): Promise<T | null> {
    const { number } = this.newest()
    if (number === null) return null
    return this.attempt(number, async () => {
      const database = await openDatabase(this.pathOf(number))
      try {
        // One state of both tables, whoever writes meanwhile.
        database.exec('begin')
        return tableCount(database) === 0 ? null : work(database)
      } finally {
        database.close()
      }
    })
  }

  private async build(): Promise<void> {
    const number = this.newest().number ?? 0
    await this.attempt(number, async () => {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      const database = await openDatabase(this.pathOf(number))
      try {
        let busy = 0
        let isPrepared = false
        while (this.stale.size + this.gone.size > 0 && busy < MOST_BUSY) {
          await pause(busy > 0 ? BUSY_PAUSE_MS : PAUSE_MS)
          const isDone = this.inTransaction(database, () => {
            if (!isPrepared) prepare(database)
            isPrepared = true
            this.slice(database)
          })
          busy = isDone ? 0 : busy + 1
        }
      } finally {
        database.close()
      }
      return null
    })
  }

  /** False where another program is writing. */
  private inTransaction(database: DatabaseSync, work: () => void): boolean {
    try {
      database.exec('begin immediate')
    } catch (error) {
      if (errorCode(error) === BUSY) return false
      throw error
    }
    try {
      work()
      database.exec('commit')
      return true
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  private slice(database: DatabaseSync): void {
    const end = performance.now() + SLICE_MS
    const forget = new Forgetting(database)
    for (const path of this.gone) {
      this.gone.delete(path)
      forget.path(path)
      if (performance.now() > end) return
    }
    const addRow = database.prepare('insert into file (path, print, kind) values (?, ?, ?)')
    const addCodes = database.prepare('insert into trigram (rowid, codes) values (?, ?)')
    for (const path of this.stale) {
      this.stale.delete(path)
      const content = readContent(`${this.root}/${path}`, this.clock())
      // Another program may have been here.
      if (content !== null && forget.path(path, content.print)) {
        const { lastInsertRowid } = addRow.run(path, content.print, content.kind)
        if (content.kind === 'text') addCodes.run(lastInsertRowid, content.codes)
      }
      if (performance.now() > end) return
    }
  }

  /** Null where it fails for a reason outside the program. A damaged database is given up for a new one. */
  private async attempt<T>(number: number, work: () => Promise<T | null>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const code = errorCode(error)
      if (code === null && (error as NodeJS.ErrnoException).code === undefined) throw error
      if (code === CORRUPT || code === NO_DATABASE || code === LOGIC) this.giveUp(number)
      return null
    }
  }

  private newest(): { number: number | null; older: number[] } {
    const numbers = namesIn(this.folder).flatMap((name) => FILE_NAME.exec(name)?.slice(1).map(Number) ?? [])
    const number = numbers.length === 0 ? null : Math.max(...numbers)
    return { number, older: numbers.filter((other) => other !== number) }
  }

  private pathOf(number: number): string {
    return join(this.folder, `trigram-${FORMAT}-${number}.db`)
  }

  /** The next one gets a name of its own: what other programs still have open of this one is never mixed
   * with a new file. */
  private giveUp(damaged: number): void {
    try {
      if ((this.newest().number ?? 0) === damaged) writeFileSync(this.pathOf(damaged + 1), '', { flag: 'a', mode: 0o600 })
      for (const older of this.newest().older) for (const suffix of ['', '-wal', '-shm']) rmSync(this.pathOf(older) + suffix, { force: true })
    } catch {} // then every search does without
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

const LOGIC = 1
const BUSY = 5
const CORRUPT = 11
const NO_DATABASE = 26

/** SQLite's; null for an error that is not SQLite's. */
function errorCode(error: unknown): number | null {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' ? errcode! & 0xff : null
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(path, { timeout: 50 })
  try {
    // Readers and a writer do not wait for each other; after a loss of power it is whole.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** A kludge for Node 22, which warns on loading it, in the middle of what a person reads. */
async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

function tableCount(database: DatabaseSync): number {
  return Number(database.prepare("select count(*) as n from sqlite_schema where name in ('file', 'trigram')").get()!['n'])
}

/** Both tables or none: with one of them lost the other says what is not so. */
function prepare(database: DatabaseSync): void {
  const count = tableCount(database)
  if (count === 1) throw Object.assign(new Error('a table is missing'), { code: 'ERR_SQLITE_ERROR', errcode: CORRUPT })
  if (count === 0) database.exec(TABLES)
}

/** All that the index knows, and which of it holds the texts. */
function candidates(database: DatabaseSync, texts: string[]): { rows: Row[]; holding: Set<number> } {
  const codes = [...new Set(texts.flatMap((text) => codesOf(Buffer.from(text)).trimEnd().split(' ')))]
  const step = Math.max(1, codes.length / MOST_TRIGRAMS)
  const asked = Array.from({ length: Math.ceil(codes.length / step) }, (_, i) => codes[Math.floor(i * step)])
  const holding = database.prepare('select rowid from trigram where trigram match ?').all(asked.map((code) => `"${code}"`).join(' AND '))
  const rows = database.prepare('select id, path, print, kind from file').all()
  return { rows: rows as unknown as Row[], holding: new Set(holding.map(({ rowid }) => Number(rowid))) }
}

class Forgetting {
  private readonly find
  private readonly dropRow
  private readonly dropCodes

  constructor(database: DatabaseSync) {
    this.find = database.prepare('select id, print, kind from file where path = ?')
    this.dropRow = database.prepare('delete from file where id = ?')
    this.dropCodes = database.prepare('delete from trigram where rowid = ?')
  }

  /** False where what is known of it is `print`, and stays. */
  path(path: string, print?: string): boolean {
    const row = this.find.get(path) as unknown as Row | undefined
    if (row === undefined) return true
    if (row.print === print) return false
    this.dropRow.run(row.id)
    if (row.kind === 'text') this.dropCodes.run(row.id)
    return true
  }
}

/** Null where the file cannot be read, or may be changing. */
function readContent(path: string, now: number): Content | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch {
    return null
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    const changed = Number((stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs) / 1_000_000n)
    if (!stats.isFile() || changed > now - RACY_MS) return null
    const print = printOf(stats)
    const bytes = Buffer.allocUnsafe(Math.min(Number(stats.size), MOST_INDEXED + 1))
    let length = 0
    for (let n = -1; n !== 0 && length < bytes.length; length += n) n = readSync(file, bytes, length, bytes.length - length, length)
    if (length < bytes.length || printOf(fstatSync(file, { bigint: true })) !== print) return null
    const kind = kindOf(bytes)
    return { print, kind, codes: kind === 'text' ? codesOf(bytes) : '' }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

function kindOf(bytes: Buffer): Kind {
  // To ripgrep a file with this mark is UTF-16.
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!isMarked && bytes.subarray(0, BINARY_HEAD).includes(0)) return 'binary'
  return bytes.length <= MOST_INDEXED && !bytes.includes(0) && isUtf8(bytes) ? 'text' : 'searched'
}

/** Printable ASCII and the tab: the texts asked for hold nothing else. */
const LETTERS = 96
const LETTER = new Int8Array(256).fill(-1)
for (let byte = 32; byte < 127; byte++) LETTER[byte] = byte - 32
LETTER[9] = LETTERS - 1
const DIGITS = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')
const seen = new Uint8Array(LETTERS ** 3)

/** Each trigram once, as four digits to the base 36, a word to SQLite. To let SQLite take
 * the text apart takes twice as long. */
function codesOf(bytes: Uint8Array): string {
  const trigrams: number[] = []
  let a = -1
  let b = -1
  for (const byte of bytes) {
    const c = LETTER[byte]!
    if (a >= 0 && b >= 0 && c >= 0) {
      const trigram = (a * LETTERS + b) * LETTERS + c
      if (seen[trigram] === 0) {
        seen[trigram] = 1
        trigrams.push(trigram)
      }
    }
    a = b
    b = c
  }
  const codes = Buffer.alloc(trigrams.length * 5, ' ')
  for (const [i, trigram] of trigrams.entries()) {
    seen[trigram] = 0
    codes[5 * i] = DIGITS[Math.floor(trigram / 36 ** 3)]!
    codes[5 * i + 1] = DIGITS[Math.floor(trigram / 36 ** 2) % 36]!
    codes[5 * i + 2] = DIGITS[Math.floor(trigram / 36) % 36]!
    codes[5 * i + 3] = DIGITS[trigram % 36]!
  }
  return codes.toString('latin1')
}
