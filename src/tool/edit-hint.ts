// A failed edit to the words that let its caller mend it: where the nearest place is, and what differs
// there, made visible. Deterministic, bounded in time and length whatever the file.

import { findAll, type Edit, type EditFailure } from './apply-edit.ts'

/** What the words may draw on beside the failure. */
export interface Scene {
  path: string
  /** The text that the edit was tried on. */
  text: string
  edit: Edit
  /** In a list: the text before any of its edits, and the edits before this one. */
  original: string
  earlier: readonly Edit[]
}

const MOST_CHARACTERS = 1500
const MOST_LINES = 8
const LINE_WIDTH = 160
const MOST_PLACES = 10

/** One message, under 2,000 characters. */
export function describeFailure(failure: EditFailure, scene: Scene): string {
  switch (failure.kind) {
    case 'empty-old':
      return 'old is empty; to create or replace a whole file use fs-write, to insert give the text next to the place in old and in new'
    case 'identical':
      return `old and new are identical, so nothing would change${failure.at === null ? '' : ` (old is at line ${lineAt(scene.text, failure.at)} of ${scene.path})`}; give the changed text in new`
    case 'not-unique':
      return notUnique(failure.at, scene)
    case 'not-found':
      return cut(`old not found in ${scene.path}: ${whyNotFound(scene)}`)
  }
}

function notUnique(at: number[], { path, text }: Scene): string {
  const lines = [...new Set(linesAt(text, at.slice(0, MOST_PLACES + 1)))]
  const shown = lines.slice(0, MOST_PLACES).join(', ')
  const more = at.length > MOST_PLACES ? ', …' : ''
  const where = lines.length === 1 && at.length <= MOST_PLACES ? `all on line ${shown}` : `lines ${shown}${more}`
  return `old occurs ${at.length} times in ${path} (${where}), so it is not unique; give more of the text around the place, or set replace_all to true`
}

type Explain = (scene: Scene) => string | null

/** The first explanation that holds. Each is sure of what it says; the last one only points. */
const EXPLANATIONS: Explain[] = [
  ({ text }) => (text === '' || text === '\ufeff' ? 'the file is empty; to give it content use fs-write' : null),
  changedByEarlier,
  lacksFinalNewline,
  onlyWhitespace,
  onlyCase,
  lookAlikes,
  copiedLineNumbers,
  spelledOut,
  alreadyApplied,
  nearestLines,
]

function whyNotFound(scene: Scene): string {
  for (const explain of EXPLANATIONS) {
    const why = explain(scene)
    if (why !== null) return why
  }
  return 'no line of the file is like it; read the file again'
}

function changedByEarlier({ text, edit, original, earlier }: Scene): string | null {
  if (earlier.length === 0) return null
  const [was] = findAll(original, edit.old, true, 1)
  if (!was || original === text) return null
  const line = lineAt(original, was.start)
  return `it was there at line ${line} before this call, but an earlier edit of this call changed that text; give old as the earlier edit leaves it, or make one edit of both`
}

function lacksFinalNewline({ text, edit }: Scene): string | null {
  const shorter = edit.old.replace(/\r?\n$/, '')
  if (shorter === edit.old || shorter === '' || !text.replace(/\r\n/g, '\n').endsWith(shorter.replace(/\r\n/g, '\n'))) return null
  return `the file ends without a newline, and old ends with one; drop the final newline from old (line ${lineAt(text, text.length)})`
}

/** Where `old` stands in the text when both are seen through `view`; null where it does not. */
function placeIn(scene: Scene, view: (line: string) => string): { first: number; last: number } | null {
  const wanted = linesOf(scene.edit.old).map(view).join('')
  if (wanted === '') return null
  const lines = linesOf(scene.text)
  const starts: number[] = []
  let length = 0
  const seen = lines.map((line) => {
    const part = view(line)
    starts.push(length)
    length += part.length
    return part
  })
  const at = seen.join('').indexOf(wanted)
  if (at < 0) return null
  return { first: lineHolding(starts, at), last: lineHolding(starts, at + wanted.length - 1) }
}

/** The last line that starts at or before an offset; of empty ones before it the last. */
function lineHolding(starts: number[], at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

const squeeze = (line: string): string => line.replace(/[ \t\r\f\v]+/g, '')

function onlyWhitespace(scene: Scene): string | null {
  const place = placeIn(scene, squeeze)
  if (!place) return null
  const lines = linesOf(scene.text).slice(place.first, place.last + 1)
  const wanted = linesOf(scene.edit.old)
  const what = whitespaceDifference(lines, wanted)
  return `only whitespace differs at ${range(place)}: ${what}\n${quote(scene.text, place, reveal)}`
}

function whitespaceDifference(lines: string[], wanted: string[]): string {
  const blank = (all: string[]) => all.filter((line) => line.trim() === '').length
  if (blank(lines) !== blank(wanted) && lines.length !== wanted.length) return `the file has ${count(blank(lines), 'blank line')} there, old has ${blank(wanted)}`
  for (let i = 0; i < Math.min(lines.length, wanted.length); i++) {
    const [line, other] = [lines[i]!.replace(/\r$/, ''), wanted[i]!.replace(/\r$/, '')]
    if (line === other) continue
    if (line.trimEnd() === other.trimEnd()) return `the file has ${spaces(line.slice(line.trimEnd().length))} at the end of the line, old has ${spaces(other.slice(other.trimEnd().length))}`
    const [indent, otherIndent] = [/^[ \t]*/.exec(line)![0], /^[ \t]*/.exec(other)![0]]
    if (indent !== otherIndent && i > 0) return `the file has ${spaces(indent)} before the text, old has ${spaces(otherIndent)}`
    if (indent !== otherIndent && !line.endsWith(other)) return `the file has ${spaces(indent)} before the text, old has ${spaces(otherIndent)}`
    const runs = line.trim().split(/[^ \t]+/)
    const otherRuns = other.trim().split(/[^ \t]+/)
    const at = runs.findIndex((run, j) => run !== otherRuns[j])
    if (at >= 0) return `the file has ${spaces(runs[at]!)} between the words, old has ${spaces(otherRuns[at] ?? '')}`
  }
  return 'copy the text as it stands'
}

function spaces(run: string): string {
  if (run === '') return 'nothing'
  const parts = run.match(/ +|\t+|\r+/g) ?? []
  return parts.map((part) => count(part.length, part[0] === ' ' ? 'space' : part[0] === '\t' ? 'tab' : 'carriage return')).join(' and ')
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`
}

function onlyCase(scene: Scene): string | null {
  const place = placeIn(scene, (line) => squeeze(line).toLowerCase())
  return place && `it differs only in upper and lower case at ${range(place)}\n${quote(scene.text, place)}`
}

/** Characters that look like one of ASCII, and what they are called. */
const LOOK_ALIKES: { [char: string]: [like: string, name: string] } = {
  '\u00a0': [' ', 'NO-BREAK SPACE'],
  '\u2002': [' ', 'EN SPACE'],
  '\u2003': [' ', 'EM SPACE'],
  '\u2007': [' ', 'FIGURE SPACE'],
  '\u2009': [' ', 'THIN SPACE'],
  '\u202f': [' ', 'NARROW NO-BREAK SPACE'],
  '\u3000': [' ', 'IDEOGRAPHIC SPACE'],
  '\u2010': ['-', 'HYPHEN'],
  '\u2011': ['-', 'NON-BREAKING HYPHEN'],
  '\u2012': ['-', 'FIGURE DASH'],
  '\u2013': ['-', 'EN DASH'],
  '\u2014': ['-', 'EM DASH'],
  '\u2212': ['-', 'MINUS SIGN'],
  '\u2018': ["'", 'LEFT SINGLE QUOTATION MARK'],
  '\u2019': ["'", 'RIGHT SINGLE QUOTATION MARK'],
  '\u201a': ["'", 'SINGLE LOW-9 QUOTATION MARK'],
  '\u201b': ["'", 'SINGLE HIGH-REVERSED-9 QUOTATION MARK'],
  '\u2032': ["'", 'PRIME'],
  '\u00b4': ["'", 'ACUTE ACCENT'],
  '\u201c': ['"', 'LEFT DOUBLE QUOTATION MARK'],
  '\u201d': ['"', 'RIGHT DOUBLE QUOTATION MARK'],
  '\u201e': ['"', 'DOUBLE LOW-9 QUOTATION MARK'],
  '\u2033': ['"', 'DOUBLE PRIME'],
  '\u2026': ['...', 'HORIZONTAL ELLIPSIS'],
  '\u00ad': ['', 'SOFT HYPHEN'],
  '\u200b': ['', 'ZERO WIDTH SPACE'],
  '\u200c': ['', 'ZERO WIDTH NON-JOINER'],
  '\u200d': ['', 'ZERO WIDTH JOINER'],
  '\u2060': ['', 'WORD JOINER'],
  '\ufeff': ['', 'ZERO WIDTH NO-BREAK SPACE'],
  '\u0430': ['a', 'CYRILLIC SMALL LETTER A'],
  '\u0435': ['e', 'CYRILLIC SMALL LETTER IE'],
  '\u043e': ['o', 'CYRILLIC SMALL LETTER O'],
  '\u0440': ['p', 'CYRILLIC SMALL LETTER ER'],
  '\u0441': ['c', 'CYRILLIC SMALL LETTER ES'],
  '\u0445': ['x', 'CYRILLIC SMALL LETTER HA'],
  '\u0456': ['i', 'CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I'],
}
const ODD = new RegExp(`[${Object.keys(LOOK_ALIKES).join('')}]`, 'g')
const ASCII = /^[\x00-\x7f]*$/

function plain(line: string): string {
  if (ASCII.test(line)) return squeeze(line)
  return squeeze(line.normalize('NFKC').replace(ODD, (char) => LOOK_ALIKES[char]![0]))
}

function lookAlikes(scene: Scene): string | null {
  const place = placeIn(scene, plain)
  if (!place) return null
  const inFile = linesOf(scene.text).slice(place.first, place.last + 1).join('\n')
  const difference = oddOnes(inFile, scene.edit.old, 'the file') ?? oddOnes(scene.edit.old, inFile, 'old') ?? normalForm(inFile, scene.edit.old)
  return difference && `look-alike characters differ at ${range(place)}: ${difference}\n${quote(scene.text, place, reveal)}`
}

/** The characters of one side that the other has not, by code point and name. */
function oddOnes(side: string, other: string, name: string): string | null {
  const own = [...new Set(side)].filter((char) => !other.includes(char) && (LOOK_ALIKES[char] !== undefined || char.normalize('NFKC') !== char))
  if (own.length === 0) return null
  const named = own.slice(0, 4).map((char) => `${codePoint(char)}${LOOK_ALIKES[char] ? ` ${LOOK_ALIKES[char][1]}` : ''}`)
  return `${name} has ${named.join(', ')}`
}

function normalForm(inFile: string, old: string): string | null {
  if (inFile.normalize('NFC') !== inFile && old.normalize('NFC') === old) return 'the file has letters with combining accents (NFD), old has single letters (NFC)'
  if (old.normalize('NFC') !== old) return 'old has letters with combining accents (NFD), the file has single letters (NFC)'
  return null
}

function codePoint(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

function copiedLineNumbers(scene: Scene): string | null {
  const lines = linesOf(scene.edit.old)
  const prefix = /^ *\d+(?:\t|: ?|\| ?|→)/
  if (!lines.every((line, i) => prefix.test(line) || (line === '' && i === lines.length - 1))) return null
  const without = lines.map((line) => line.replace(prefix, '')).join('\n')
  const [match] = without === '' ? [] : findAll(scene.text, without, true, 1)
  return match ? `old has line numbers copied from a listing; without them it is at line ${lineAt(scene.text, match.start)}` : null
}

function spelledOut(scene: Scene): string | null {
  const { old } = scene.edit
  if (!/\\[nt"']/.test(old)) return null
  const meant = old.replace(/\\(n|t|"|')/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter)
  const [match] = findAll(scene.text, meant, true, 1)
  return match ? `old has a backslash sequence spelled out where the file has the character itself, at line ${lineAt(scene.text, match.start)}; give the line break, tab or quote itself` : null
}

function alreadyApplied({ text, edit }: Scene): string | null {
  if (edit.new.trim().length < 2) return null
  const [match] = findAll(text, edit.new, true, 1)
  return match ? `new is there instead, at line ${lineAt(text, match.start)}: the edit looks already applied` : null
}

/** The place where most lines of old stand, or the line with most of its words. */
function nearestLines(scene: Scene): string | null {
  const lines = linesOf(scene.text)
  const first = mostLines(lines, linesOf(scene.edit.old)) ?? mostWords(scene)
  if (first === null) return null
  const last = Math.min(lines.length - 1, first + Math.min(linesOf(scene.edit.old).length, MOST_LINES) - 1)
  const place = { first, last: Math.max(first, last) }
  return `the nearest place is ${range(place)}\n${quote(scene.text, place)}`
}

function mostLines(lines: string[], old: string[]): number | null {
  const wanted = new Map<string, number>()
  old.forEach((line, i) => {
    const text = line.trim()
    if (text.length > 1 && !wanted.has(text)) wanted.set(text, i)
  })
  const votes = new Map<number, number>()
  lines.forEach((line, i) => {
    const at = wanted.get(line.trim())
    if (at === undefined) return
    const start = Math.max(0, i - at)
    votes.set(start, (votes.get(start) ?? 0) + 1)
  })
  return bestOf(votes)
}

function mostWords({ text, edit }: Scene): number | null {
  const words = [...new Set(edit.old.match(/[\p{L}\p{N}_]{3,}/gu))].sort((a, b) => b.length - a.length).slice(0, 12)
  if (words.length === 0) return null
  const pattern = new RegExp(words.join('|'), 'g')
  const votes = new Map<number, number>()
  const lines = linesOf(text)
  for (let i = 0; i < lines.length; i++) {
    // Of a very long line the start is enough: the place is the line.
    const found = new Set(lines[i]!.slice(0, 10_000).match(pattern))
    if (found.size > 0) votes.set(i, [...found].reduce((sum, word) => sum + word.length, 0))
  }
  return bestOf(votes)
}

function bestOf(votes: Map<number, number>): number | null {
  let best: number | null = null
  let most = 0
  for (const [place, score] of votes) if (score > most) [best, most] = [place, score]
  return best
}

function linesOf(text: string): string[] {
  return text.split('\n')
}

export function lineAt(text: string, offset: number): number {
  return linesAt(text, [offset])[0]!
}

/** The line of each offset; the offsets rise. */
function linesAt(text: string, offsets: number[]): number[] {
  let line = 1
  let at = text.indexOf('\n')
  return offsets.map((offset) => {
    while (at >= 0 && at < offset) {
      line++
      at = text.indexOf('\n', at + 1)
    }
    return line
  })
}

interface Place {
  first: number
  last: number
}

function range({ first, last }: Place): string {
  return first === last ? `line ${first + 1}` : `lines ${first + 1} to ${last + 1}`
}

/** The lines of a place with their numbers, each cut to a width. */
function quote(text: string, { first, last }: Place, show: (line: string) => string = (line) => line): string {
  const lines = linesOf(text).slice(first, last + 1)
  const shown = lines.slice(0, MOST_LINES).map((line, i) => `${String(first + i + 1).padStart(5)} | ${show(clip(line.replace(/\r$/, '')))}`)
  return [...shown, ...(lines.length > MOST_LINES ? [`      … ${count(lines.length - MOST_LINES, 'more line')}`] : [])].join('\n')
}

function clip(line: string): string {
  return line.length <= LINE_WIDTH ? line : `${line.slice(0, LINE_WIDTH)}…`
}

/** Tabs, trailing spaces and look-alikes made visible. */
function reveal(line: string): string {
  return line
    .replace(/ +$/, (run) => '·'.repeat(run.length))
    .replace(/\t/g, '→\t')
    .replace(ODD, (char) => `⟨${codePoint(char)}⟩`)
}

function cut(message: string): string {
  return message.length <= MOST_CHARACTERS ? message : `${message.slice(0, MOST_CHARACTERS)}…`
}
