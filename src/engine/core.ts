// The core tree: what the expander makes of a form, and all that the stages after it handle.
// A variable that is never assigned is a JavaScript variable; an assigned one is a box, because
// frames that were moved to the heap and closures must share its location.

import type { Inline } from './inline.ts'
import type { Cell, Value } from './value.ts'

let variables = 0

export class Variable {
  readonly name: string
  readonly id: number
  assigned = false
  /** True where it may be read before it is defined (a letrec that is not all lambdas). */
  checked = false
  /** The constant that it is bound to and is written in its place. */
  stands: Core | null = null
  constructor(name: string) {
    this.name = name
    this.id = variables++
  }
}

/** `at`: offset in the source text of the form it comes from; -1 where there is none. */
export type Core =
  | { kind: 'const'; value: Value }
  | { kind: 'local'; variable: Variable; at: number }
  | { kind: 'global'; cell: Cell; at: number }
  | { kind: 'set'; variable: Variable; value: Core; at: number }
  /** `define`: the cell need not have a value yet. */
  | { kind: 'global-set'; cell: Cell; value: Core; define: boolean; at: number }
  | { kind: 'if'; test: Core; then: Core; else: Core }
  | Lambda
  | { kind: 'seq'; first: Core; second: Core }
  | { kind: 'let'; variable: Variable; init: Core; body: Core }
  | Letrec
  | Call
  | Prim

export interface Lambda {
  kind: 'lambda'
  params: Variable[]
  rest: Variable | null
  body: Core
  name: string
  at: number
}

/** Lambdas that see each other. */
export interface Letrec {
  kind: 'letrec'
  variables: Variable[]
  lambdas: Lambda[]
  body: Core
}

export interface Call {
  kind: 'call'
  procedure: Core
  args: Core[]
  at: number
  /** The call that this one stands for while the cell is not redefined: of its procedure for just these
   * arguments. */
  insteadOf?: { cell: Cell; args: Core[] }
}

/** A call of a builtin, known while the cell it stands in is not redefined. */
export interface Prim {
  kind: 'prim'
  op: Inline
  cell: Cell
  args: Core[]
  at: number
}

/** The tree with the calls of builtins in these cells as ordinary calls. */
export function withoutInlining(core: Core, cells: ReadonlySet<Cell>): Core {
  const inner = <T extends Core>(tree: T): T => withoutInlining(tree, cells) as T
  switch (core.kind) {
    case 'const':
    case 'local':
    case 'global':
      return core
    case 'set':
    case 'global-set':
      return { ...core, value: inner(core.value) }
    case 'if':
      return { ...core, test: inner(core.test), then: inner(core.then), else: inner(core.else) }
    case 'lambda':
      return { ...core, body: inner(core.body) }
    case 'seq':
      return { ...core, first: inner(core.first), second: inner(core.second) }
    case 'let':
      return { ...core, init: inner(core.init), body: inner(core.body) }
    case 'letrec':
      return { ...core, lambdas: core.lambdas.map(inner), body: inner(core.body) }
    case 'call': {
      const { insteadOf, at } = core
      if (insteadOf && cells.has(insteadOf.cell)) return { kind: 'call', procedure: { kind: 'global', cell: insteadOf.cell, at }, args: insteadOf.args.map(inner), at }
      return { ...core, procedure: inner(core.procedure), args: core.args.map(inner) }
    }
    case 'prim': {
      const args = core.args.map(inner)
      if (!cells.has(core.cell)) return { ...core, args }
      return { kind: 'call', procedure: { kind: 'global', cell: core.cell, at: core.at }, args, at: core.at }
    }
  }
}

const freeOf = new WeakMap<Core, ReadonlySet<Variable>>()
const EMPTY: ReadonlySet<Variable> = new Set()

export function union(a: ReadonlySet<Variable>, b: ReadonlySet<Variable>): ReadonlySet<Variable> {
  if (a.size === 0) return b
  if (b.size === 0) return a
  if (a.size < b.size) [a, b] = [b, a]
  let result: Set<Variable> | null = null
  for (const variable of b) if (!a.has(variable)) (result ??= new Set(a)).add(variable)
  return result ?? a
}

export function without(set: ReadonlySet<Variable>, variables: readonly Variable[]): ReadonlySet<Variable> {
  if (!variables.some((variable) => set.has(variable))) return set
  const result = new Set(set)
  for (const variable of variables) result.delete(variable)
  return result
}

/** The local variables that occur free in a tree; kept with the node, so trees must not change. */
export function freeVariables(core: Core): ReadonlySet<Variable> {
  if (core.kind === 'const' || core.kind === 'global') return EMPTY
  const known = freeOf.get(core)
  if (known) return known
  // What goes on and on in its last part is done from its end, in steps that JavaScript's stack can take.
  const tails: Core[] = []
  let length = 0
  for (let next: Core | null = core; next; next = lastPart(next)) if (length++ % 100 === 0) tails.push(next)
  for (const tail of tails.reverse()) freeOfLast(tail)
  return freeOfLast(core)
}

function lastPart(core: Core): Core | null {
  return core.kind === 'let' || core.kind === 'letrec' ? core.body : core.kind === 'seq' ? core.second : core.kind === 'if' ? core[longWay(core)] : null
}

/** The way of an `if` that goes on and on: that of `then` in an `and`, else that of `else`. */
export function longWay(core: Core & { kind: 'if' }): 'then' | 'else' {
  return goesOn(core.then) && !goesOn(core.else) ? 'then' : 'else'
}

export const otherWay = { then: 'else', else: 'then' } as const

function goesOn(core: Core): boolean {
  return core.kind === 'if' || core.kind === 'let' || core.kind === 'seq'
}

function freeOfLast(core: Core): ReadonlySet<Variable> {
  let free = freeOf.get(core)
  if (!free) freeOf.set(core, (free = computeFree(core)))
  return free
}

function computeFree(core: Core): ReadonlySet<Variable> {
  switch (core.kind) {
    case 'const':
    case 'global':
      return EMPTY
    case 'local':
      return new Set([core.variable])
    case 'set':
      return union(new Set([core.variable]), freeVariables(core.value))
    case 'global-set':
      return freeVariables(core.value)
    case 'if':
      return union(freeVariables(core.test), union(freeVariables(core[otherWay[longWay(core)]]), freeOfLast(core[longWay(core)])))
    case 'lambda':
      return without(freeVariables(core.body), core.rest ? [...core.params, core.rest] : core.params)
    case 'seq':
      return union(freeVariables(core.first), freeOfLast(core.second))
    case 'let':
      return union(freeVariables(core.init), without(freeOfLast(core.body), [core.variable]))
    case 'letrec':
      return without(
        core.lambdas.reduce((set, lambda) => union(set, freeVariables(lambda)), freeOfLast(core.body)),
        core.variables,
      )
    case 'call':
      return core.args.reduce((set, arg) => union(set, freeVariables(arg)), freeVariables(core.procedure))
    case 'prim':
      return core.args.reduce((set, arg) => union(set, freeVariables(arg)), EMPTY)
  }
}
