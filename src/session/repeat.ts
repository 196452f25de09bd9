// The calls of a context to how often the same one has given the same result, with nothing changed in
// between: a model that goes round in circles is told so.

import { createHash } from 'node:crypto'
import type { Outcome } from './event.ts'
import { outcomeText, type ToolUse } from './context.ts'
import { findPrim } from '../tool/index.ts'

/** Calls further back than that are another matter. */
const MOST_REMEMBERED = 12

export class Repeats {
  /** Hashes of the latest calls with their results, by context. */
  private readonly latest = new Map<string, string[]>()

  /** How often this call has now had this result. */
  count(ctx: string, { name, argumentsText }: ToolUse, outcome: Outcome): number {
    const key = createHash('sha256').update(JSON.stringify([name, argumentsText, outcome.ok, outcomeText(outcome)])).digest('hex')
    const before = this.latest.get(ctx) ?? []
    const hasChanged = outcome.ok && findPrim(name)?.effect === 'write'
    const calls = [...(hasChanged ? before.filter((one) => one === key) : before), key].slice(-MOST_REMEMBERED)
    this.latest.set(ctx, calls)
    return calls.filter((one) => one === key).length
  }
}
