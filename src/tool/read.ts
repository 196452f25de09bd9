// fs-read: the text of a file, with line numbers for a model, as it is for Scheme.

import type { Prim } from './prim.ts'
import { decodeText } from './text.ts'
import { ToolError } from './tool-error.ts'

const MOST_LINES = 2000
const MOST_CHARACTERS = 100_000
const LINE_WIDTH = 2000
const MOST_BYTES = 200_000_000

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
    if (bytes.length > MOST_BYTES) throw new ToolError('other', `${target.given} is too large to read whole: ${bytes.length} bytes`, { help: 'use exec with head, tail or sed -n' })
    const text = readable(bytes, target.given)
    const offset = Math.max(1, Number(args.get('offset') ?? 1) || 1)
    const limit = Math.min(MOST_LINES, Number(args.get('limit') ?? 0) || MOST_LINES)
    if (limit < 1) throw new ToolError('contract', `limit must be at least 1, got ${limit}`)
    const lines = splitLines(text)
    if (lines.length === 0) return { text: `${target.given} is empty`, value: '' }
    if (offset > lines.length) throw new ToolError('other', `${target.given} has ${count(lines.length, 'line')}, offset ${offset} is behind the last`)
    const shown = numbered(lines, offset, limit)
    const next = offset + shown.length
    const left = lines.length - (next - 1)
    const more = left > 0 ? `\n… ${count(left, 'more line')}; go on with offset ${next}` : ''
    const isWhole = offset === 1 && left === 0
    const value = isWhole ? text : lines.slice(offset - 1, next - 1).join('\n')
    return { text: `${shown.join('\n')}${more}`, value }
  },
}

function readable(bytes: Uint8Array, path: string): string {
  try {
    return decodeText(bytes, path)
  } catch (error) {
    const message = (error as Error).message.replace(', so nothing was changed', '')
    throw new ToolError('other', message, { help: 'use exec with file, xxd or iconv to look into it' })
  }
}

/** Without the last, empty one behind a final line break. */
function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.replace(/^\ufeff/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.replace(/\r$/, ''))
}

function numbered(lines: string[], offset: number, limit: number): string[] {
  const shown: string[] = []
  let size = 0
  for (let i = offset - 1; i < lines.length && shown.length < limit; i++) {
    const line = lines[i]!
    const cut = line.length > LINE_WIDTH ? `${line.slice(0, LINE_WIDTH)}… (${line.length - LINE_WIDTH} more characters)` : line
    size += cut.length
    if (size > MOST_CHARACTERS && shown.length > 0) break
    shown.push(`${String(i + 1).padStart(6)}\t${cut}`)
  }
  return shown
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`
}
