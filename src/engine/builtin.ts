// How the engine's own procedures are declared: tables of rows, one row a builtin, from which the
// machine makes Scheme procedures that check how many arguments they get.

import { SchemeError } from './error.ts'
import { show } from './printer.ts'
import { DEFAULT, type Value } from './value.ts'

/** One builtin. `params` names its parameters in order, as its usage line shows them:
 * "list k" two, "number [radix]" one and an optional one, "string ..." any number, "n1 n ..." one and
 * more. `run` gets the arguments by position; an optional one that was not given is DEFAULT; a rest
 * parameter is spread. It returns at once and calls no Scheme procedure (those that do are written in
 * Scheme, scheme/prelude.scm). It need not care for labelled arguments: where one comes, the machine
 * calls it with the bare values and labels the result. */
export interface Builtin {
  name: string
  params: string
  run: (...args: never[]) => Value
  /** True where it looks inside its arguments (elements of a list, keys of a table), so that labels
   * found there, at any depth, must go to the result too. */
  deep?: boolean
  /** As `run` for exactly two arguments, where that is quicker. */
  binary?: Binary
  /** One sentence for `,doc`. */
  doc?: string
}

export type Binary = (a: Value, b: Value) => Value

/** The least and the most arguments a parameter text stands for; most is Infinity with a rest. */
export function arityOf(params: string): { least: number; most: number } {
  if (params === '') return { least: 0, most: 0 }
  const words = params.split(' ')
  const rest = words.at(-1) === '...'
  if (rest) words.splice(-2)
  // From the first bracket on: `[start end]` is two optional ones.
  const optional = words.findIndex((word) => word.startsWith('['))
  const least = optional < 0 ? words.length : optional
  return { least, most: rest ? Infinity : words.length }
}

/** The error for an argument of the wrong type: "car: expected a pair, got 42".
 */
export function wrongType(who: string, expected: string, got: Value): SchemeError {
  return new SchemeError(`${who}: expected ${expected}, got ${show(got)}`)
}

export function isGiven(value: Value): boolean {
  return value !== DEFAULT
}
