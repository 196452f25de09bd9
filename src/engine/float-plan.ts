// Which variables of a loop are worth keeping as bare JavaScript numbers because they seem to be inexact
// reals. Only a guess from the text of the loop: what arithmetic brings together belongs together, and
// where a float literal or a variable known to be inexact is among it, all of it is taken for inexact.
// The code made from the plan asks at run time whether the guess holds.

import { freeVariables, type Core, type Letrec, type Variable } from './core.ts'
import { Flonum } from './value.ts'

export interface FloatPlan {
  /** Parameters of the loop. */
  params: ReadonlySet<Variable>
  /** Variables from around the loop that it computes with. */
  free: Variable[]
}

/** Past this many nodes the loop's code is not made twice. */
const LARGEST = 400
const ARITHMETIC = new Set(['+', '-', '*', '/', 'abs', 'square', 'min', 'max', 'sqrt', 'exp', 'floor', 'ceiling', 'truncate', 'round'])
const COMPARISON = new Set(['=', '<', '>', '<=', '>=', 'zero?', 'positive?', 'negative?'])

/** A variable, or the value of an arithmetic expression. */
type Item = object
const FLOAT: Item = {}

/** `isFloat` tells of variables that are known to be inexact. Null: nothing to gain. */
export function planFloats(loop: Letrec, isFloat: (variable: Variable) => boolean): FloatPlan | null {
  const [lambda] = loop.lambdas
  const classes = new Classes()
  const params = new Map<Variable, Variable[]>([[loop.variables[0]!, lambda!.params]])
  const survey = new Survey(classes, params, isFloat)
  survey.visit(loop.body)
  survey.visit(lambda!.body)
  if (survey.nodes > LARGEST) return null
  const seemsFloat = (variable: Variable) => !variable.assigned && !isFloat(variable) && classes.same(variable, FLOAT)
  const chosen = new Set(lambda!.params.filter(seemsFloat))
  if (chosen.size === 0) return null
  const inner = new Set(lambda!.params)
  const free = [...freeVariables(lambda!.body)].filter((variable) => !inner.has(variable) && variable !== loop.variables[0] && seemsFloat(variable))
  return { params: chosen, free }
}

/** Items joined into classes (union-find). */
class Classes {
  private readonly parents = new Map<Item, Item>()

  private root(item: Item): Item {
    for (let parent = this.parents.get(item); parent; parent = this.parents.get(item)) item = parent
    return item
  }

  join(a: Item, b: Item): void {
    const [one, other] = [this.root(a), this.root(b)]
    if (one !== other) this.parents.set(one, other)
  }

  same(a: Item, b: Item): boolean {
    return this.root(a) === this.root(b)
  }
}

class Survey {
  nodes = 0
  private readonly classes: Classes
  /** Parameters of the loops met, by the loop's name. */
  private readonly params: Map<Variable, Variable[]>
  private readonly isFloat: (variable: Variable) => boolean

  constructor(classes: Classes, params: Map<Variable, Variable[]>, isFloat: (variable: Variable) => boolean) {
    this.classes = classes
    this.params = params
    this.isFloat = isFloat
  }

  /** The item that a tree's value belongs to; null where arithmetic says nothing of it. */
  visit(core: Core): Item | null {
    if (++this.nodes > LARGEST) return null
    switch (core.kind) {
      case 'const':
        return core.value instanceof Flonum ? FLOAT : null
      case 'local':
        return this.isFloat(core.variable) ? FLOAT : core.variable.assigned ? null : core.variable
      case 'prim':
        return this.visitPrim(core)
      case 'if': {
        this.visit(core.test)
        return this.together([core.then, core.else])
      }
      case 'seq':
        this.visit(core.first)
        return this.visit(core.second)
      case 'let':
        this.bind(core.variable, core.init)
        return this.visit(core.body)
      case 'letrec':
        core.variables.forEach((variable, i) => this.params.set(variable, core.lambdas[i]!.params))
        for (const lambda of core.lambdas) this.visit(lambda.body)
        return this.visit(core.body)
      case 'call':
        return this.visitCall(core)
      case 'lambda':
        this.visit(core.body)
        return null
      case 'set':
      case 'global-set':
        this.visit(core.value)
        return null
      case 'global':
        return null
    }
  }

  private visitPrim({ op, args }: Core & { kind: 'prim' }): Item | null {
    if (op.name === 'exact->inexact' || op.name === 'inexact') {
      args.forEach((arg) => this.visit(arg))
      return FLOAT
    }
    const isArithmetic = ARITHMETIC.has(op.name)
    if (isArithmetic || COMPARISON.has(op.name)) {
      const item = this.together(args)
      return isArithmetic ? (item ?? {}) : null
    }
    args.forEach((arg) => this.visit(arg))
    return null
  }

  private visitCall({ procedure, args }: Core & { kind: 'call' }): null {
    const params = procedure.kind === 'local' ? this.params.get(procedure.variable) : undefined
    this.visit(procedure)
    args.forEach((arg, i) => (params?.[i] ? this.bind(params[i], arg) : this.visit(arg)))
    return null
  }

  private bind(variable: Variable, init: Core): void {
    const item = this.visit(init)
    if (item && !variable.assigned) this.classes.join(variable, item)
  }

  private together(trees: Core[]): Item | null {
    const items = trees.map((tree) => this.visit(tree)).filter((item) => item !== null)
    for (const item of items.slice(1)) this.classes.join(items[0]!, item)
    return items[0] ?? null
  }
}
