// A unified diff to coloured lines, with every character that could deceive shown by its code point.

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
