// A tool, declared once. From a Prim come the model's JSON schema, the Scheme procedure that is called
// by position, what the guard judges, the help text, and every error about its arguments.

import type { Json, JsonObject } from './json.ts'
import type { Workspace } from './workspace.ts'

/** What an argument is, for the guard. ORDER of roles is that of design's guard rules:
 * path: names a file or folder. payload: text that stays on this machine. url: leaves it.
 * command: runs. ref: a name in git that leaves or moves history. message: text kept in history.
 * plain: judged by nothing (the old text of an edit, a limit, a flag, a question to the person). */
export type Role = 'path' | 'payload' | 'url' | 'command' | 'ref' | 'message' | 'plain'

export type ParamType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object'

export interface Param {
  name: string
  /** Read by a model: full sentences, present tense. */
  doc: string
  type: ParamType
  role: Role
  optional?: boolean
  /** Taken where the argument is left out or skipped; without it a skipped one gets its type's empty value. */
  default?: Json
  /** The fields of a list's elements, where these are objects. */
  items?: Param[]
  /** The only strings allowed. */
  choices?: string[]
}

/** One file's bytes before and after; `before` null: create, `after` null: remove.
 * The same object is judged, shown, kept in the versions store and written. */
export interface Change {
  /** The real path, absolute, links followed. */
  path: string
  /** As the caller gave it. */
  given: string
  before: Uint8Array | null
  after: Uint8Array | null
  /** Permission bits to set, where they are not those of the file before. */
  mode?: number
}

/** The arguments of a call by name, checked, defaults filled in. An optional parameter left out at the
 * end of the positional form and without default is absent. */
export type Arguments = ReadonlyMap<string, Json>

/** What a tool may use of the world. */
export interface ToolContext {
  workspace: Workspace
  signal: AbortSignal
  /** Puts a question to the person; rejects where nobody is there. */
  ask(question: string, choices: string[]): Promise<string>
  /** What a long-running tool shows while it runs (a line of output). */
  progress(text: string): void
}

/** What a tool gives back. `text` is for the model; `value` for Scheme where that is not the text. */
export interface ToolResult {
  text: string
  value?: Json
  /** Labels of what was read: `untrusted:…`, `secret:…`. */
  labels?: string[]
}

export interface Prim {
  /** The model's name of the tool and the Scheme procedure's. */
  name: string
  doc: string
  /** In positional order, required ones first. */
  params: Param[]
  /** May run beside other read-only calls of the same reply. */
  readOnly: boolean
  /** Gates: a tool that neither reads nor changes anything outside (ask) needs no confirm. */
  effect: 'read' | 'write' | 'exec' | 'network' | 'none'
  /** Reads or acts. A tool has either `run` or `plan`. */
  run?(args: Arguments, context: ToolContext): Promise<ToolResult>
  /** For a tool that changes files: reads, and returns the changes without making them, with the text
   * that stands for success once they are committed. */
  plan?(args: Arguments, context: ToolContext): Promise<Plan>
}

export interface Plan {
  changes: Change[]
  result: ToolResult
  /** How many edits of an `edit` event this is; 0 for other changes. */
  edits: number
}

/** A failure that the caller can mend. `kind` is for programs (event log: not-found, not-unique,
 * contract, changed-on-disk, denied, cancelled, other), `message` and `help` for readers. */
export class ToolError extends Error {
  readonly kind: ToolErrorKind
  readonly help: string | null
  /** Of a list of edits: the one that failed, from 1, and how many there are. */
  readonly edit: number | null
  readonly of: number | null
  constructor(
    kind: ToolErrorKind,
    message: string,
    options: { help?: string; edit?: number; of?: number } = {},
  ) {
    super(message)
    this.kind = kind
    this.help = options.help ?? null
    this.edit = options.edit ?? null
    this.of = options.of ?? null
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

export type { Json, JsonObject }
