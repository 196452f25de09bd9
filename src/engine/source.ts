// Texts that were read, numbered so that one integer names a place in any of them: `at`, the offset in
// the text plus the text's base. -1 is no place.

import type { Position } from './error.ts'
import { readSource, type Source } from './reader.ts'

export class Sources {
  private readonly sources: Source[] = []
  private end = 0

  /** Reads all data of `text`. Throws ReadError. */
  read(text: string, file: string): Source {
    const source = readSource(text, file, this.end)
    this.end += text.length + 1
    this.sources.push(source)
    return source
  }

  position(at: number): Position | null {
    return this.find(at)?.position(at) ?? null
  }

  private find(at: number): Source | null {
    if (at < 0) return null
    let low = 0
    let high = this.sources.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.sources[middle]!.base <= at) low = middle
      else high = middle - 1
    }
    return this.sources[low] ?? null
  }
}
