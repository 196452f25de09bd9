// The engine as a library (`nodwyn/scheme`): Scheme text to values. It knows no tool, model, file or
// clock but those that its host gives it.

import { Runtime } from './runtime.ts'
import * as prelude from './prelude.js'
import * as srfi from './srfi.js'
import type { Host } from './builtin-host.ts'
import type { Position } from './error.ts'
import type { Value } from './value.ts'

export { Exit, SchemeError, ReadError, Raised, lineAt, type Position, type Step } from './error.ts'
export type { Files, Host } from './builtin-host.ts'
export * from './value.ts'

/** `files`, `clock`, `environment` and `commandLine`: what a program can learn of the world; by default
 * nothing. */
export interface EngineOptions extends Host {
  /** Gets what `display` and its like write to the current output port. Default: thrown away. */
  onOutput?: (text: string) => void
  /** The text of a file that the file `from` includes (R7RS 4.1.7). Without it `include` is an error. */
  include?: (file: string, from: string) => string
  /** The text of a library that a program imports and did not define, by the parts of its name; null
   * where there is none. */
  library?: (name: string[]) => { file: string; text: string } | null
  /** Bytes: where the process uses more while a program runs, the program is stopped with a SchemeError
   * of kind "limit". Default: six tenths of the heap that JavaScript may use. */
  memory?: number
  /** Depth of the JavaScript stack, in machine units, at which frames move to the heap. */
  depthLimit?: number
  /** Given: the continuation is captured each time so many procedure entries and loop turns were made,
   * for tests. Without it, when a time slice ends. */
  fuel?: number
}

/** What a host procedure learns of the call beside its arguments. */
export interface HostCall {
  /** The labels of the fiber that calls: what its control flow so far depended on. */
  labels: ReadonlySet<string>
  position: Position | null
  /** Aborted when the evaluation is; undefined where none was given. */
  signal: AbortSignal | undefined
}

/** A procedure that the host gives to Scheme. `run` gets the arguments by position, labelled values as
 * they are; a promise makes the calling fiber wait. A thrown SchemeError can be handled by the program. */
export interface HostProcedure {
  params: string
  /** How it is called, one way a line, where the parameters do not tell. */
  usage?: string
  doc?: string
  run: (args: Value[], call: HostCall) => Value | Promise<Value>
}

export interface EvaluateOptions {
  /** Names the text in positions. Default "repl". */
  file?: string
  signal?: AbortSignal
  /** Gets the value of each top-level form that is no definition of a procedure, as it is done. */
  onValue?: (value: Value) => void
  /** Bytes, as `memory` of the engine, for this evaluation. */
  memory?: number
  /** Milliseconds after which it is stopped with a SchemeError of kind "limit". */
  timeLimit?: number
}

export interface Engine {
  /** The value of the last form of `text` (UNSPECIFIED where there is none). Rejects with a
   * SchemeError, ReadError or Raised, with Exit, or with the signal's reason. */
  evaluate(text: string, options?: EvaluateOptions): Promise<Value>
  /** Calls a Scheme procedure in a new fiber. */
  call(procedure: Value, args: Value[], options?: { signal?: AbortSignal }): Promise<Value>
  /** Whether a fiber has more to do that waits for no host procedure. */
  readonly isBusy: boolean
  define(name: string, procedure: HostProcedure): void
  /** The value of a global variable, undefined where there is none. */
  lookup(name: string): Value | undefined
  /** All global names, macros included, in alphabetical order. */
  names(): string[]
  /** The names that programs have defined or imported, in alphabetical order. */
  ownNames(): string[]
  /** What the macro use that `text` is expands to, again as long as that is a macro use; the form itself
   * where it is none. */
  expand(text: string): Value
  /** Usage line and sentence of a procedure or syntax by name, null where nothing is known. */
  describe(name: string): { usage: string; doc: string } | null
}

export function createEngine(options: EngineOptions = {}): Engine {
  const runtime = new Runtime(options)
  runtime.load(prelude)
  runtime.loadWhenUsed(srfi)
  return runtime
}
