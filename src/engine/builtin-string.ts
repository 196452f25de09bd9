// R7RS 6.7 and the parts of SRFI 13 and 130 that call no procedure: strings, indexed by code point.
// A string without characters beyond U+FFFF is indexed as JavaScript does it.

import { wrongType, type Builtin } from './builtin.ts'
import { checkChar, checkLength, checkIndex, checkList, checkRange, checkString, row } from './check.ts'
import { SchemeError } from './error.ts'
import { print } from './printer.ts'
import { foldCase } from './reader.ts'
import { Char, DEFAULT, MutableString, SchemeSymbol, UNSPECIFIED, intern, isPlain, list, makeChar, type Value } from './value.ts'

const fresh = (text: string, plain: boolean | null = null): MutableString => new MutableString(text, plain)

/** The length in code points. */
export function lengthOf(value: string | MutableString): number {
  return value instanceof MutableString ? value.length : codePointLength(value)
}

function codePointLength(text: string): number {
  return isPlain(text) ? text.length : unitIndices(text).length - 1
}

let lastText = ''
let lastIndices = new Uint32Array(1)

/** The JavaScript index of each code point of a text that is not plain, and its length. Those of the last
 * text are kept, since programs go through a text character by character. */
function unitIndices(text: string): Uint32Array {
  if (text === lastText) return lastIndices
  const indices = new Uint32Array(text.length + 1)
  let count = 0
  for (let at = 0; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) indices[count++] = at
  indices[count] = text.length
  lastText = text
  return (lastIndices = indices.subarray(0, count + 1))
}

/** The JavaScript index of the ith code point. */
function unitIndex(text: string, index: number): number {
  return isPlain(text) ? index : unitIndices(text)[index]!
}

export function sliceOf(text: string, start: number, end: number): string {
  return text.slice(unitIndex(text, start), unitIndex(text, end))
}

function text(who: string, value: Value): string | MutableString {
  if (typeof value === 'string' || value instanceof MutableString) return value
  throw wrongType(who, 'a string', value)
}

/** The part of a string between optional indices. */
function part(who: string, value: Value, start: Value, end: Value): string {
  const string = checkString(who, value)
  if (start === DEFAULT && end === DEFAULT) return string
  const [from, to] = checkRange(who, start, end, 'a string', lengthOf(value as string | MutableString))
  return sliceOf(string, from, to)
}

/** A part of a plain string is plain, and quick to find. */
function copied(who: string, value: Value, start: Value, end: Value): MutableString {
  if (!(value instanceof MutableString) || !value.isPlain) return fresh(part(who, value, start, end))
  const [from, to] = checkRange(who, start, end, 'a string', value.length)
  return fresh(value.toString().slice(from, to), true)
}

function mutable(who: string, value: Value): MutableString {
  if (value instanceof MutableString) return value
  checkString(who, value)
  throw wrongType(who, 'a mutable string', value)
}

/** By code point, as R7RS compares. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  if (isPlain(a) && isPlain(b)) return a < b ? -1 : 1
  const x = Array.from(a, (char) => char.codePointAt(0)!)
  const y = Array.from(b, (char) => char.codePointAt(0)!)
  for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!
  return x.length - y.length
}

function comparing(name: string, holds: (order: number) => boolean, map: (text: string) => string = (text) => text): Builtin {
  return row(name, 'string string ...', 'Compares strings by code point.', (...strings: Value[]) => {
    const texts = strings.map((string) => map(checkString(name, string)))
    return texts.every((one, i) => i === 0 || holds(compare(texts[i - 1]!, one)))
  })
}

function mapping(name: string, doc: string, map: (text: string) => string): Builtin {
  return row(name, 'string', doc, (string: Value) => fresh(map(checkString(name, string))))
}

function trimming(name: string, doc: string, pattern: RegExp): Builtin {
  return row(name, 'string', doc, (string: Value) => fresh(checkString(name, string).replace(pattern, '')))
}

/** A string or a character as text. */
function piece(who: string, value: Value): string {
  if (value instanceof Char) return String.fromCodePoint(value.code)
  if (typeof value === 'string' || value instanceof MutableString) return value.toString()
  throw wrongType(who, 'a string or a character', value)
}

function toCodePoints(units: string, index: number): number {
  return isPlain(units) ? index : codePointLength(units.slice(0, index))
}

export const stringBuiltins: Builtin[] = [
  row('string?', 'obj', 'Tells whether obj is a string.', (value: Value) => typeof value === 'string' || value instanceof MutableString),
  row('make-string', 'k [char]', 'A new string of k characters.', (k: Value, char: Value) =>
    fresh(String.fromCodePoint(char === DEFAULT ? 32 : checkChar('make-string', char)).repeat(checkLength('make-string', k)))),
  row('string', 'obj ...', 'A new string of the characters, or of what display shows of other objects.', (...items: Value[]) =>
    fresh(items.map((item) => (item instanceof Char ? String.fromCodePoint(item.code) : print(item, { mode: 'display' }))).join('')), true),
  row('string-length', 'string', 'How many characters a string has.', (string: Value) => lengthOf(text('string-length', string))),
  row('string-ref', 'string k', 'The character of a string at an index.', (string: Value, k: Value) => {
    const value = text('string-ref', string)
    if (value instanceof MutableString) return makeChar(value.codeAt(checkIndex('string-ref', k, 'a string', value.length)))
    if (typeof k === 'number' && k >= 0 && k < value.length && isPlain(value)) return makeChar(value.charCodeAt(k))
    return makeChar(value.codePointAt(unitIndex(value, checkIndex('string-ref', k, 'a string', codePointLength(value))))!)
  }),
  row('string-set!', 'string k char', 'Puts a character at an index of a string.', (string: Value, k: Value, char: Value) => {
    const value = mutable('string-set!', string)
    const at = checkIndex('string-set!', k, 'a string', value.length)
    value.mutate()[at] = checkChar('string-set!', char)
    return UNSPECIFIED
  }),
  comparing('string=?', (order) => order === 0),
  comparing('string<?', (order) => order < 0),
  comparing('string>?', (order) => order > 0),
  comparing('string<=?', (order) => order <= 0),
  comparing('string>=?', (order) => order >= 0),
  comparing('string-ci=?', (order) => order === 0, foldCase),
  comparing('string-ci<?', (order) => order < 0, foldCase),
  comparing('string-ci>?', (order) => order > 0, foldCase),
  comparing('string-ci<=?', (order) => order <= 0, foldCase),
  comparing('string-ci>=?', (order) => order >= 0, foldCase),
  mapping('string-upcase', 'The string in upper case.', (s) => s.toUpperCase()),
  mapping('string-downcase', 'The string in lower case.', (s) => s.toLowerCase()),
  mapping('string-foldcase', 'The string with case differences folded.', foldCase),
  row('substring', 'string start [end]', 'The characters from start up to end.', (s: Value, start: Value, end: Value) => copied('substring', s, start, end)),
  row('string-copy', 'string [start end]', 'A new string of the characters from start up to end.', (s: Value, start: Value, end: Value) => copied('string-copy', s, start, end)),
  row('string-append', 'string ...', 'The strings one after the other.', (...strings: Value[]) => {
    let result = ''
    let plain = true
    for (const string of strings) {
      const part = checkString('string-append', string)
      plain &&= string instanceof MutableString ? string.isPlain : isPlain(part)
      result += part
    }
    return fresh(result, plain || null)
  }),
  row('string->list', 'string [start end]', 'The characters of a string as a list.', (s: Value, start: Value, end: Value) =>
    list(Array.from(part('string->list', s, start, end), (char) => makeChar(char.codePointAt(0)!)))),
  row('list->string', 'list', 'The string of a list of characters.', (chars: Value) =>
    fresh(checkList('list->string', chars).map((char) => String.fromCodePoint(checkChar('list->string', char))).join('')), true),
  row('string->vector', 'string [start end]', 'The characters of a string as a vector.', (s: Value, start: Value, end: Value) =>
    Array.from(part('string->vector', s, start, end), (char) => makeChar(char.codePointAt(0)!))),
  row('vector->string', 'vector [start end]', 'The string of a vector of characters.', (v: Value, start: Value, end: Value) => {
    if (!Array.isArray(v)) throw wrongType('vector->string', 'a vector', v)
    const [from, to] = checkRange('vector->string', start, end, 'a vector', v.length)
    return fresh(v.slice(from, to).map((char) => String.fromCodePoint(checkChar('vector->string', char))).join(''))
  }, true),
  row('string-fill!', 'string char [start end]', 'Puts a character everywhere from start up to end.', (s: Value, char: Value, start: Value, end: Value) => {
    const value = mutable('string-fill!', s)
    const [from, to] = checkRange('string-fill!', start, end, 'a string', value.length)
    value.mutate().fill(checkChar('string-fill!', char), from, to)
    return UNSPECIFIED
  }),
  row('string-copy!', 'to at from [start end]', 'Copies characters of one string into another.', (to: Value, at: Value, from: Value, start: Value, end: Value) => {
    const target = mutable('string-copy!', to)
    const source = Array.from(part('string-copy!', from, start, end), (char) => char.codePointAt(0)!)
    const [place] = checkRange('string-copy!', at, DEFAULT, 'a string', target.length)
    if (place + source.length > target.length) throw new SchemeError(`string-copy!: ${source.length} characters do not fit at index ${place} of a string of length ${target.length}`)
    const codes = target.mutate()
    source.forEach((code, i) => (codes[place + i] = code))
    return UNSPECIFIED
  }),
  row('string-null?', 'string', 'Tells whether a string is empty.', (s: Value) => checkString('string-null?', s) === ''),
  row('string-contains', 'string part', 'The index where part first stands in string, or #f.', (s: Value, search: Value) => {
    const whole = checkString('string-contains', s)
    const index = whole.indexOf(checkString('string-contains', search))
    return index < 0 ? false : toCodePoints(whole, index)
  }),
  row('string-search-forward', 'part string start', 'The index from start on where part stands in string, or #f.', (search: Value, s: Value, start: Value) => {
    const whole = checkString('string-search-forward', s)
    const [from] = checkRange('string-search-forward', start, DEFAULT, 'a string', lengthOf(s as string))
    const index = whole.indexOf(checkString('string-search-forward', search), unitIndex(whole, from))
    return index < 0 ? false : toCodePoints(whole, index)
  }),
  row('%string-index', 'string char', 'The index of the first such character, or #f.', (s: Value, char: Value) => {
    const whole = checkString('string-index', s)
    const index = whole.indexOf(String.fromCodePoint(checkChar('string-index', char)))
    return index < 0 ? false : toCodePoints(whole, index)
  }),
  row('string-prefix?', 'prefix string', 'Tells whether string begins with prefix.', (prefix: Value, s: Value) => checkString('string-prefix?', s).startsWith(checkString('string-prefix?', prefix))),
  row('string-suffix?', 'suffix string', 'Tells whether string ends with suffix.', (suffix: Value, s: Value) => checkString('string-suffix?', s).endsWith(checkString('string-suffix?', suffix))),
  row('string-split', 'string [delimiter]', 'The parts of a string between delimiters (a string or character); without one, between white space.', (s: Value, delimiter: Value) => {
    const whole = checkString('string-split', s)
    const parts = delimiter === DEFAULT ? whole.split(/\s+/u).filter((one) => one !== '') : whole.split(piece('string-split', delimiter))
    return list(parts.map((one) => fresh(one)))
  }),
  row('string-join', 'strings [delimiter]', 'The strings of a list with a delimiter (a space) between them.', (strings: Value, delimiter: Value) =>
    fresh(checkList('string-join', strings).map((one) => checkString('string-join', one)).join(delimiter === DEFAULT ? ' ' : piece('string-join', delimiter))), true),
  row('string-replace-all', 'string part replacement', 'The string with every part replaced.', (s: Value, search: Value, replacement: Value) => {
    const wanted = checkString('string-replace-all', search)
    if (wanted === '') throw new SchemeError('string-replace-all: part is empty')
    return fresh(checkString('string-replace-all', s).split(wanted).join(checkString('string-replace-all', replacement)))
  }),
  trimming('string-trim', 'The string without white space at its ends.', /^\p{White_Space}+|\p{White_Space}+$/gu),
  trimming('string-trim-left', 'The string without white space at its start.', /^\p{White_Space}+/u),
  trimming('string-trim-right', 'The string without white space at its end.', /\p{White_Space}+$/u),
  trimming('string-trim-both', 'The string without white space at its ends.', /^\p{White_Space}+|\p{White_Space}+$/gu),
  row('string-reverse', 'string', 'The characters of a string backwards.', (s: Value) => fresh(Array.from(checkString('string-reverse', s)).reverse().join(''))),
  row('string-pad-left', 'string length [char]', 'The string cut or filled at its left to a length.', (s: Value, n: Value, char: Value) => {
    const { chars, fill, length } = padding('string-pad-left', s, n, char)
    return fresh(chars.length >= length ? chars.slice(chars.length - length).join('') : fill.repeat(length - chars.length) + chars.join(''))
  }),
  row('string-pad-right', 'string length [char]', 'The string cut or filled at its right to a length.', (s: Value, n: Value, char: Value) => {
    const { chars, fill, length } = padding('string-pad-right', s, n, char)
    return fresh(chars.length >= length ? chars.slice(0, length).join('') : chars.join('') + fill.repeat(length - chars.length))
  }),
  row('string->symbol', 'string', 'The symbol of that name.', (s: Value) => intern(checkString('string->symbol', s))),
  row('symbol->string', 'symbol', 'The name of a symbol.', (symbol: Value) => {
    if (symbol instanceof SchemeSymbol) return symbol.name
    throw wrongType('symbol->string', 'a symbol', symbol)
  }),
]

function padding(who: string, s: Value, n: Value, char: Value): { chars: string[]; fill: string; length: number } {
  const fill = char === DEFAULT ? ' ' : String.fromCodePoint(checkChar(who, char))
  return { chars: Array.from(checkString(who, s)), fill, length: checkLength(who, n) }
}
