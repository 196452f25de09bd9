// What can go wrong in a Scheme program, as values that a program can handle and a person can read.

import type { Value } from './value.ts'

/** A place in a source text; line and column count from 1, columns in code points. */
export interface Position {
  file: string
  line: number
  column: number
}

/** An error that a Scheme program may handle: an R7RS error object (6.11).
 * `message` is a sentence in Scheme's words ("car: expected a pair, got 42") without irritants;
 * `irritants` are the values that `error` was given after it. */
export class SchemeError extends Error {
  readonly kind: 'error' | 'read' | 'file' | 'syntax' | 'limit'
  readonly irritants: readonly Value[]
  /** Where the form stands whose evaluation failed; null where that is not known. */
  position: Position | null
  /** What to do about it, for a person; null where there is nothing to say. */
  readonly help: string | null
  /** Procedures under way, innermost first, with the place each one had reached. */
  backtrace: { procedure: string; position: Position | null }[] = []

  constructor(
    message: string,
    options: {
      kind?: SchemeError['kind']
      irritants?: readonly Value[]
      position?: Position | null
      help?: string | null
    } = {},
  ) {
    super(message)
    this.kind = options.kind ?? 'error'
    this.irritants = options.irritants ?? []
    this.position = options.position ?? null
    this.help = options.help ?? null
  }
}

/** A text that is no datum. `incomplete`: it may become one when more text follows. */
export class ReadError extends SchemeError {
  readonly incomplete: boolean
  constructor(message: string, position: Position, incomplete: boolean, help: string | null = null) {
    super(message, { kind: 'read', position, help })
    this.incomplete = incomplete
  }
}

/** An object that is no error object, raised by `raise` and handled by nobody. */
export class Raised extends SchemeError {
  readonly payload: Value
  readonly continuable: boolean
  constructor(message: string, payload: Value, continuable: boolean) {
    super(message)
    this.payload = payload
    this.continuable = continuable
  }
}

/** What `exit` ends an evaluation with: no condition, and no handler sees it. */
export class Exit extends Error {
  /** The exit code of a process: 0 for `(exit)` and `(exit #t)`, 1 for `(exit #f)`. */
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}
