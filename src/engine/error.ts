// What can go wrong in a Scheme program, as values that a program can handle and a person can read.

import type { Value } from './value.ts'

/** A place in a source text; line and column count from 1, columns in code points. */
export interface Position {
  file: string
  line: number
  column: number
}

const lines = new WeakMap<Position, string>()

/** The position with the text of its line, to be shown with it. */
export function withLine(position: Position, text: string): Position {
  lines.set(position, text)
  return position
}

/** The text of the line that a position is in; null where that is not known. */
export function lineAt(position: Position): string | null {
  return lines.get(position) ?? null
}

/** A procedure under way, and the place that it had reached. */
export interface Step {
  procedure: string
  position: Position | null
}

/** How many procedures of the JavaScript stack an error remembers. */
const DEEPEST_STACK = 50

/** An error that a Scheme program may handle: an R7RS error object (6.11).
 * `message` is a sentence in Scheme's words ("car: expected a pair, got 42") without irritants;
 * `irritants` are the values that `error` was given after it. */
export class SchemeError extends Error {
  readonly kind: 'error' | 'read' | 'file' | 'syntax' | 'limit'
  readonly irritants: readonly Value[]
  private where: Position | null
  private steps: Step[] | null = null
  /** Finds out the place; asked once, and only when somebody wants to know. */
  private find: (() => Step[]) | null = null
  /** What to do about it, for a person; null where there is nothing to say. */
  readonly help: string | null

  constructor(
    message: string,
    options: {
      kind?: SchemeError['kind']
      irritants?: readonly Value[]
      position?: Position | null
      help?: string | null
    } = {},
  ) {
    const usual = Error.stackTraceLimit
    Error.stackTraceLimit = DEEPEST_STACK
    super(message)
    Error.stackTraceLimit = usual
    this.kind = options.kind ?? 'error'
    this.irritants = options.irritants ?? []
    this.where = options.position ?? null
    this.help = options.help ?? null
  }

  /** Where the form stands whose evaluation failed; null where that is not known. */
  get position(): Position | null {
    return this.where ?? this.backtrace.find(({ position }) => position)?.position ?? null
  }

  /** Procedures under way, innermost first. */
  get backtrace(): readonly Step[] {
    return (this.steps ??= this.find?.() ?? [])
  }

  /** Whether it is known, or can be found out, where it was signalled. */
  get isPlaced(): boolean {
    return this.find !== null
  }

  placeBy(find: () => Step[]): void {
    this.find ??= find
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
