// Which global variables hold builtins that may be called directly, and what to do when a program gives
// one of them another value: code compiled before is compiled again without it.

import { withoutInlining, type Core } from './core.ts'
import type { Inline } from './inline.ts'
import type { Cell, Procedure, Value } from './value.ts'

/** A procedure defined at the top level by code that calls builtins directly. */
interface Definition {
  cell: Cell
  /** The value it was given; another one since then is not touched. */
  value: Value | undefined
  core: Core
  used: ReadonlySet<Cell>
  compile(core: Core): Procedure
}

export class Inlining {
  /** By cell: the program's own, and those of the engine's own names, which nobody redefines. */
  private readonly own = new Map<Cell, Inline>()
  private readonly base: Map<Cell, Inline>
  private used = new Set<Cell>()
  private readonly stale = new Set<Cell>()
  private readonly definitions: Definition[] = []

  constructor(base: Map<Cell, Inline>) {
    this.base = base
  }

  /** A program's cell takes over the value of one of the engine's. */
  inherit(own: Cell, inherited: Cell): void {
    const inline = this.base.get(inherited)
    if (inline) this.own.set(own, inline)
  }

  find(cell: Cell): Inline | undefined {
    const inline = this.own.get(cell)
    if (inline) this.used.add(cell)
    return inline ?? this.base.get(cell)
  }

  /** The program defines or sets this variable. */
  forget(cell: Cell): void {
    if (this.own.delete(cell)) this.stale.add(cell)
  }

  /** The builtins that were found since it was last asked. */
  takeUsed(): ReadonlySet<Cell> {
    const { used } = this
    this.used = new Set()
    return used
  }

  /** Remembers a definition once it was carried out. */
  remember(core: Core, used: ReadonlySet<Cell>, compile: Definition['compile']): void {
    if (used.size === 0 || core.kind !== 'global-set' || core.value.kind !== 'lambda') return
    this.definitions.push({ cell: core.cell, value: core.cell.value, core: core.value, used, compile })
  }

  /** The procedures whose code calls a builtin that is none any more, each with what puts a new one in
   * its place. A closure made earlier, or kept elsewhere, goes on with the builtin. */
  *takeStale(): Generator<(make: (unit: Procedure) => Value) => void> {
    if (this.stale.size === 0) return
    const stale = new Set(this.stale)
    this.stale.clear()
    for (const definition of this.definitions) {
      const { cell, value, core, used, compile } = definition
      if (cell.value !== value || ![...used].some((one) => stale.has(one))) continue
      yield (make) => {
        definition.core = withoutInlining(core, stale)
        definition.value = cell.value = make(compile(definition.core))
      }
    }
  }
}
