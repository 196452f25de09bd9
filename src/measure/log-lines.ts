// Files of JSON lines to objects, one after the other, in bounded memory. A line that cannot be read is named,
// and a last line that was cut off is passed over.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const CHUNK = 1 << 18
/** A line may hold a file's text, not a disk's. */
const LONGEST = 200_000_000

export interface Problem {
  file: string
  line: number
  what: string
}

export interface LineHandlers {
  /** Each line that holds an object. */
  object(value: Record<string, unknown>): void
  problem(problem: Problem): void
  /** Bytes that were read since the last time. */
  progress(bytes: number): void
}

/** Reads `file` from its beginning to the end that it has when it is opened. Throws what the system throws where it
 * cannot be opened or read. */
export function readLines(file: string, { object, problem, progress }: LineHandlers): void {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(size, 1)))
    /** The beginning of a line whose end was not read yet. */
    let begun: Buffer[] = []
    let length = 0
    let line = 0
    for (let at = 0; at < size; ) {
      const read = readSync(descriptor, chunk, 0, Math.min(chunk.length, size - at), at)
      if (read === 0) break
      at += read
      let from = 0
      for (let end = chunk.indexOf(10, 0); end >= 0 && end < read; end = chunk.indexOf(10, from)) {
        line++
        const part = chunk.subarray(from, end)
        take(length + part.length > LONGEST ? null : begun.length === 0 ? part : Buffer.concat([...begun, part]), line)
        begun = []
        length = 0
        from = end + 1
      }
      length += read - from
      if (length > LONGEST) begun = []
      else if (read > from) begun.push(Buffer.from(chunk.subarray(from, read)))
      progress(read)
    }
    // A whole last line may lack its newline; one that was cut off is no error.
    if (begun.length > 0) takeLast(Buffer.concat(begun))
  } finally {
    closeSync(descriptor)
  }

  function take(bytes: Buffer | null, number: number): void {
    if (bytes === null) return problem({ file, line: number, what: `longer than ${LONGEST / 1e6} MB` })
    const text = bytes.toString('utf8')
    if (text.trim() === '') return
    const value = parse(text)
    if (value === undefined) problem({ file, line: number, what: `no JSON: ${start(text)}` })
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) problem({ file, line: number, what: `no object: ${start(text)}` })
    else object(value as Record<string, unknown>)
  }

  function takeLast(bytes: Buffer): void {
    const value = parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) object(value as Record<string, unknown>)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown
  } catch {
    return undefined
  }
}

function start(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
