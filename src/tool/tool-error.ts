// What goes wrong in a tool and can be mended by whoever called it.

/** A failure that the caller can mend. `kind` is for programs (event log: not-found, not-unique,
 * contract, changed-on-disk, denied, cancelled, other), `message` and `help` for readers. */
export class ToolError extends Error {
  readonly kind: ToolErrorKind
  readonly help: string | null
  /** Of a list of edits: the one that failed, from 1, and how many there are. */
  readonly edit: number | null
  readonly of: number | null
  /** Of what the message quotes. */
  readonly labels: readonly string[]
  constructor(
    kind: ToolErrorKind,
    message: string,
    options: { help?: string; edit?: number; of?: number; labels?: string[] } = {},
  ) {
    super(message)
    this.kind = kind
    this.help = options.help ?? null
    this.edit = options.edit ?? null
    this.of = options.of ?? null
    this.labels = options.labels ?? []
  }
}
export type ToolErrorKind =
  | 'not-found'
  | 'not-unique'
  | 'contract'
  | 'changed-on-disk'
  | 'denied'
  | 'cancelled'
  | 'other'
