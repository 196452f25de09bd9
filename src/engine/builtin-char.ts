// R7RS 6.6: characters, by Unicode code point.

import { wrongType, type Builtin } from './builtin.ts'
import { checkChar, row } from './check.ts'
import { SchemeError } from './error.ts'
import { Char, makeChar, type Value } from './value.ts'

const textOf = (code: number): string => String.fromCodePoint(code)

/** The character of a mapping that stays one character; else itself. */
function mapped(code: number, map: (text: string) => string): number {
  const text = map(textOf(code))
  const first = text.codePointAt(0)!
  return textOf(first) === text ? first : code
}

export const upcase = (code: number): number => mapped(code, (text) => text.toUpperCase())
export const downcase = (code: number): number => mapped(code, (text) => text.toLowerCase())
export const foldcase = (code: number): number => (code === 0x130 || code === 0x131 ? code : downcase(upcase(code)))

function comparing(name: string, ordered: (a: number, b: number) => boolean, map: (code: number) => number = (code) => code): Builtin {
  return row(name, 'char char ...', 'Compares characters by code point.', (...chars: Value[]) => {
    const codes = chars.map((char) => map(checkChar(name, char)))
    return codes.every((code, i) => i === 0 || ordered(codes[i - 1]!, code))
  })
}

function kind(name: string, doc: string, pattern: RegExp): Builtin {
  return row(name, 'char', doc, (char: Value) => pattern.test(textOf(checkChar(name, char))))
}

function mapping(name: string, doc: string, map: (code: number) => number): Builtin {
  return row(name, 'char', doc, (char: Value) => makeChar(map(checkChar(name, char))))
}

/** The value of a decimal digit of any script: its distance from the script's zero. */
function digitValue(code: number): number | null {
  if (!/\p{Nd}/u.test(textOf(code))) return null
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(textOf(zero - 1))) zero--
  // Blocks of digits begin at a multiple that ends the run before; runs are of ten.
  while (code - zero > 9) zero += 10
  return code - zero
}

export const charBuiltins: Builtin[] = [
  row('char?', 'obj', 'Tells whether obj is a character.', (value: Value) => value instanceof Char),
  comparing('char=?', (a, b) => a === b),
  comparing('char<?', (a, b) => a < b),
  comparing('char>?', (a, b) => a > b),
  comparing('char<=?', (a, b) => a <= b),
  comparing('char>=?', (a, b) => a >= b),
  comparing('char-ci=?', (a, b) => a === b, foldcase),
  comparing('char-ci<?', (a, b) => a < b, foldcase),
  comparing('char-ci>?', (a, b) => a > b, foldcase),
  comparing('char-ci<=?', (a, b) => a <= b, foldcase),
  comparing('char-ci>=?', (a, b) => a >= b, foldcase),
  kind('char-alphabetic?', 'Tells whether a character is a letter.', /\p{Alphabetic}/u),
  kind('char-numeric?', 'Tells whether a character is a decimal digit.', /\p{Nd}/u),
  kind('char-whitespace?', 'Tells whether a character is white space.', /\p{White_Space}/u),
  kind('char-upper-case?', 'Tells whether a character is upper case.', /\p{Uppercase}/u),
  kind('char-lower-case?', 'Tells whether a character is lower case.', /\p{Lowercase}/u),
  row('digit-value', 'char', 'The value of a decimal digit, or #f.', (char: Value) => digitValue(checkChar('digit-value', char)) ?? false),
  row('char->integer', 'char', 'The code point of a character.', (char: Value) => checkChar('char->integer', char)),
  row('integer->char', 'n', 'The character with a code point.', (n: Value) => {
    if (typeof n !== 'number') throw wrongType('integer->char', 'an exact integer', n)
    if (n < 0 || n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) throw new SchemeError(`integer->char: no character has the code point ${n}`)
    return makeChar(n)
  }),
  mapping('char-upcase', 'The character in upper case.', upcase),
  mapping('char-downcase', 'The character in lower case.', downcase),
  mapping('char-foldcase', 'The character with case differences folded.', foldcase),
]
