// A call to its positional form, as text that Scheme reads: `(fs-edit "a.txt" "" "" #f ((("old" . "x") …)))`.
// So it stands in the event log and before the person who is asked.

import { print } from '../engine/printer.ts'
import type { Json } from './json.ts'
import type { Arguments, Prim } from './prim.ts'
import { fromJson } from './scheme-data.ts'

/** Options at the end that were left out stay out; one that stands at its default does too. */
export function positionalForm(prim: Prim, args: Arguments): string {
  const last = prim.params.findLastIndex(({ name, default: usual }) => args.has(name) && args.get(name) !== usual)
  const values = prim.params.slice(0, last + 1).map(({ name, default: usual }) => args.get(name) ?? usual ?? null)
  return [`(${prim.name}`, ...values.map(argumentText)].join(' ') + ')'
}

function argumentText(value: Json): string {
  return print(fromJson(value))
}
