// Names and what they mean: identifiers, scopes, and the meanings that a scope gives them.
//
// Hygiene is by renaming. A macro's expansion puts a fresh Alias in the place of each symbol of its
// template. A scope binds identifiers, symbols or aliases; an alias that is bound nowhere around its
// use means what its original means where the macro was defined.

import type { Core, Variable } from './core.ts'
import { Cell, Pair, SchemeSymbol, intern, type Value } from './value.ts'

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
export type GlobalMeaning = Cell | Special | Macro

/** Global names and what they mean: the engine's own, a program's, or a library's. A name nobody
 * defined has a cell without a value. Over a base, a name that the base defines starts with the base's
 * meaning in a cell of its own, so that a program may redefine it and the base's own procedures do not
 * notice. */
export class Environment {
  readonly typeName = 'environment'
  /** The outermost scope of code that stands in this environment. */
  readonly top = new Scope(this)
  private readonly meanings = new Map<SchemeSymbol, GlobalMeaning>()
  private readonly imported = new Set<SchemeSymbol>()
  private readonly defined = new Set<SchemeSymbol>()
  private readonly base: Environment | null
  /** Told of each cell that takes over the value of a base's cell. */
  onInherit: (own: Cell, inherited: Cell) => void = () => {}
  /** Asked once for each name that is not known here. */
  onUnknown: (symbol: SchemeSymbol) => Cell | undefined = () => undefined

  constructor(base: Environment | null = null) {
    this.base = base
  }

  meaning(symbol: SchemeSymbol): GlobalMeaning {
    let meaning = this.known(symbol)
    if (!meaning || !this.meanings.has(symbol)) this.meanings.set(symbol, (meaning = this.inherit(symbol, this.base?.known(symbol))))
    return meaning
  }

  private inherit(symbol: SchemeSymbol, inherited: GlobalMeaning | undefined): GlobalMeaning {
    if (inherited && !(inherited instanceof Cell)) return inherited
    if (inherited?.value === undefined) return new Cell(symbol.name)
    const cell = new Cell(symbol.name, inherited)
    cell.value = inherited.value
    this.onInherit(cell, inherited)
    return cell
  }

  /** What is known of a name, without making anything of it. */
  known(symbol: SchemeSymbol): GlobalMeaning | undefined {
    let meaning = this.meanings.get(symbol)
    if (meaning) return meaning
    meaning = this.onUnknown(symbol)
    if (meaning) this.meanings.set(symbol, meaning)
    return meaning ?? this.base?.known(symbol)
  }

  set(symbol: SchemeSymbol, meaning: GlobalMeaning): void {
    this.imported.delete(symbol)
    this.defined.add(symbol)
    this.meanings.set(symbol, meaning)
  }

  /** `meaning`, from a library, by the name `symbol` here. */
  import(symbol: SchemeSymbol, meaning: GlobalMeaning): void {
    const isBase = meaning instanceof Cell && this.base?.known(intern(meaning.name)) === meaning
    this.meanings.set(symbol, isBase ? this.inherit(symbol, meaning) : meaning)
    if (isBase) this.imported.delete(symbol)
    else this.imported.add(symbol)
  }

  /** Whether a name stands for what a library exports; a program may define it anew but not set it. */
  imports(symbol: SchemeSymbol): boolean {
    return this.imported.has(symbol)
  }

  defines(symbol: SchemeSymbol): boolean {
    return this.defined.has(symbol)
  }

  /** The cell of a variable that is defined here; a syntax or an import of that name gives way to it. */
  cell(symbol: SchemeSymbol): Cell {
    this.defined.add(symbol)
    const meaning = this.meaning(symbol)
    if (meaning instanceof Cell && !this.imported.delete(symbol)) return meaning
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

  /** The names that were defined or imported here. */
  ownNames(): string[] {
    return [...this.defined, ...this.imported].map((symbol) => symbol.name).sort()
  }
}

/** Whether two names mean the same (R7RS 4.3.2): one binding, or both none and the same name. */
export function isSameMeaning(a: Meaning, b: Meaning): boolean {
  if (a === b) return true
  if (!(a instanceof Cell) || !(b instanceof Cell)) return false
  return (a.origin ?? a) === (b.origin ?? b) || (a.value === undefined && b.value === undefined && a.name === b.name)
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
    for (let scope = this as Scope | null; scope; scope = scope.parent) {
      const found = scope.bindings.get(identifier)
      if (found) return found
    }
    return identifier instanceof Alias ? identifier.scope.meaning(identifier.of) : this.environment.meaning(identifier)
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
