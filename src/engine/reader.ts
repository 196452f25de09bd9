// Text to data with their positions: tokens in, pairs, vectors and atoms out. Lists are built with a
// stack of our own, since data may be nested deeper than the JavaScript stack.

import { CHAR_NAMES } from './char-name.ts'
import { ReadError, withLine, type Position } from './error.ts'
import * as lexer from './lexer.ts'
import { parseNumber } from './number-text.ts'
import { DEFAULT, EOF, NIL, Pair, intern, makeChar, type Value } from './value.ts'

/** A text, read whole. */
export interface Source {
  file: string
  /** What is added to an offset in the text to name a place (source.ts). */
  base: number
  data: Value[]
  /** Place of each top-level datum. */
  starts: number[]
  /** Place of the opening of each list and vector; what the text includes is added. */
  places: Map<object, number>
  position(at: number): Position
}

/** All data of `text`. Throws ReadError. */
export function readSource(text: string, file: string, base = 0): Source {
  const reader = new Reader(text, file, base)
  const data: Value[] = []
  const starts: number[] = []
  for (let next = reader.read(); next; next = reader.read()) {
    data.push(next.datum)
    starts.push(base + next.start)
  }
  return { file, base, data, starts, places: reader.places, position: (at) => reader.position(at - base) }
}

/** The first datum of `text` and the offset behind it; null where there is none. Throws ReadError. */
export function readDatum(text: string): { datum: Value; end: number } | null {
  const next = new Reader(text, 'port').read()
  return next && { datum: next.datum, end: next.end }
}

/** Reads one datum after the other from a text that somebody else reads characters of in between. */
export class DatumReader {
  private readonly text: string
  private base = 0
  private reader: Reader | null = null

  constructor(text: string) {
    this.text = text
  }

  /** The first datum from an index on and the index behind it; null where there is none. Throws ReadError. */
  read(from: number): { datum: Value; end: number } | null {
    if (!this.reader?.goTo(from - this.base)) {
      this.base = from
      this.reader = new Reader(this.text.slice(from), 'port')
    }
    const next = this.reader.read()
    return next && { datum: next.datum, end: this.base + next.end }
  }
}

type Token = ReturnType<typeof lexer.tokenize>[number]

/** Something begun and not yet finished. */
interface Frame {
  kind: 'list' | 'vector' | 'bytes' | 'quote' | 'skip' | 'label'
  offset: number
  items: Value[]
  /** What stands behind the dot of a list. */
  tail: Value | undefined
  dotted: boolean
  name: string
}

/** Stands for a label's datum until that is read. */
class Placeholder {
  value: Value | undefined
}

const QUOTES: Record<string, string> = { "'": 'quote', '`': 'quasiquote', ',': 'unquote', ',@': 'unquote-splicing' }

class Reader {
  readonly places = new Map<object, number>()
  private readonly text: string
  private readonly file: string
  private readonly base: number
  private readonly tokens: Token[]
  private next = 0
  private fold = false
  private readonly labels = new Map<string, Placeholder>()
  private patched = false

  constructor(text: string, file: string, base = 0) {
    this.base = base
    // The first line of a script tells the system how to run it.
    this.text = text.replace(/^#![ /][^\n]*/, (line) => ' '.repeat(line.length))
    this.file = file
    this.tokens = lexer.tokenize(this.text)
  }

  private lines: number[] | null = null

  readonly position = (offset: number): Position => {
    const lines = (this.lines ??= lineStarts(this.text))
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (lines[middle]! <= offset) low = middle
      else high = middle - 1
    }
    const column = Array.from(this.text.slice(lines[low], offset)).length + 1
    const text = this.text.slice(lines[low], lines[low + 1]).replace(/[\r\n]+$/, '')
    return withLine({ file: this.file, line: low + 1, column }, text)
  }

  private error(message: string, offset: number, help: string | null = null): ReadError {
    return new ReadError(message, this.position(offset), false, help)
  }

  /** Goes on at a later offset; false where that lies inside a token, or before what was read. */
  goTo(offset: number): boolean {
    for (let token = this.tokens[this.next]; token && token.startOffset < offset; token = this.tokens[++this.next])
      if (token.startOffset + token.image.length > offset) return false
    const before = this.tokens[this.next - 1]
    return !before || before.startOffset + before.image.length <= offset
  }

  /** The next top-level datum, or null at the end of the text. */
  read(): { datum: Value; start: number; end: number } | null {
    const stack: Frame[] = []
    this.labels.clear()
    this.patched = false
    let start = -1
    for (;;) {
      const token = this.tokens[this.next++]
      if (!token) {
        const unfinished = stack.at(-1)
        if (!unfinished) return null
        throw new ReadError(`${UNFINISHED[unfinished.kind]} opened here`, this.position(unfinished.offset), true)
      }
      if (start < 0 && stack.length === 0) start = token.startOffset
      let value = this.begin(token, stack)
      if (value === undefined) {
        if (stack.length === 0) start = -1
        continue
      }
      // A finished datum may finish what is around it.
      for (;;) {
        const frame = stack.at(-1)
        if (!frame) {
          const datum = this.patched ? this.patch(value) : value
          return { datum, start, end: token.startOffset + token.image.length }
        }
        const finished = this.add(frame, value)
        if (finished === undefined) break
        stack.pop()
        if (finished === SKIPPED) {
          if (stack.length === 0) start = -1
          break
        }
        value = finished
      }
    }
  }

  /** The datum that a token is, or undefined where it opens one or says nothing. */
  private begin(token: Token, stack: Frame[]): Value | undefined {
    const { tokenType: type, image, startOffset: offset } = token
    const push = (kind: Frame['kind'], name = ''): undefined => {
      stack.push({ kind, offset, items: [], tail: undefined, dotted: false, name })
    }
    switch (type) {
      case lexer.open:
        return push('list')
      case lexer.openVector:
        return push('vector')
      case lexer.openBytes:
        return push('bytes')
      case lexer.mark:
        return push('quote', QUOTES[image])
      case lexer.skipDatum:
        return push('skip')
      case lexer.close:
        return this.close(stack, offset)
      case lexer.atom:
        if (image === '.') return this.dot(stack, offset)
        if (image.startsWith('#!')) return this.directive(image, offset)
        return this.atom(image, offset)
      case lexer.string:
        return this.string(image, offset)
      case lexer.char:
        return this.char(image, offset)
      case lexer.labelled:
        this.labels.set(image.slice(1, -1), new Placeholder())
        return push('label', image.slice(1, -1))
      case lexer.labelRef:
        return this.labelRef(image, offset)
      case lexer.openString:
        throw new ReadError('unclosed " opened here', this.position(offset), true)
      case lexer.openComment:
        throw new ReadError('unclosed #| opened here', this.position(offset), true)
      default:
        throw new ReadError('unclosed | opened here', this.position(offset + image.indexOf('|')), true)
    }
  }

  private close(stack: Frame[], offset: number): Value {
    const frame = stack.pop()
    if (!frame) throw this.error('unexpected )', offset, 'nothing is open here')
    switch (frame.kind) {
      case 'list': {
        if (frame.dotted && frame.tail === undefined) throw this.error('expected a datum after the dot, got )', offset)
        let list: Value = frame.tail ?? NIL
        for (let i = frame.items.length - 1; i >= 0; i--) list = new Pair(frame.items[i]!, list)
        if (list instanceof Pair) this.places.set(list, this.base + frame.offset)
        return list
      }
      case 'vector':
        this.places.set(frame.items, this.base + frame.offset)
        return frame.items
      case 'bytes':
        return Uint8Array.from(frame.items as number[])
      default:
        throw this.error(`expected a datum after ${WRITTEN[frame.kind === 'quote' ? frame.name : frame.kind]}, got )`, offset)
    }
  }

  private dot(stack: Frame[], offset: number): undefined {
    const frame = stack.at(-1)
    if (frame?.kind !== 'list' || frame.items.length === 0 || frame.dotted) throw this.error('unexpected .', offset, 'write |.| for the symbol')
    frame.dotted = true
  }

  /** Adds a datum to what is open: the finished datum where it is complete, else undefined. */
  private add(frame: Frame, value: Value): Value | typeof SKIPPED | undefined {
    switch (frame.kind) {
      case 'list':
        if (!frame.dotted) frame.items.push(value)
        else if (frame.tail === undefined) frame.tail = value
        else throw this.error('expected ) after the datum behind the dot', frame.offset)
        return undefined
      case 'bytes':
        if (typeof value !== 'number' || value < 0 || value > 255) throw this.error('a bytevector holds integers from 0 to 255', frame.offset)
        frame.items.push(value)
        return undefined
      case 'vector':
        frame.items.push(value)
        return undefined
      case 'quote': {
        const list = new Pair(intern(frame.name), new Pair(value, NIL))
        this.places.set(list, this.base + frame.offset)
        return list
      }
      case 'skip':
        return SKIPPED
      case 'label':
        this.labels.get(frame.name)!.value = value
        return value
    }
  }

  private labelRef(image: string, offset: number): Value {
    const placeholder = this.labels.get(image.slice(1, -1))
    if (!placeholder) throw this.error(`unknown datum label ${image}`, offset)
    if (placeholder.value !== undefined) return placeholder.value
    this.patched = true
    return placeholder
  }

  /** The datum with each placeholder replaced by what it stands for, in place. */
  private patch(datum: Value): Value {
    const resolve = (value: Value): Value => {
      while (value instanceof Placeholder) value = value.value!
      return value
    }
    const done = new Set<Value>()
    const open: Value[] = [datum]
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (done.has(value)) continue
      done.add(value)
      if (value instanceof Pair) {
        value.car = resolve(value.car)
        value.cdr = resolve(value.cdr)
        open.push(value.car, value.cdr)
      } else if (Array.isArray(value)) {
        for (let i = 0; i < value.length; i++) open.push((value[i] = resolve(value[i]!)))
      }
    }
    return resolve(datum)
  }

  private directive(image: string, offset: number): Value | undefined {
    switch (image) {
      case '#!fold-case':
        this.fold = true
        return undefined
      case '#!no-fold-case':
        this.fold = false
        return undefined
      case '#!default':
        return DEFAULT
      case '#!eof':
        return EOF
    }
    throw this.error(`unknown directive ${image}`, offset)
  }

  private atom(image: string, offset: number): Value {
    if (image.startsWith('#')) {
      const folded = image.toLowerCase()
      if (folded === '#t' || folded === '#true') return true
      if (folded === '#f' || folded === '#false') return false
    }
    const number = parseNumber(image, 10)
    if (number !== null) return number
    if (image.startsWith('#')) throw this.error(`unknown syntax ${image}`, offset)
    if (!image.includes('|')) return intern(this.fold ? foldCase(image) : image)
    const name = image.replace(/\|((?:[^|\\]|\\[^])*)\||[^|]+/g, (part, inside: string | undefined) =>
      inside === undefined ? (this.fold ? foldCase(part) : part) : this.unescape(inside, offset),
    )
    return intern(name)
  }

  private string(image: string, offset: number): Value {
    const text = image.slice(1, -1)
    return text.includes('\\') ? this.unescape(text, offset) : text.replace(/\r\n?/g, '\n')
  }

  private unescape(text: string, offset: number): string {
    return text.replace(/\\(?:[ \t]*(?:\r\n?|\n)[ \t]*|x([0-9a-fA-F]+);|([^]))|\r\n?/g, (whole, hex: string | undefined, letter: string | undefined) => {
      if (whole.startsWith('\r')) return '\n'
      if (hex !== undefined) return String.fromCodePoint(this.codePoint(parseInt(hex, 16), offset))
      if (letter === undefined) return ''
      const plain = ESCAPES[letter]
      if (plain === undefined) throw this.error(`unknown escape \\${letter} in a string`, offset, 'write \\\\ for a backslash')
      return plain
    })
  }

  private codePoint(code: number, offset: number): number {
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw this.error(`no such character: x${code.toString(16)}`, offset)
    return code
  }

  private char(image: string, offset: number): Value {
    const name = image.slice(2)
    if (Array.from(name).length === 1) return makeChar(this.codePoint(name.codePointAt(0)!, offset))
    const code = CHAR_NAMES.get(this.fold ? name.toLowerCase() : name)
    if (code !== undefined) return makeChar(code)
    if (/^x[0-9a-fA-F]+$/.test(name)) return makeChar(this.codePoint(parseInt(name.slice(1), 16), offset))
    throw this.error(`unknown character name #\\${name}`, offset)
  }
}

const SKIPPED = { name: 'skipped' }
const UNFINISHED: Record<Frame['kind'], string> = {
  list: 'unclosed (',
  vector: 'unclosed #(',
  bytes: 'unclosed #u8(',
  quote: 'unfinished quote',
  skip: 'unfinished #;',
  label: 'unfinished label',
}
const WRITTEN: Record<string, string> = { quote: "'", quasiquote: '`', unquote: ',', 'unquote-splicing': ',@', skip: '#;', label: 'a label' }
const ESCAPES: Record<string, string> = { a: '\x07', b: '\b', t: '\t', n: '\n', r: '\r', '"': '"', '\\': '\\', '|': '|' }

/** Full case folding, as `string-foldcase` has it. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase()
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length)
  return starts
}

