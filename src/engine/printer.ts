// Values to text: `write`, `display` and their kin (R7RS 6.13.3). What `write` prints, the reader reads
// back. Works with a stack of its own, since data may be nested deeper than the JavaScript stack.

import { CHAR_NAMES } from './char-name.ts'
import { SchemeError } from './error.ts'
import { numberText, parseNumber } from './number-text.ts'
import { procedureName } from './procedure-name.ts'
import {
  Char,
  DynamicParameter,
  Flonum,
  Labelled,
  MultipleValues,
  MutableString,
  Pair,
  NIL,
  Rational,
  Record,
  RecordType,
  SchemePromise,
  SchemeSymbol,
  Singleton,
  type Procedure,
  type Value,
} from './value.ts'

export type Mode = 'write' | 'display' | 'write-simple' | 'write-shared'

/** The text of a value; `limit`: cut after so many characters, with "…". */
export function print(value: Value, { mode = 'write', limit = Infinity }: { mode?: Mode; limit?: number } = {}): string {
  if (!isContainer(value)) return cut(atomText(value, mode === 'display'), limit)
  const labels = mode === 'write-simple' ? new Map<Value, number>() : findLabels(value, mode === 'write-shared')
  return new Printer(mode === 'display', labels, limit).print(value)
}

/** As error messages show a value: `write`, cut at 60 characters. */
export function show(value: Value): string {
  return print(value, { limit: 60 })
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`
}

type Container = Pair | Value[]

function isContainer(value: Value): value is Container {
  if (value instanceof Labelled) value = value.value
  return value instanceof Pair || Array.isArray(value)
}

const bare = (value: Value): Value => (value instanceof Labelled ? value.value : value)

/** The containers that need a label, mapped to -1: those met again, or only those met inside themselves. */
function findLabels(root: Value, shared: boolean): Map<Value, number> {
  const again = new Set<Value>()
  const seen = new Set<Value>()
  const open = [bare(root)]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!(value instanceof Pair) && !Array.isArray(value)) continue
    if (seen.has(value)) {
      again.add(value)
      continue
    }
    seen.add(value)
    if (value instanceof Pair) open.push(bare(value.cdr), bare(value.car))
    else for (let i = value.length - 1; i >= 0; i--) open.push(bare(value[i]!))
  }
  const labels = new Map<Value, number>()
  if (again.size === 0) return labels
  for (const value of shared ? again : onCycles(bare(root), again)) labels.set(value, -1)
  return labels
}

/** Those of the candidates that contain themselves. */
function onCycles(root: Value, candidates: ReadonlySet<Value>): Set<Value> {
  const found = new Set<Value>()
  const state = new Map<Value, 'open' | 'done'>()
  const stack: { value: Value; next: number }[] = [{ value: root, next: 0 }]
  state.set(root, 'open')
  while (stack.length > 0) {
    const frame = stack.at(-1)!
    const child = childOf(frame.value, frame.next++)
    if (child === undefined) {
      state.set(frame.value, 'done')
      stack.pop()
    } else if (child instanceof Pair || Array.isArray(child)) {
      const known = state.get(child)
      if (known === 'open' && candidates.has(child)) found.add(child)
      if (known === undefined) {
        state.set(child, 'open')
        stack.push({ value: child, next: 0 })
      }
    }
  }
  return found
}

function childOf(value: Value, i: number): Value | undefined {
  if (value instanceof Pair) return i === 0 ? bare(value.car) : i === 1 ? bare(value.cdr) : undefined
  const item = (value as Value[])[i]
  return item === undefined ? undefined : bare(item)
}

/** Text still to come: a value, the rest of a list, or fixed text. */
type Todo = { kind: 'value'; value: Value } | { kind: 'rest'; value: Value } | { kind: 'text'; text: string }

const QUOTES = new Map([
  ['quote', "'"],
  ['quasiquote', '`'],
  ['unquote', ','],
  ['unquote-splicing', ',@'],
])

class Printer {
  private readonly display: boolean
  private readonly labels: Map<Value, number>
  private readonly limit: number
  private readonly parts: string[] = []
  private length = 0
  private nextLabel = 0

  constructor(display: boolean, labels: Map<Value, number>, limit: number) {
    this.display = display
    this.labels = labels
    this.limit = limit
  }

  print(root: Value): string {
    const todo: Todo[] = [{ kind: 'value', value: root }]
    for (let next = todo.pop(); next && this.length <= this.limit; next = todo.pop()) {
      if (next.kind === 'text') this.put(next.text)
      else if (next.kind === 'value') this.value(bare(next.value), todo)
      else this.rest(bare(next.value), todo)
    }
    return cut(this.parts.join(''), this.limit)
  }

  private put(text: string): void {
    this.parts.push(text)
    this.length += text.length
  }

  /** True where the value was printed before and its label stands for it. */
  private label(value: Value): boolean {
    const label = this.labels.get(value)
    if (label === undefined) return false
    if (label >= 0) {
      this.put(`#${label}#`)
      return true
    }
    this.labels.set(value, this.nextLabel)
    this.put(`#${this.nextLabel++}=`)
    return false
  }

  private value(value: Value, todo: Todo[]): void {
    if (value instanceof Pair) {
      if (this.label(value)) return
      const quoted = this.quoted(value)
      if (quoted) {
        this.put(quoted.mark)
        todo.push({ kind: 'value', value: quoted.value })
        return
      }
      this.put('(')
      todo.push({ kind: 'rest', value: value.cdr }, { kind: 'value', value: value.car })
    } else if (Array.isArray(value)) {
      if (this.label(value)) return
      this.put('#(')
      todo.push({ kind: 'text', text: ')' })
      for (let i = value.length - 1; i >= 0; i--) {
        todo.push({ kind: 'value', value: value[i]! })
        if (i > 0) todo.push({ kind: 'text', text: ' ' })
      }
    } else this.put(atomText(value, this.display))
  }

  private quoted(pair: Pair): { mark: string; value: Value } | null {
    if (!(pair.car instanceof SchemeSymbol) || !(pair.cdr instanceof Pair) || pair.cdr.cdr !== NIL) return null
    const mark = QUOTES.get(pair.car.name)
    return mark === undefined || this.labels.has(pair.cdr) ? null : { mark, value: pair.cdr.car }
  }

  private rest(value: Value, todo: Todo[]): void {
    if (value === NIL) this.put(')')
    else if (value instanceof Pair && !this.labels.has(value)) {
      this.put(' ')
      todo.push({ kind: 'rest', value: value.cdr }, { kind: 'value', value: value.car })
    } else {
      this.put(' . ')
      todo.push({ kind: 'text', text: ')' }, { kind: 'value', value })
    }
  }
}

function atomText(value: Value, display: boolean): string {
  if (value instanceof Labelled) return atomText(value.value, display)
  if (value === true) return '#t'
  if (value === false) return '#f'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Flonum || value instanceof Rational) return numberText(value)
  if (typeof value === 'string') return display ? value : writtenString(value)
  if (value instanceof MutableString) return display ? value.toString() : writtenString(value.toString())
  if (value instanceof SchemeSymbol) return display ? value.name : writtenSymbol(value.name)
  if (value instanceof Char) return display ? String.fromCodePoint(value.code) : writtenChar(value.code)
  if (value instanceof Singleton) return value.name
  if (value instanceof Uint8Array) return `#u8(${value.join(' ')})`
  return opaqueText(value)
}

function opaqueText(value: Value): string {
  if (typeof value === 'function') {
    const name = procedureName(value as Procedure)
    return name === '' ? '#<procedure>' : `#<procedure ${name}>`
  }
  if (value instanceof Record) {
    const fields = value.fields.map((field, i) => ` ${value.type.fields[i]}: ${isContainer(field) ? '…' : atomText(field, false)}`)
    return `#<${value.type.name}${fields.join('')}>`
  }
  if (value instanceof RecordType) return `#<record-type ${value.name}>`
  if (value instanceof SchemeError) return `#<error ${writtenString(value.message)}>`
  if (value instanceof SchemePromise) return '#<promise>'
  if (value instanceof DynamicParameter) return '#<dynamic-parameter>'
  if (value instanceof MultipleValues) return value.items.map((item) => print(item)).join(' ')
  const { typeName } = value as { typeName?: string }
  return `#<${typeName ?? 'object'}>`
}

const ESCAPED: { [char: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\x07': '\\a', '\b': '\\b' }

const escaped = (char: string): string => ESCAPED[char] ?? `\\x${char.codePointAt(0)!.toString(16)};`

// Control characters, and those that turn or hide text, are written by their code.
const HIDDEN = /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

function writtenString(text: string): string {
  return `"${text.replace(HIDDEN, escaped)}"`
}

function writtenSymbol(name: string): string {
  if (/^[^\s()"';`,|#\p{Cc}\p{Cf}\p{Z}]+$/u.test(name) && name !== '.' && parseNumber(name, 10) === null) return name
  return `|${name.replace(/[|\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (char) => (char === '|' ? '\\|' : escaped(char)))}|`
}

const NAMES = new Map([...CHAR_NAMES].map(([name, code]) => [code, name]))

function writtenChar(code: number): string {
  const name = NAMES.get(code)
  if (name !== undefined) return `#\\${name}`
  const char = String.fromCodePoint(code)
  return /[\p{Cc}\p{Cf}\p{Z}\p{M}\p{Cs}\p{Cn}]/u.test(char) ? `#\\x${code.toString(16)}` : `#\\${char}`
}
