// A text to the tokens that it holds in any of its views: as it stands, and as a simple program would
// decode it. Two texts to what one holds more of than the other.

import { findTokens, mayHoldReversed, type Token } from './token.ts'

const DEEPEST = 2
/** A text may ask for more work than it is worth: beyond this it cannot be judged. */
const MOST_DECODED = 8_000_000

let latest: { text: string; tokens: Promise<Token[]> } | null = null

/** Tokens, each as often as the view that shows it most often does. Throws where there is too much to decode. */
export function scan(text: string): Promise<Token[]> {
  // The payload of a new file is the file: scanned for the call, it is known for the change.
  if (latest?.text !== text) latest = { text, tokens: scanViews(text) }
  return latest.tokens
}

async function scanViews(text: string): Promise<Token[]> {
  const all = new Map<string, Token[]>()
  for (const view of viewsOf(text)) {
    const counted = new Map<string, Token[]>()
    for (const token of await findTokens(view)) counted.set(token.value, [...(counted.get(token.value) ?? []), token])
    for (const [value, tokens] of counted) if (tokens.length > (all.get(value)?.length ?? 0)) all.set(value, tokens)
  }
  return [...all.values()].flat()
}

/** The tokens that `after` holds more of than `before`. */
export async function risen(before: string, after: string): Promise<Token[]> {
  const [old, current] = changedPart(before, after)
  const tokens = await scan(current)
  if (tokens.length === 0) return []
  const known = new Map<string, number>()
  for (const { value } of await scan(old)) known.set(value, (known.get(value) ?? 0) + 1)
  return tokens.filter(({ value }) => {
    const left = known.get(value) ?? 0
    known.set(value, left - 1)
    return left <= 0
  })
}

/** Longer than any token: what lies further from a change than this is the same before and after it. */
const FAR = 20_000

function changedPart(before: string, after: string): [string, string] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++
  let tail = 0
  while (tail < shorter - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++
  const from = lineStart(after, Math.max(0, head - FAR))
  const to = Math.max(0, tail - FAR)
  return [before.slice(from, before.length - to), after.slice(from, after.length - to)]
}

/** A part begins where a line does, so that no token is cut into one that looks like another. */
function lineStart(text: string, at: number): number {
  if (at === 0) return 0
  const newline = text.lastIndexOf('\n', at)
  return at - newline > FAR ? at : newline + 1
}

/** As it stands, and decoded. Throws where there is too much to decode. */
export function viewsOf(text: string): Set<string> {
  const views = new Set<string>()
  let decoded = 0
  const add = (view: string, depth: number): void => {
    if (view === '' || views.has(view)) return
    if (depth > 0) decoded += view.length
    if (decoded > MOST_DECODED) throw new Error('there is too much to decode in it')
    views.add(view)
    if (depth < DEEPEST) for (const decode of DECODERS) add(decode(view), depth + 1)
  }
  add(text, 0)
  return views
}

/** Each gives what a text decodes to, "" where it holds nothing of the kind. */
const DECODERS: ((text: string) => string)[] = [withoutHidden, withoutEscapes, withoutPercents, withJoinedLiterals, decodeBase64, decodeHex, decodeNumbers, reverse]

function withoutHidden(text: string): string {
  return /[\p{Default_Ignorable_Code_Point}]/u.test(text) ? text.replace(/\p{Default_Ignorable_Code_Point}/gu, '') : ''
}

function withoutEscapes(text: string): string {
  if (!/\\u|\\x|&#|\\[0-7]{3}/.test(text)) return ''
  return text.replace(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]{2,6});|&#(\d{2,7});|\\([0-7]{3})/gi, (whole, ...codes: (string | undefined)[]) => {
    const [u, x, entity, decimal, octal] = codes
    const code = decimal !== undefined ? Number(decimal) : octal !== undefined ? parseInt(octal, 8) : parseInt((u ?? x ?? entity)!, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

function withoutPercents(text: string): string {
  return /%[2-7][0-9a-f]/i.test(text) ? text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))) : ''
}

/** `'ab' + 'cd'`, `"ab" "cd"`, `['ab', 'cd']`: as one literal, over ends of lines too. */
function withJoinedLiterals(text: string): string {
  const joined = text.replace(/\$\{\s{0,4}(?:''|""|``)?\s{0,4}\}|\\\r?\n[ \t]*/g, '').replace(/(["'`])\s{0,40}(?:[+.,&]|\|\||\\)?\s{0,40}(["'`])(?=[^\s])/g, '')
  return joined === text ? '' : joined
}

function decodeBase64(text: string): string {
  const parts: string[] = []
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{20,}={0,2}/g)) {
    const plain = Buffer.from(run, 'base64').toString('latin1')
    // A run of ordinary words decodes to noise, and a token to itself: readable text alone is of interest.
    const readable = plain.match(/[\t\n\r\x20-\x7e]{12,}/g)
    if (readable) parts.push(...readable)
  }
  return parts.join('\n')
}

function decodeHex(text: string): string {
  const parts: string[] = []
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}[\s:,]?){16,}/gi)) {
    const readable = Buffer.from(run.replace(/[\s:,]/g, ''), 'hex').toString('latin1').match(/[\t\n\r\x20-\x7e]{12,}/g)
    if (readable) parts.push(...readable)
  }
  return parts.join('\n')
}

/** The codes of characters, in a list. */
function decodeNumbers(text: string): string {
  const parts: string[] = []
  for (const [run] of text.matchAll(/(?:\b(?:0x[0-9a-f]{2}|\d{2,3})\b[\s,;]{1,4}){11,}(?:0x[0-9a-f]{2}|\d{2,3})\b/gi)) {
    const plain = run.split(/[\s,;]+/).map((code) => String.fromCharCode(Number(code))).join('')
    parts.push(...(plain.match(/[\t\n\r\x20-\x7e]{12,}/g) ?? []))
  }
  return parts.join('\n')
}

function reverse(text: string): string {
  return mayHoldReversed(text) ? text.split('').reverse().join('') : ''
}
