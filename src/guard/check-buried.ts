// A change that hardly anybody would see: a few lines that matter among very many that change in white
// space alone.

import { finding, shown, type ChangeCheck } from './check.ts'

const MANY = 100
/** So many lines of white space to each other one. */
const TIMES = 20

export const checkBuried: ChangeCheck = ({ before, after, given }) => {
  if (before === null || after === null) return []
  const { blank, other } = countChanges(linesOf(before), linesOf(after))
  if (other === 0 || blank < MANY || blank < TIMES * other) return []
  const reason = `${blank} lines of ${shown(given)} change in white space alone, and ${other} among them in what ${other === 1 ? 'it says' : 'they say'}`
  return [finding('buried change', 'security confirm', { role: 'path', argument: 'path' }, reason)]
}

/** Of the lines after, those that no line before equals: by whether one does but for white space. */
function countChanges(before: string[], after: string[]): { blank: number; other: number } {
  const exact = new Map<string, number>()
  for (const line of before) exact.set(line, (exact.get(line) ?? 0) + 1)
  const changed = after.filter((line) => {
    const left = exact.get(line) ?? 0
    exact.set(line, left - 1)
    return left <= 0
  })
  const squeezed = new Set(before.map(squeeze))
  const blank = changed.filter((line) => squeezed.has(squeeze(line))).length
  return { blank, other: changed.length - blank }
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, '')
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder().decode(bytes).split('\n')
}
