// The tools of a session: those of the program, and behind them what the person's servers offer.

import { prims } from './index.ts'
import type { Prim } from './prim.ts'

export interface ToolTable {
  /** In the order in which a model sees them. */
  readonly prims: readonly Prim[]
  find(name: string): Prim | undefined
}

export function toolTable(offered: readonly Prim[] = []): ToolTable {
  const all = [...prims, ...offered]
  const byName = new Map(all.map((prim) => [prim.name, prim]))
  return { prims: all, find: (name) => byName.get(name) }
}
