// What went wrong, or what came out, to words for a person. Every client says it with these, so that
// none of them has to know an engine's values or error classes.

import { Exit, ReadError, SchemeError, UNSPECIFIED, MultipleValues, lineAt, type Step, type Value } from '../engine/index.ts'
import { print, show } from '../engine/printer.ts'
import { ModelError } from '../model/talk.ts'
import { ToolError } from '../tool/prim.ts'

export interface Complaint {
  /** One line: where, who, what. */
  message: string
  /** The source line and a caret under the place; null where there is no source. */
  excerpt: string | null
  help: string | null
  /** Procedures under way, innermost first, one line each; empty or absent where there is nothing to tell. */
  backtrace?: string[]
  /** usage: what the person gave is wrong. failed: it could not be done. bug: ours. */
  kind: 'usage' | 'failed' | 'stopped' | 'bug'
}

/** The code that a program asked to end with; null for what went wrong. */
export function exitCodeOf(error: unknown): number | null {
  return error instanceof Exit ? error.code : null
}

export function complaintOf(error: unknown): Complaint {
  if (error instanceof SchemeError) return ofScheme(error)
  if (error instanceof ModelError)
    return { message: error.message, excerpt: null, help: error.help, kind: error.kind === 'configuration' ? 'usage' : 'failed' }
  if (error instanceof ToolError)
    return { message: error.message, excerpt: null, help: error.help, kind: error.kind === 'contract' ? 'usage' : 'failed' }
  if (error instanceof Error && error.message === STOPPED) return { message: STOPPED, excerpt: null, help: null, kind: 'stopped' }
  const system = error as NodeJS.ErrnoException
  if (error instanceof Error && typeof system.syscall === 'string')
    return { message: systemWords(system), excerpt: null, help: null, kind: 'usage' }
  const words = error instanceof Error ? error.message.split('\n')[0]! : String(error)
  return { message: `internal error: ${words}`, excerpt: null, help: null, kind: 'bug' }
}

function systemWords({ code, path, message }: NodeJS.ErrnoException): string {
  if (code === 'EISDIR') return 'expected a file, got a directory'
  if (path === undefined) return message
  if (code === 'ENOENT') return `no such file ${path}`
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read or written by this user`
  return message
}

/** The reason that an interrupt gives to signals. */
export const STOPPED = 'stopped by the person'

function ofScheme(error: SchemeError): Complaint {
  const { position, irritants, help } = error
  const where = position === null ? '' : `${position.file}:${position.line}:${position.column}: `
  const what = [error.message, ...irritants.map(show)].join(' ')
  const line = position && lineAt(position)
  return {
    message: where + what,
    excerpt: typeof line === 'string' ? `${line}\n${caretUnder(line, position!.column)}` : null,
    help,
    backtrace: backtraceOf(error.backtrace),
    kind: 'failed',
  }
}

/** How many procedures are told of. */
const MOST_STEPS = 12

/** Innermost first; the same place several times in a row is told of once. */
function backtraceOf(steps: readonly Step[]): string[] {
  const lines: { text: string; times: number }[] = []
  for (const { procedure, position } of steps) {
    const where = position === null ? '' : `${position.file}:${position.line}:${position.column}`
    if (procedure.startsWith('%') || (procedure === '' && where === '')) continue
    const text = [procedure === '' ? '' : `in ${procedure}`, where === '' ? '' : `at ${where}`].filter(Boolean).join(' ')
    const last = lines.at(-1)
    if (last?.text === text) last.times++
    else lines.push({ text, times: 1 })
  }
  if (lines.length < 2) return []
  const shown = lines.slice(0, MOST_STEPS).map(({ text, times }) => (times === 1 ? text : `${text}, ${times} times`))
  return lines.length > MOST_STEPS ? [...shown, '…'] : shown
}

/** Tabs stay tabs, so that the caret stands under its place whatever their width. */
function caretUnder(line: string, column: number): string {
  return `${[...line].slice(0, column - 1).join('').replace(/[^\t]/gu, ' ')}^`
}

/** The text of a value as `read` takes it back; null for the unspecified value. */
export function valueText(value: Value): string | null {
  if (value === UNSPECIFIED) return null
  if (value instanceof MultipleValues) return value.items.map((item) => print(item)).join('\n')
  return print(value)
}

/** Whether a text is a datum begun and not ended, so that another line may end it. */
export function isIncomplete(error: unknown): boolean {
  return error instanceof ReadError && error.incomplete
}

export { nearest } from '../engine/distance.ts'
export { ToolError }
