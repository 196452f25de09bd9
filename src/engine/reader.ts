// Text to data with their positions. The one other file that imports chevrotain is lexer.ts.

import type { Position } from './error.ts'
import type { Value } from './value.ts'

/** A text, read whole. */
export interface Source {
  data: Value[]
  /** Offset of each top-level datum in the text. */
  starts: number[]
  /** Offset of the opening of each list and vector of the text. */
  offsets: ReadonlyMap<object, number>
  position(offset: number): Position
}

/** All data of `text`. Throws ReadError. */
export declare function readSource(text: string, file: string): Source
