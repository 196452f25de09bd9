// fs-read: the text of a file, with line numbers for a model, as it is for Scheme.

import type { Arguments, Prim } from './prim.ts'
import { decodeText } from './text.ts'
import { ToolError } from './tool-error.ts'

const MOST_LINES = 2000
const MOST_CHARACTERS = 100_000
const LINE_WIDTH = 2000

export const fsRead: Prim = {
  name: 'fs-read',
  doc: 'Reads a text file. Each line comes with its number, which is no part of the file. A long file comes in parts: offset is the first line to read.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' },
    { name: 'offset', type: 'integer', role: 'plain', optional: true, doc: 'The first line to read, from 1. The usual one is 1.' },
    { name: 'limit', type: 'integer', role: 'plain', optional: true, doc: `How many lines to read at the most; the usual and greatest number is ${MOST_LINES}.` },
  ],

  async run(args, { workspace }) {
    const { target, bytes } = await workspace.read(args.get('path') as string)
    const lines = linesOf(readable(bytes, target.given))
    const offset = lineNumber(args, 'offset') ?? 1
    const limit = lineNumber(args, 'limit')
    if (lines.length === 0) return { text: `${target.given} is empty`, value: '' }
    if (offset > lines.length) throw new ToolError('other', `${target.given} has ${count(lines.length, 'line')}, offset ${offset} is behind the last`)
    const shown = numbered(lines, offset, Math.min(limit ?? MOST_LINES, MOST_LINES))
    const next = offset + shown.length
    const left = lines.length - (next - 1)
    const more = left > 0 ? `\n… ${count(left, 'more line')}; go on with offset ${next}` : ''
    // What is too much for a model is not too much for a program: the lines asked for, as they are.
    const value = lines.slice(offset - 1, limit === null ? undefined : offset - 1 + limit).join('')
    return { text: `${shown.join('\n')}${more}`, value }
  },
}

/** Null where it was not given: 0 stands for an option that was skipped. */
function lineNumber(args: Arguments, name: string): number | null {
  const n = Number(args.get(name) ?? 0)
  if (n < 0) throw new ToolError('contract', `${name} must be at least 1, got ${n}`)
  return n === 0 ? null : n
}

/** Its text; throws ToolError that says how else to look into it. */
export function readable(bytes: Uint8Array, path: string): string {
  try {
    return decodeText(bytes, path)
  } catch (error) {
    const message = (error as Error).message.replace(', so nothing was changed', '')
    throw new ToolError('other', message, { help: 'use exec with file, xxd or iconv to look into it' })
  }
}

/** Each with its line break, so that together they are the text. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function numbered(lines: string[], offset: number, limit: number): string[] {
  const shown: string[] = []
  let size = 0
  for (let i = offset - 1; i < lines.length && shown.length < limit; i++) {
    const line = cut(lines[i]!.replace(/\r?\n$/, '').replace(/^\ufeff/, i === 0 ? '' : '\ufeff'))
    size += line.length
    if (size > MOST_CHARACTERS && shown.length > 0) break
    shown.push(`${String(i + 1).padStart(6)}\t${line}`)
  }
  return shown
}

function cut(line: string): string {
  if (line.length <= LINE_WIDTH) return line
  // Not through the middle of a character.
  const width = /[\ud800-\udbff]/.test(line[LINE_WIDTH - 1]!) ? LINE_WIDTH - 1 : LINE_WIDTH
  return `${line.slice(0, width)}… (${line.length - width} more characters)`
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`
}
