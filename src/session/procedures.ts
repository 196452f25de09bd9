// Each Prim to a Scheme procedure of its name, called by position. It goes through `invoke` like every
// other use; an outcome that is none is raised as a condition, with the sentence a model would read.

import { SchemeError, label, type Engine, type HostCall, type Value } from '../engine/index.ts'
import { forms } from '../tool/bind.ts'
import type { Json, Prim } from '../tool/prim.ts'
import { fromJson } from '../tool/scheme-data.ts'
import type { Outcome } from './event.ts'

/** What carries a call by position to the door, for whoever runs the program. */
export type CallByPosition = (name: string, values: Value[], call: HostCall) => Promise<Outcome>

export function defineTools(engine: Engine, prims: readonly Prim[], perform: CallByPosition): void {
  for (const prim of prims)
    engine.define(prim.name, {
      params: parameterLine(prim),
      usage: forms(prim).join('\n'),
      doc: prim.doc,
      run: async (args, call) => valueOf(await perform(prim.name, args, call)),
    })
}

/** The value of an outcome, with its labels; raises what is no success. */
export function valueOf(outcome: Outcome): Value {
  if (!outcome.ok) throw new SchemeError(outcome.message, { help: outcome.help })
  return label(fromJson(outcome.value as Json), outcome.labels)
}

function parameterLine({ params }: Prim): string {
  return params.map(({ name, optional }) => (optional ? `[${name}]` : name)).join(' ')
}
