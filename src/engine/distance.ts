// How far two words are apart, for whoever has to guess which one was meant.

/** Edits between two words, a swap of neighbours counting as one. */
export function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** The other known name that differs least, if by no more than a third of its letters. */
export function nearest(name: string, known: string[]): string | null {
  let best: string | null = null
  let least = Math.floor(name.length / 3) + 1
  for (const other of known) {
    if (other === name || Math.abs(other.length - name.length) >= least) continue
    const far = distance(name.toLowerCase(), other.toLowerCase())
    if (far < least) [best, least] = [other, far]
  }
  return best
}
