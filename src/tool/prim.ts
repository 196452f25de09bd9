// A tool, declared once. From a Prim come the model's JSON schema, the Scheme procedure that is called
// by position, what the guard judges, the help text, and every error about its arguments.

import type { Change } from './change.ts'
import type { Json, JsonObject } from './json.ts'
import type { Workspace } from './workspace.ts'

/** What an argument is, for the guard. ORDER of roles is that of design's guard rules:
 * path: names a file or folder. payload: text that stays on this machine. url: leaves it.
 * sent: text for a server whose use of it nobody declared; judged as what stays and as what leaves.
 * command: runs. ref: a name in git that leaves or moves history. message: text kept in history.
 * plain: judged by nothing (the old text of an edit, a limit, a flag, a question to the person). */
export type Role = 'path' | 'payload' | 'url' | 'sent' | 'command' | 'ref' | 'message' | 'plain'

export type ParamType = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'any'

export interface Param {
  name: string
  /** Read by a model: full sentences, present tense. */
  doc: string
  type: ParamType
  role: Role
  optional?: boolean
  /** Taken where the argument is left out or skipped; without it a skipped one gets its type's empty value. */
  default?: Json
  /** The fields of a list's elements, where these are objects; else they are strings. */
  items?: Param[]
  /** The only strings allowed. */
  choices?: string[]
}

/** The arguments of a call by name, checked, defaults filled in. An optional parameter left out at the
 * end of the positional form and without default is absent. */
export type Arguments = ReadonlyMap<string, Json>

/** What a tool may use of the world. */
export interface ToolContext {
  workspace: Workspace
  signal: AbortSignal
  /** Whether a file that the call does not name, such as one found in a folder, may be shown without a
   * question. What may not is left out, and said to be. */
  mayRead(path: string): Promise<boolean>
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
  /** Files that the text shows and the call does not name: their labels are the result's too. */
  files?: string[]
  /** Git's objects that the text shows, by id: their labels are too. */
  objects?: string[]
  /** Git's objects that the call made: they carry its labels. */
  made?: string[]
}

export interface Prim {
  /** The model's name of the tool and the Scheme procedure's. */
  name: string
  doc: string
  /** In positional order, required ones first. */
  params: Param[]
  /** The ways to call it by position, without name and parentheses, the usual one first, where the
   * parameters alone do not tell: "path old new [replace_all]". */
  forms?: string[]
  /** The JSON schema of the arguments, of a tool whose declaration is a server's; then an option that was
   * skipped is left out, since only the server knows what stands for it. */
  schema?: object
  /** May run beside other read-only calls of the same reply. */
  readOnly: boolean
  /** Gates: a tool that neither reads nor changes anything outside (ask) needs no confirm. history: what
   * a repository holds, and no file of the workspace. */
  effect: 'read' | 'write' | 'exec' | 'network' | 'history' | 'none'
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

export type { Change } from './change.ts'
export { ToolError, type ToolErrorKind } from './tool-error.ts'
export type { Json, JsonObject }
