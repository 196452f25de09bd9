// Names and what they mean: identifiers, scopes, and the meanings that a scope gives them.
//
// Hygiene is by renaming. A macro's expansion puts a fresh Alias in the place of each symbol of its
// template. A scope binds identifiers, symbols or aliases; an alias that is bound nowhere around its
// use means what its original means where the macro was defined.

import type { Core, Variable } from './core.ts'
import { Cell, Pair, SchemeSymbol, type Value } from './value.ts'

export class Alias {
  readonly of: Identifier
  readonly scope: Scope
  constructor(of: Identifier, scope: Scope) {
    this.of = of
    this.scope = scope
  }
}

export type Identifier = SchemeSymbol | Alias

export function isIdentifier(value: Value): value is Identifier {
  return value instanceof SchemeSymbol || value instanceof Alias
}

export function symbolOf(identifier: Identifier): SchemeSymbol {
  while (identifier instanceof Alias) identifier = identifier.of
  return identifier
}

/** Syntax that the expander knows by itself. `expand` is given the whole form. */
export class Special {
  readonly name: string
  readonly usage: string
  readonly expand: (form: Pair, scope: Scope) => Core
  constructor(name: string, usage: string, expand: (form: Pair, scope: Scope) => Core) {
    this.name = name
    this.usage = usage
    this.expand = expand
  }
}

/** Syntax that turns a form into another form. */
export class Macro {
  readonly transform: (form: Pair, scope: Scope) => Value
  constructor(transform: (form: Pair, scope: Scope) => Value) {
    this.transform = transform
  }
}

export type Meaning = Variable | Cell | Special | Macro

/** Global names and what they mean. A name nobody defined has a cell without a value. Over a base, a
 * name that the base defines starts with the base's meaning in a cell of its own, so that a program
 * may redefine it and the base's own procedures do not notice. */
export class Environment {
  private readonly meanings = new Map<SchemeSymbol, Cell | Special | Macro>()
  private readonly base: Environment | null
  /** Told of each cell that takes over the value of a base's cell. */
  onInherit: (own: Cell, inherited: Cell) => void = () => {}
  /** Asked once for each name that is not known here. */
  onUnknown: (symbol: SchemeSymbol) => Cell | undefined = () => undefined

  constructor(base: Environment | null = null) {
    this.base = base
  }

  meaning(symbol: SchemeSymbol): Cell | Special | Macro {
    let meaning = this.known(symbol)
    if (!meaning || !this.meanings.has(symbol)) this.meanings.set(symbol, (meaning = this.inherit(symbol)))
    return meaning
  }

  private inherit(symbol: SchemeSymbol): Cell | Special | Macro {
    const inherited = this.base?.known(symbol)
    if (inherited && !(inherited instanceof Cell)) return inherited
    const cell = new Cell(symbol.name)
    if (inherited?.value === undefined) return cell
    cell.value = inherited.value
    this.onInherit(cell, inherited)
    return cell
  }

  /** What is known of a name, without making anything of it. */
  known(symbol: SchemeSymbol): Cell | Special | Macro | undefined {
    let meaning = this.meanings.get(symbol)
    if (meaning) return meaning
    meaning = this.onUnknown(symbol)
    if (meaning) this.meanings.set(symbol, meaning)
    return meaning ?? this.base?.known(symbol)
  }

  set(symbol: SchemeSymbol, meaning: Cell | Special | Macro): void {
    this.meanings.set(symbol, meaning)
  }

  /** The cell of a variable; a syntax of that name gives way to it. */
  cell(symbol: SchemeSymbol): Cell {
    const meaning = this.meaning(symbol)
    if (meaning instanceof Cell) return meaning
    const cell = new Cell(symbol.name)
    this.meanings.set(symbol, cell)
    return cell
  }

  /** The names that mean something, without the hidden ones (`%…`). */
  names(): string[] {
    const names = new Set(this.base?.names())
    for (const [symbol, meaning] of this.meanings)
      if (!(meaning instanceof Cell) || meaning.value !== undefined) names.add(symbol.name)
    return [...names].filter((name) => !name.startsWith('%')).sort()
  }
}

export class Scope {
  readonly parent: Scope | null
  readonly environment: Environment
  private readonly bindings = new Map<Identifier, Meaning>()

  constructor(parent: Scope | Environment) {
    this.parent = parent instanceof Scope ? parent : null
    this.environment = parent instanceof Scope ? parent.environment : parent
  }

  get isTop(): boolean {
    return this.parent === null
  }

  bind(identifier: Identifier, meaning: Meaning): void {
    this.bindings.set(identifier, meaning)
  }

  binds(identifier: Identifier): boolean {
    return this.bindings.has(identifier)
  }

  meaning(identifier: Identifier): Meaning {
    let scope: Scope | null = this as Scope
    let name = identifier
    for (;;) {
      for (; scope; scope = scope.parent) {
        const meaning = scope.bindings.get(name)
        if (meaning) return meaning
      }
      if (!(name instanceof Alias)) return this.environment.meaning(name)
      scope = name.scope
      name = name.of
    }
  }
}

/** The datum with every alias replaced by its symbol: what `quote` yields. */
export function stripAliases(datum: Value): Value {
  return hasAlias(datum) ? strip(datum) : datum
}

/** With a stack of its own: quoted data may be nested deeper than JavaScript's. */
function hasAlias(datum: Value): boolean {
  const seen = new Set<Value>()
  const open = [datum]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next instanceof Alias) return true
    if (!(next instanceof Pair) && !Array.isArray(next)) continue
    if (seen.has(next)) continue
    seen.add(next)
    if (next instanceof Pair) open.push(next.cdr, next.car)
    else for (const item of next) open.push(item)
  }
  return false
}

function strip(datum: Value): Value {
  if (datum instanceof Alias) return symbolOf(datum)
  if (Array.isArray(datum)) return datum.map(strip)
  if (!(datum instanceof Pair)) return datum
  const head = new Pair(strip(datum.car), datum.cdr)
  let last = head
  for (let rest = datum.cdr; ; rest = rest.cdr) {
    if (!(rest instanceof Pair)) {
      last.cdr = strip(rest)
      return head
    }
    const next = new Pair(strip(rest.car), rest.cdr)
    last.cdr = next
    last = next
  }
}
