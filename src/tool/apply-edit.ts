// A text and an edit to the text that the edit leaves. Pure: the preview, the guard and the writing of
// fs-edit all come from here.
//
// `old` is matched exactly; only a line break in it matches LF and CRLF alike, and the breaks of `new`
// then take the ending of the lines they replace. Nothing outside a match changes.

import { makeFinder } from './find-text.ts'

export interface Edit {
  old: string
  new: string
  replaceAll: boolean
}

/** Why an edit does not apply. Positions are offsets in the text that it was tried on. */
export type EditFailure =
  | { kind: 'empty-old' }
  | { kind: 'identical'; at: number | null }
  | { kind: 'not-found' }
  | { kind: 'not-unique'; at: number[] }
export type EditResult = { ok: true; text: string; at: number } | { ok: false; failure: EditFailure }

interface Match {
  start: number
  end: number
}

export function applyEdit(text: string, edit: Edit): EditResult {
  const { old, replaceAll } = edit
  if (old === '') return { ok: false, failure: { kind: 'empty-old' } }
  if (old === edit.new) return { ok: false, failure: { kind: 'identical', at: findAll(text, old, false, 1)[0]?.start ?? null } }
  const matches = findAll(text, old, replaceAll, Infinity)
  if (matches.length === 0) return { ok: false, failure: { kind: 'not-found' } }
  if (matches.length > 1 && !replaceAll) return { ok: false, failure: { kind: 'not-unique', at: matches.map(({ start }) => start) } }
  const parts: string[] = []
  let end = 0
  for (const match of matches) {
    parts.push(text.slice(end, match.start), replacement(text, edit, match))
    end = match.end
  }
  parts.push(text.slice(end))
  return { ok: true, text: parts.join(''), at: matches[0]!.start }
}

/** The matches of `old`, left to right: apart from each other, or overlapping ones too. */
export function findAll(text: string, old: string, apart: boolean, most: number): Match[] {
  const exact = findExact(text, old, apart, most)
  if (!old.includes('\n') || (old.includes('\r') && exact.length > 0)) return exact
  if (!old.includes('\r') && !text.includes('\r\n')) return exact
  // Both with LF alone; then back to where that was in the text.
  const matches = findExact(withLineFeeds(text), withLineFeeds(old), apart, most)
  const breaks = text.includes('\r\n') ? carriageReturns(text) : []
  let passed = 0
  const original = (at: number): number => {
    while (passed > 0 && breaks[passed - 1]! - (passed - 1) >= at) passed--
    while (passed < breaks.length && breaks[passed]! - passed < at) passed++
    return at + passed
  }
  return matches.map(({ start, end }) => ({ start: original(start), end: original(end) }))
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Offset of the CR of each CRLF. */
function carriageReturns(text: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) found.push(at)
  return found
}

function findExact(text: string, old: string, apart: boolean, most: number): Match[] {
  const matches: Match[] = []
  const find = makeFinder(old)
  for (let at = find(text, 0); at >= 0 && matches.length < most; at = find(text, at + (apart ? old.length : 1))) {
    const end = at + old.length
    if (splitsPair(text, at) || splitsPair(text, end)) continue
    matches.push({ start: at, end })
  }
  return matches
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** `new` as it goes into the text at a match. A byte-order mark before it is kept and not doubled. */
function replacement(text: string, { old, new: replaced }: Edit, { start, end }: Match): string {
  if (text.startsWith(MARK) && start <= 1 && replaced.startsWith(MARK) !== (start === 0))
    replaced = start === 0 ? MARK + replaced : replaced.slice(1)
  const verbatim = old.includes('\r') && text.startsWith(old, start)
  if (verbatim || !/[\r\n]/.test(replaced)) return replaced
  return replaced.replace(/\r\n|\n/g, endingAt(text, start, end))
}

const MARK = '\ufeff'

/** The line ending of the matched lines; else of the nearest; else LF. */
function endingAt(text: string, start: number, end: number): string {
  const inside = text.slice(start, end).indexOf('\n')
  const at = inside >= 0 ? start + inside : nearestBreak(text, start, end)
  if (at < 0) return '\n'
  return text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** The line's own end comes first: that is the line that the match stands in. */
function nearestBreak(text: string, start: number, end: number): number {
  const after = text.indexOf('\n', end)
  return after >= 0 ? after : text.lastIndexOf('\n', start - 1)
}
