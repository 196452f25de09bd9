// A list of edits to the text that all of them leave, each applied to what the one before left. It gives
// what applyEdit gives one by one; where there are several, all of them are looked for in one pass over
// the text, since most edits of a list touch different places.

import { applyEdit, type Edit, type EditFailure } from './apply-edit.ts'
import { BLOCK, findMany } from './find-text.ts'

export interface EditsResult {
  text: string
  /** Every edit that does not apply, by index, with the text that it was tried on. */
  failures: { index: number; failure: EditFailure; text: string }[]
}

/** Fewer are faster one by one, and so are many in a short text: each is compared with each before it. */
const SEVERAL = 3
const CHARACTERS_EACH = 500

/** The edits after a failed one are tried on the text without it. */
export function applyEdits(text: string, edits: readonly Edit[]): EditsResult {
  const failures: EditsResult['failures'] = []
  for (let index = 0; index < edits.length; ) {
    const count = countPlain(text, edits, index)
    if (count >= SEVERAL && text.length > CHARACTERS_EACH * count) {
      const together = applyTogether(text, edits.slice(index, index + count))
      text = together.text
      index += together.applied
      if (together.applied >= SEVERAL) continue
    }
    if (index === edits.length) break
    const result = applyEdit(text, edits[index]!)
    if (result.ok) text = result.text
    else failures.push({ index, failure: result.failure, text })
    index++
  }
  return { text, failures }
}

/** How many edits from `index` on are of one place each and have nothing to do with kinds of line ends, a
 * byte-order mark or halves of characters. */
function countPlain(text: string, edits: readonly Edit[], index: number): number {
  if (edits.length - index < SEVERAL || text.includes('\r') || text.startsWith('\ufeff')) return 0
  let count = 0
  while (index + count < edits.length && isPlain(edits[index + count]!)) count++
  return count
}

function isPlain({ old, new: replaced, replaceAll }: Edit): boolean {
  return !replaceAll && old !== replaced && old.length >= BLOCK && !old.includes('\r') && !replaced.includes('\r') && old.isWellFormed()
}

/** A place of the text before, and what stands there after. */
interface Replacement {
  start: number
  end: number
  text: string
}

/** More places of one old than that are not looked at: it is hardly unique. */
const MOST_PLACES = 8

/** Applies edits for as long as each has one place that those before it left alone, and may match nothing
 * that they made. */
function applyTogether(text: string, edits: readonly Edit[]): { text: string; applied: number } {
  const places = findMany(text, edits.map(({ old }) => old), MOST_PLACES)
  const made: Replacement[] = []
  let applied = 0
  for (const { old, new: replaced } of edits) {
    const all = places[applied]!
    const left = all.filter((start) => !made.some((one) => overlaps(one, start, start + old.length)))
    if (all.length > MOST_PLACES || left.length !== 1 || mayMatchMade(text, made, old)) break
    insert(made, { start: left[0]!, end: left[0]! + old.length, text: replaced })
    applied++
  }
  const parts: string[] = []
  let end = 0
  for (const one of made) {
    parts.push(text.slice(end, one.start), one.text)
    end = one.end
  }
  return { text: parts.join('') + text.slice(end), applied }
}

/** What touches an empty one would lie on both sides of it. */
function overlaps(one: Replacement, start: number, end: number): boolean {
  return start < one.end && one.start < end
}

/** In the order of their places. */
function insert(made: Replacement[], one: Replacement): void {
  const at = made.findIndex(({ start }) => start > one.start)
  made.splice(at < 0 ? made.length : at, 0, one)
}

/** Whether `old` stands in the text after, at a place that a replacement has part in. */
function mayMatchMade(text: string, made: readonly Replacement[], old: string): boolean {
  const reach = old.length - 1
  return made.some((one, i) => (before(text, made, i, reach) + one.text + after(text, made, i, reach)).includes(old))
}

/** So many characters of the text after that stand before a replacement. */
function before(text: string, made: readonly Replacement[], i: number, length: number): string {
  let found = ''
  for (let at = i; found.length < length && at >= 0; at--) {
    if (at < i) found = made[at]!.text + found
    found = text.slice(Math.max(made[at - 1]?.end ?? 0, made[at]!.start - (length - found.length)), made[at]!.start) + found
  }
  return found.slice(Math.max(0, found.length - length))
}

function after(text: string, made: readonly Replacement[], i: number, length: number): string {
  let found = ''
  for (let at = i; found.length < length && at < made.length; at++) {
    if (at > i) found += made[at]!.text
    found += text.slice(made[at]!.end, Math.min(made[at + 1]?.start ?? text.length, made[at]!.end + (length - found.length)))
  }
  return found.slice(0, length)
}
