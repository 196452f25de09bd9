// JSON text (RFC 8259) to values and back. Beside what JSON.parse does, it refuses a key given twice and
// lone surrogates, keeps integers of any size and the order of keys, and takes any depth.

import { Flonum } from '../engine/value.ts'
import { ToolError } from './tool-error.ts'

/** A JSON value. An exact integer is a number or, beyond the safe integers, a bigint; any other number
 * is a Flonum (1.0 and 1e3 too: what the text wrote as no integer is inexact). An object keeps its
 * keys' order. */
export type Json = null | boolean | number | bigint | Flonum | string | Json[] | JsonObject
export type JsonObject = Map<string, Json>

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
/** Up to a quote, a backslash or a control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y
const SURROGATE = /[\ud800-\udfff]/
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const ESCAPES: { [letter: string]: string } = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const WORDS: [string, Json][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Whether a text has a surrogate without its partner: it cannot be written as UTF-8. */
export function hasLoneSurrogate(text: string): boolean {
  return SURROGATE.test(text) && LONE.test(text)
}

/** The value of a text. Throws ToolError `contract` that says what is wrong where; `what` begins it. */
export function parseJson(text: string, what = 'the arguments are'): Json {
  return new Parser(text, what).parse()
}

/** What is open while its members are read. */
type Open = { kind: 'array'; items: Json[] } | { kind: 'object'; entries: JsonObject; key: string }

class Parser {
  private readonly text: string
  private readonly what: string
  private at = 0

  constructor(text: string, what: string) {
    this.text = text
    this.what = what
  }

  parse(): Json {
    const stack: Open[] = []
    for (;;) {
      let value = this.begin(stack)
      if (value === undefined) continue
      // A finished value may finish what is around it.
      for (;;) {
        const open = stack.at(-1)
        if (!open) {
          this.skipSpace()
          if (this.at < this.text.length) throw this.error('expected the end of the text')
          return value
        }
        if (open.kind === 'array') open.items.push(value)
        else open.entries.set(open.key, value)
        if (!this.isFinished(open, stack)) break
        stack.pop()
        value = open.kind === 'array' ? open.items : open.entries
      }
    }
  }

  /** The next value where it is an atom or empty; else undefined, with what it opened on the stack. */
  private begin(stack: Open[]): Json | undefined {
    this.skipSpace()
    const char = this.text[this.at]
    if (char === '"') return this.string()
    if (char === '[') {
      this.at++
      if (this.skipTo(']')) return []
      stack.push({ kind: 'array', items: [] })
      return undefined
    }
    if (char === '{') {
      this.at++
      if (this.skipTo('}')) return new Map()
      const open: Open = { kind: 'object', entries: new Map(), key: '' }
      stack.push(open)
      this.key(open, stack)
      return undefined
    }
    return this.atom()
  }

  /** After a member: true where the container ends, false where another member begins. */
  private isFinished(open: Open, stack: Open[]): boolean {
    if (this.skipTo(open.kind === 'array' ? ']' : '}')) return true
    if (!this.skipTo(',')) throw this.error(open.kind === 'array' ? 'expected , or ]' : 'expected , or }')
    if (open.kind === 'object') this.key(open, stack)
    return false
  }

  private key(open: Open & { kind: 'object' }, stack: Open[]): void {
    this.skipSpace()
    if (this.text[this.at] !== '"') throw this.error('expected a key in double quotes')
    const start = this.at
    open.key = this.string()
    if (open.entries.has(open.key)) throw this.error(`${JSON.stringify(open.key)} is given twice${placeOf(stack)}`, start)
    if (!this.skipTo(':')) throw this.error('expected : after the key')
  }

  private string(): string {
    const start = this.at
    let value = ''
    this.at++
    for (;;) {
      PLAIN.lastIndex = this.at
      const [plain] = PLAIN.exec(this.text)!
      value += plain
      this.at += plain.length
      const char = this.text[this.at]
      if (char === '"') break
      if (char === undefined) throw this.error('the string that begins here does not end', start)
      if (char !== '\\') throw this.error(`a control character in a string must be written \\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      value += this.escape()
    }
    this.at++
    if (hasLoneSurrogate(value)) throw this.error('a string holds half a character (a lone surrogate)', start)
    return value
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? ''
    const plain = ESCAPES[letter]
    if (plain !== undefined) {
      this.at += 2
      return plain
    }
    const hex = this.text.slice(this.at + 2, this.at + 6)
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) throw this.error(`unknown escape \\${letter}`)
    this.at += 6
    return String.fromCharCode(parseInt(hex, 16))
  }

  private atom(): Json {
    NUMBER.lastIndex = this.at
    const number = NUMBER.exec(this.text)
    if (number) {
      this.at = NUMBER.lastIndex
      const [text, fraction, exponent] = number
      if (/[\w.]/.test(this.text[this.at] ?? '')) throw this.error('expected a number', number.index)
      if (fraction === undefined && exponent === undefined) return integer(text)
      const value = Number(text)
      if (!Number.isFinite(value)) throw this.error('the number is too large', number.index)
      return new Flonum(value)
    }
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at) || /\w/.test(this.text[this.at + word.length] ?? '')) continue
      this.at += word.length
      return value
    }
    throw this.error('expected a value')
  }

  private skipSpace(): void {
    const code = this.text.charCodeAt(this.at)
    if (code > 32) return
    SPACE.lastIndex = this.at
    SPACE.exec(this.text)
    this.at = SPACE.lastIndex
  }

  private skipTo(char: string): boolean {
    this.skipSpace()
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private error(message: string, at = this.at): ToolError {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    const rest = this.text.slice(at, at + 20)
    const got = rest === '' ? 'the end' : JSON.stringify(rest + (at + 20 < this.text.length ? '…' : ''))
    return new ToolError('contract', `${this.what} not valid JSON: line ${line}, column ${column}: ${message}, got ${got}`)
  }
}

/** Where the innermost object stands: " in edits[1] (edit 2)"; "" for the outermost. */
function placeOf(stack: Open[]): string {
  const path = stack.slice(0, -1).map((open) => (open.kind === 'array' ? `[${open.items.length}]` : `.${open.key}`)).join('')
  if (path === '') return ''
  const element = /^\.(\w+)s\[(\d+)\]$/.exec(path)
  return ` in ${path.replace(/^\./, '')}${element ? ` (${element[1]} ${Number(element[2]) + 1})` : ''}`
}

function integer(text: string): Json {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value + 0 : BigInt(text)
}

/** The JSON text of a value, without spaces. */
export function writeJson(json: Json): string {
  const parts: string[] = []
  const todo: ({ text: string } | { value: Json })[] = [{ value: json }]
  for (let next = todo.pop(); next; next = todo.pop()) {
    if ('text' in next) parts.push(next.text)
    else if (Array.isArray(next.value)) {
      parts.push('[')
      todo.push({ text: ']' })
      for (let i = next.value.length - 1; i >= 0; i--) {
        todo.push({ value: next.value[i]! })
        if (i > 0) todo.push({ text: ',' })
      }
    } else if (next.value instanceof Map) {
      parts.push('{')
      todo.push({ text: '}' })
      const entries = [...next.value]
      for (let i = entries.length - 1; i >= 0; i--) {
        const [key, value] = entries[i]!
        todo.push({ value }, { text: `${i > 0 ? ',' : ''}${JSON.stringify(key)}:` })
      }
    } else parts.push(atomText(next.value))
  }
  return parts.join('')
}

function atomText(value: null | boolean | number | bigint | Flonum | string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (!(value instanceof Flonum)) return String(value)
  const text = Object.is(value.value, -0) ? '-0' : String(value.value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** A value of JavaScript's own kinds (from JSON.parse, or written by hand) as Json. */
export function fromPlain(value: unknown): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : new Flonum(value)
  if (Array.isArray(value)) return value.map(fromPlain)
  return new Map(Object.entries(value as object).map(([key, item]) => [key, fromPlain(item)]))
}

/** A value as JavaScript's own kinds, for JSON.stringify and for programs. */
export function toPlain(value: Json): unknown {
  if (value instanceof Flonum) return value.value
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]))
  return typeof value === 'bigint' ? Number(value) : value
}

/** A value in the words of an error: JSON, cut at 60 characters. */
export function showJson(value: Json): string {
  const text = writeJson(value)
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}
