// The known word that somebody probably meant.

import { distance } from '../engine/distance.ts'

/** The known word that shares most with `word`: one is in the other, or few letters differ; else null. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const letters = fold(word)
  let best: string | null = null
  let least = Infinity
  for (const other of known) {
    const far = apart(letters, fold(other))
    if (far < least) [best, least] = [other, far]
  }
  return best !== null && least <= Math.max(1, Math.floor(Math.min(letters.length, best.length) / 2)) ? best : null
}

const fold = (word: string): string => word.toLowerCase().replace(/[-_ ]/g, '')

/** Letters to change, a word that begins with or ends in the other counting as near. */
function apart(a: string, b: string): number {
  if (a === b) return 0
  if (a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a) || a.endsWith(b) || b.endsWith(a))) return 1
  return distance(a, b)
}
