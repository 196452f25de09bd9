// A failed edit to the words that let its caller mend it: where the nearest place is, and what differs
// there, made visible. Deterministic, bounded in time and length whatever the file.

import { findAll, type Edit, type EditFailure } from './apply-edit.ts'
import { makeFinder } from './find-text.ts'

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

/** A scene with the lines of its text, which most explanations look at. */
interface Lined extends Scene {
  lines: string[]
  /** Offset of each line in the text. */
  starts: number[]
  wanted: string[]
}

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

type Explain = (scene: Lined) => string | null

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
  const lines = scene.text.split('\n')
  const starts: number[] = []
  let length = 0
  for (const line of lines) {
    starts.push(length)
    length += line.length + 1
  }
  const lined = { ...scene, lines, starts, wanted: scene.edit.old.split('\n') }
  for (const explain of EXPLANATIONS) {
    const why = explain(lined)
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

/** How much of the text, in characters, one way of seeing it may look at. */
const MOST_LOOKED_AT = 2_000_000
/** Blank lines of the file that old may lack. */
const SLACK = 20

interface View {
  see(line: string): string
  /** The text in which a word of `see(old)` is looked for. */
  searched(text: string): string
}

/** Where `old` stands in the text when both are seen through `view`; null where it does not, or not near
 * the first places of its longest word. */
function placeIn(scene: Lined, view: View): Place | null {
  const { lines, starts, wanted, text } = scene
  const seen = wanted.map(view.see)
  const all = seen.join('')
  if (all === '') return null
  if (text.length <= MOST_LOOKED_AT / 10) return placeBetween(scene, view, all, 0, lines.length)
  const { word, row } = longestWord(wanted.map(view.searched))
  const searched = view.searched(text)
  if (word === '' || searched.length !== text.length) return null
  let left = MOST_LOOKED_AT
  for (let at = searched.indexOf(word); at >= 0 && left > 0; at = searched.indexOf(word, at + word.length)) {
    const line = lineHolding(starts, at)
    const first = Math.max(0, line - row - SLACK)
    const end = Math.min(lines.length, line - row + wanted.length + SLACK)
    left -= (starts[end] ?? text.length) - starts[first]!
    const place = placeBetween(scene, view, all, first, end)
    if (place) return place
    // The word again in the lines just looked at tells nothing new.
    const next = starts[Math.max(line + 1, end - wanted.length - SLACK)] ?? text.length
    at = Math.max(at, next - word.length)
  }
  return null
}

function placeBetween({ lines }: Lined, { see }: View, all: string, first: number, end: number): Place | null {
  const starts: number[] = []
  let seen = ''
  for (let i = first; i < end; i++) {
    starts.push(seen.length)
    seen += see(lines[i]!)
  }
  const at = makeFinder(all)(seen, 0)
  return at < 0 ? null : { first: first + lineHolding(starts, at), last: first + lineHolding(starts, at + all.length - 1) }
}

/** The longest word of letters, digits and the like, and the row it stands in. */
function longestWord(rows: string[]): { word: string; row: number } {
  let [word, row] = ['', 0]
  rows.forEach((text, i) => {
    for (const [found] of text.matchAll(/[\w$]+/g)) if (found.length > word.length) [word, row] = [found.slice(0, MOST_OF_WORD), i]
  })
  return { word, row }
}

const MOST_OF_WORD = 100

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
const same = (text: string): string => text

function onlyWhitespace(scene: Lined): string | null {
  const place = placeIn(scene, { see: squeeze, searched: same })
  if (!place) return null
  const what = whitespaceDifference(scene.lines.slice(place.first, place.last + 1), scene.wanted)
  return `only whitespace differs at ${range(place)}: ${what}\n${quote(scene, place, reveal)}`
}

function whitespaceDifference(lines: string[], wanted: string[]): string {
  const blank = (all: string[]) => all.filter((line) => line.trim() === '').length
  if (blank(lines) !== blank(wanted) && lines.length !== wanted.length) return `the file has ${count(blank(lines), 'blank line')} there, old has ${blank(wanted)}`
  for (let i = 0; i < Math.min(lines.length, wanted.length); i++) {
    const [line, other] = [lines[i]!.replace(/\r$/, ''), wanted[i]!.replace(/\r$/, '')]
    if (line === other) continue
    if (line.includes('\r') !== other.includes('\r')) return line.includes('\r') ? 'the file has a carriage return alone there, which is no line break' : 'old has a carriage return alone there, which is no line break'
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

function onlyCase(scene: Lined): string | null {
  const place = placeIn(scene, { see: (line) => squeeze(line).toLowerCase(), searched: (text) => text.toLowerCase() })
  return place && `it differs only in upper and lower case at ${range(place)}\n${quote(scene, place)}`
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

function lookAlikes(scene: Lined): string | null {
  const place = placeIn(scene, { see: plain, searched: same })
  if (!place) return null
  const inFile = scene.lines.slice(place.first, place.last + 1).join('\n')
  const difference = oddOnes(inFile, scene.edit.old, 'the file') ?? oddOnes(scene.edit.old, inFile, 'old') ?? normalForm(inFile, scene.edit.old)
  return difference && `look-alike characters differ at ${range(place)}: ${difference}\n${quote(scene, place, reveal)}`
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

function copiedLineNumbers(scene: Lined): string | null {
  const lines = scene.wanted
  const prefix = /^ *\d+ *(?:\t|: ?|\| ?|→ ?)/
  if (!lines.every((line, i) => prefix.test(line) || (line === '' && i === lines.length - 1))) return null
  const without = lines.map((line) => line.replace(prefix, '')).join('\n')
  const [match] = without === '' ? [] : findAll(scene.text, without, true, 1)
  return match ? `old has line numbers copied from a listing; without them it is at line ${lineAt(scene.text, match.start)}` : null
}

function spelledOut(scene: Lined): string | null {
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
function nearestLines(scene: Lined): string | null {
  const { lines, wanted } = scene
  const aligned = mostLines(lines, wanted)
  const first = aligned ?? mostWords(scene)
  if (first === null) return null
  const last = Math.min(lines.length - 1, first + Math.min(wanted.length, MOST_LINES) - 1)
  const place = { first, last: Math.max(first, last) }
  const row = aligned === null && wanted.length > 1 ? -1 : wanted.findIndex((line, i) => line !== lines[first + i]?.replace(/\r$/, ''))
  const differs = row < 0 ? '' : `\nold has ${first + row < lines.length ? `in line ${first + row + 1}` : 'after the last line'}: ${visible(clip(wanted[row]!, 0))}`
  return `the nearest place is ${range(place)}\n${quote(scene, place)}${differs}`
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

const MOST_WORDS = 12
/** A word that is in more places than that says little of where old was meant. */
const MOST_OF_A_WORD = 2000

/** Rare words say where old was meant; common ones decide among the places that these name. */
function mostWords({ text, edit, lines, starts }: Lined): number | null {
  const words = new Set<string>()
  for (const [word] of edit.old.matchAll(/[\p{L}\p{N}_]{3,}/gu)) if (words.size < 1000) words.add(word.slice(0, MOST_OF_WORD))
  const votes = new Map<number, number>()
  const common: string[] = []
  for (const word of [...words].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS)) {
    const places = linesWith(word, text, starts)
    if (places.length >= MOST_OF_A_WORD) common.push(word)
    else for (const line of places) votes.set(line, (votes.get(line) ?? 0) + word.length)
  }
  if (votes.size === 0) for (const word of common) for (const line of linesWith(word, text, starts)) votes.set(line, (votes.get(line) ?? 0) + word.length)
  else for (const [line, score] of votes) votes.set(line, score + sumOf(common, (word) => (lines[line]!.includes(word) ? word.length : 0)))
  return bestOf(votes)
}

function linesWith(word: string, text: string, starts: number[]): number[] {
  const found: number[] = []
  for (let at = text.indexOf(word); at >= 0 && found.length < MOST_OF_A_WORD; at = text.indexOf(word, at + word.length)) {
    const line = lineHolding(starts, at)
    if (line !== found.at(-1)) found.push(line)
    // On to the next line: of a very long one the first place is enough.
    at = Math.max(at, (starts[line + 1] ?? text.length) - word.length)
  }
  return found
}

function sumOf<T>(items: T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0)
}

/** The place with most votes; of several the first. */
function bestOf(votes: Map<number, number>): number | null {
  let best: number | null = null
  let most = 0
  for (const [place, score] of votes) if (score > most || (score === most && best !== null && place < best)) [best, most] = [place, score]
  return best
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
function quote(scene: Lined, { first, last }: Place, show: (line: string) => string = visible): string {
  const lines = scene.lines.slice(first, last + 1)
  const shown = lines.slice(0, MOST_LINES).map((line, i) => `${String(first + i + 1).padStart(5)} | ${show(clip(line.replace(/\r$/, ''), focus(line, scene.wanted)))}`.trimEnd())
  return [...shown, ...(lines.length > MOST_LINES ? [`      … ${count(lines.length - MOST_LINES, 'more line')}`] : [])].join('\n')
}

/** In a line too long to be shown: where the longest word of old is that it has. */
function focus(line: string, wanted: string[]): number {
  if (line.length <= LINE_WIDTH) return 0
  const words = wanted.slice(0, MOST_LINES).flatMap((row) => row.slice(0, 10_000).match(/[\p{L}\p{N}_$]+/gu) ?? [])
  for (const word of words.sort((a, b) => b.length - a.length).slice(0, MOST_WORDS)) {
    const at = line.indexOf(word.slice(0, MOST_OF_WORD))
    if (at >= 0) return at
  }
  return 0
}

function clip(line: string, at: number): string {
  if (line.length <= LINE_WIDTH) return line
  const start = Math.max(0, Math.min(at - LINE_WIDTH / 4, line.length - LINE_WIDTH))
  const end = Math.min(line.length, start + LINE_WIDTH)
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}

/** Tabs, trailing spaces, and characters that look like others or like nothing made visible. */
function reveal(line: string): string {
  return visible(line)
    .replace(/ +$/, (run) => '·'.repeat(run.length))
    .replace(/\t/g, '→\t')
    .replace(ODD, (char) => `⟨${codePoint(char)}⟩`)
}

/** Control characters by code point. */
function visible(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, (char) => `⟨${codePoint(char)}⟩`)
}

function cut(message: string): string {
  return message.length <= MOST_CHARACTERS ? message : `${message.slice(0, MOST_CHARACTERS)}…`
}
