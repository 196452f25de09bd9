// Events to lines of a file, one file a session, appended and never changed, credentials in them masked. An event is in the file,
// whole, before what it describes goes on; `sync` also puts it on the disk. A last line that a crash cut
// off is removed when a log is opened.

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { maskTokens } from '../guard/token.ts'
import { ToolError } from '../tool/tool-error.ts'
import type { Event, EventBody } from './event.ts'
import { holdAlone } from './hold.ts'

/** Short, and later ones sort after earlier ones: milliseconds in base 36, then two random letters. */
export function makeSessionId(now = Date.now()): string {
  const random = [...randomBytes(2)].map((byte) => (byte % 36).toString(36)).join('')
  return now.toString(36).padStart(8, '0') + random
}

export class Log {
  readonly session: string
  readonly file: string
  /** Null until the first event: a session in which nothing happens leaves no file. */
  private descriptor: number | null = null
  private unlock = (): void => {}
  private seq = 0

  /** The session's file in `folder`, new or to go on with. */
  constructor(folder: string, session: string) {
    this.session = session
    this.file = join(folder, `${session}.jsonl`)
    if (existsSync(this.file)) this.open()
  }

  append(ctx: string, body: EventBody): Event {
    const descriptor = this.descriptor ?? this.open()
    const whole: Event = { v: 1, t: new Date().toISOString(), session: this.session, seq: this.seq, ctx, ...body }
    const text = JSON.stringify(whole, plain)
    const masked = maskTokens(text)
    const event = masked === text ? whole : (JSON.parse(masked) as Event)
    const line = Buffer.from(`${masked}\n`)
    for (let done = 0; done < line.length; ) done += writeSync(descriptor, line, done)
    this.seq++
    return event
  }

  sync(): void {
    if (this.descriptor !== null) fsyncSync(this.descriptor)
  }

  close(): void {
    if (this.descriptor === null) return
    this.sync()
    closeSync(this.descriptor)
    this.unlock()
    this.descriptor = null
  }

  /** Only its owner may read it, and only one program writes to it. */
  private open(): number {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    this.unlock = holdAlone(join(dirname(this.file), `${this.session}.lock`), `session ${this.session}`)
    const isNew = !existsSync(this.file)
    this.descriptor = openSync(this.file, 'a+', 0o600)
    if (!isNew) this.seq = repair(this.file, this.descriptor)
    return this.descriptor
  }
}

/** Cuts a last line that is not whole; returns the number of events that stand. */
function repair(file: string, descriptor: number): number {
  const text = readFileSync(file)
  const whole = text.lastIndexOf(0x0a) + 1
  if (whole < fstatSync(descriptor).size) ftruncateSync(descriptor, whole)
  let lines = 0
  for (const byte of text.subarray(0, whole)) if (byte === 0x0a) lines++
  return lines
}

/** The events of a log file, without a cut-off last line. */
export function readLog(file: string): Event[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  return lines.map((line, i) => {
    try {
      return JSON.parse(line) as Event
    } catch {
      throw new ToolError('contract', `${file}:${i + 1}: expected a JSON object`)
    }
  })
}

/** The ids of the sessions in `folder`, the oldest first. */
export function listSessions(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .sort()
}

/** JSON has no bigint: one beyond the safe integers is logged as its digits. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
