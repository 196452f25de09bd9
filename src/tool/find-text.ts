// Finds a text in another in linear time whatever they are. JavaScript's own indexOf is the fastest, and
// takes quadratic time for a long pattern whose end repeats itself, in a text that does too.

/** The index of the pattern at or after `from`, -1 where there is none; as indexOf. */
export type Finder = (text: string, from: number) => number

const LONG = 500
const END = 64
const FEW = 8

export function makeFinder(pattern: string): Finder {
  if (!repeatsItself(pattern)) return (text, from) => text.indexOf(pattern, from)
  const failure = failures(pattern)
  return (text, from) => {
    let matched = 0
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = failure[matched - 1]!
      if (pattern.charCodeAt(matched) === code) matched++
      if (matched === pattern.length) return i + 1 - matched
    }
    return -1
  }
}

/** Only then can many places of a text match a long part of the pattern's end, and overlap. */
function repeatsItself(pattern: string): boolean {
  if (pattern.length < LONG) return false
  const end = pattern.slice(-END)
  let count = 0
  for (let at = pattern.indexOf(end); at >= 0 && count <= FEW; at = pattern.indexOf(end, at + 1)) count++
  return count > FEW
}

/** For each prefix the length of its longest proper suffix that is a prefix too (Knuth, Morris, Pratt 1977). */
function failures(pattern: string): Int32Array {
  const failure = new Int32Array(pattern.length)
  let matched = 0
  for (let i = 1; i < pattern.length; i++) {
    while (matched > 0 && pattern.charCodeAt(i) !== pattern.charCodeAt(matched)) matched = failure[matched - 1]!
    if (pattern.charCodeAt(i) === pattern.charCodeAt(matched)) matched++
    failure[i] = matched
  }
  return failure
}

/** The places of each of several patterns, overlapping ones too, in one pass over the text; of a pattern
 * with more than `most` of them only that there are so many. No pattern is shorter than BLOCK. After Wu and
 * Manber, A fast algorithm for multi-pattern searching, 1994. */
export function findMany(text: string, patterns: readonly string[], most: number): number[][] {
  const found: number[][] = patterns.map(() => [])
  // All patterns are looked for by a beginning of the same length.
  const length = patterns.reduce((least, pattern) => Math.min(least, pattern.length), MOST_BEGINNING)
  const shifts = new Uint8Array(TABLE).fill(length - BLOCK + 1)
  const ending: (number[] | undefined)[] = []
  for (const [i, pattern] of patterns.entries())
    for (let end = BLOCK; end <= length; end++) {
      const hash = blockHash(pattern, end - 1)
      if (length - end < shifts[hash]!) shifts[hash] = length - end
      if (end === length) (ending[hash] ??= []).push(i)
    }
  for (let end = length - 1; end < text.length; ) {
    const hash = blockHash(text, end)
    const shift = shifts[hash]!
    if (shift > 0) {
      end += shift
      continue
    }
    const start = end - length + 1
    for (const i of ending[hash]!) if (found[i]!.length <= most && text.startsWith(patterns[i]!, start)) found[i]!.push(start)
    end++
  }
  return found
}

export const BLOCK = 3
const MOST_BEGINNING = 64
const TABLE = 1 << 15

/** Of the block of characters that ends at `end`. */
function blockHash(text: string, end: number): number {
  return (text.charCodeAt(end) ^ (text.charCodeAt(end - 1) << 5) ^ (text.charCodeAt(end - 2) << 10)) & (TABLE - 1)
}
