// The known word that somebody probably meant.

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

/** Edits between two words. */
export function distance(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change))
    }
    last = row
  }
  return last[b.length]!
}
