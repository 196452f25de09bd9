// A unified diff to coloured lines, with every character that could deceive shown by its code point; and
// to one whose parts that change white space alone come last.

import type { Colors } from './colour.ts'
import { visible } from './visible.ts'

export function diffText(diff: string, { red, green, cyan, dim, bold }: Colors): string {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const shown = visible(line)
      if (/^(---|\+\+\+) /.test(line)) return bold(shown)
      if (line.startsWith('@@')) return cyan(shown)
      if (line.startsWith('+')) return green(shown)
      if (line.startsWith('-')) return red(shown)
      return line.startsWith('\\') ? dim(shown) : shown
    })
    .join('\n')
}

/** The same hunks, of each file those first that change more than white space: they are not to be missed
 * among the others. */
export function substanceFirst(diff: string): string {
  return diff
    .split(/^(?=--- )/m)
    .flatMap((file) => {
      const [head = '', ...hunks] = file.split(/^(?=@@ )/m)
      const blank = hunks.filter(isBlank)
      return blank.length === 0 || blank.length === hunks.length ? [file] : [head, ...hunks.filter((hunk) => !isBlank(hunk)), ...blank]
    })
    .join('')
}

function isBlank(hunk: string): boolean {
  const side = (mark: string): string => {
    const lines = hunk.split('\n').slice(1)
    return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1).replace(/\s+/g, '')).join('')
  }
  return side('-') === side('+')
}
