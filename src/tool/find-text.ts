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
