// Libraries (R7RS 5.2, 5.6): `define-library` to its exports and the code that fills its variables,
// `import` to names in an environment and the code that runs, once, the libraries they are from.
//
// A library is expanded when it is first imported; its body runs when that import does.

import type { Core } from './core.ts'
import type { Expander } from './expander.ts'
import { nearest } from './distance.ts'
import { show } from './printer.ts'
import type { Source } from './reader.ts'
import { STANDARD_LIBRARIES, STANDARD_PREFIXES } from './standard-library.ts'
import { Environment, Special, stripAliases, symbolOf, isIdentifier, type GlobalMeaning } from './syntax.ts'
import { Cell, Pair, SchemeSymbol, UNSPECIFIED, intern, listItems, type Procedure, type Value } from './value.ts'

interface Library {
  exports: Map<SchemeSymbol, GlobalMeaning>
  /** Runs its body where that has not been done; null for the engine's own. */
  run: Procedure | null
  /** The libraries that it imports, which run before it. */
  uses: Library[]
}

/** A library that was defined and not imported yet. */
interface Definition {
  name: string
  form: Pair
  source: Source | null
}

/** The text of a library that no program defined, or null where the host has none of that name. */
export type FindLibrary = (name: string[]) => { file: string; text: string } | null

const USAGE = '(define-library (name …) declaration …)'

export class Libraries {
  private readonly expander: Expander
  /** The unit that evaluates a top-level core form of a source. */
  private readonly compile: (core: Core) => Procedure
  private readonly names: () => string[]
  private readonly find: FindLibrary
  private readonly defined = new Map<string, Definition>()
  private readonly expanded = new Map<string, Library | 'under way'>()

  /** `names`: all that there are, which the library `(nodwyn)` exports. */
  constructor(expander: Expander, names: () => string[], compile: Libraries['compile'], find: FindLibrary) {
    this.expander = expander
    this.names = names
    this.compile = compile
    this.find = find
  }

  syntax(): Special[] {
    const { expander } = this
    return [
      expander.syntax('(import set …)', (_form, scope, sets) => {
        if (!scope.isTop) throw expander.error('import: an import can only stand at the top level')
        return this.import(sets.map(stripAliases), scope.environment)
      }),
      expander.syntax(USAGE, (form, scope, [name]) => {
        if (!scope.isTop) throw expander.error('define-library: a library can only be defined at the top level')
        const key = this.nameOf(stripAliases(name!))
        this.defined.set(key, { name: key, form, source: expander.source })
        this.expanded.delete(key)
        return { kind: 'const', value: UNSPECIFIED }
      }, 1),
    ]
  }

  /** Whether there is a library of that name. */
  has(name: Value): boolean {
    const key = show(stripAliases(name))
    return this.defined.has(key) || STANDARD_LIBRARIES.has(key) || STANDARD_PREFIXES.has(key) || key === '(nodwyn)' || this.findText(name) !== null
  }

  /** Binds what the import sets name in `environment`; the core form runs the libraries. */
  import(sets: Value[], environment: Environment): Core {
    const libraries = new Set<Library>()
    for (const set of sets) {
      const { library, names } = this.importSet(set)
      libraries.add(library)
      for (const [name, meaning] of names) environment.import(name, meaning)
    }
    return runAll([...libraries])
  }

  private importSet(set: Value): { library: Library; names: Map<SchemeSymbol, GlobalMeaning> } {
    const parts = listItems(set)
    const kind = parts?.[0] instanceof SchemeSymbol ? parts[0].name : ''
    if (!parts || !['only', 'except', 'prefix', 'rename'].includes(kind) || !(parts[1] instanceof Pair)) {
      const library = this.library(set)
      return { library, names: new Map(library.exports) }
    }
    const { library, names } = this.importSet(parts[1])
    const rest = parts.slice(2)
    const take = (name: Value): [SchemeSymbol, GlobalMeaning] => {
      const meaning = name instanceof SchemeSymbol ? names.get(name) : undefined
      if (meaning) return [name as SchemeSymbol, meaning]
      const near = name instanceof SchemeSymbol ? nearest(name.name, [...names.keys()].map((known) => known.name)) : null
      throw this.expander.error(`import: ${show(parts[1]!)} has no ${show(name)}`, near === null ? null : `did you mean ${near}`)
    }
    switch (kind) {
      case 'only':
        return { library, names: new Map(rest.map(take)) }
      case 'except':
        for (const name of rest) names.delete(take(name)[0])
        return { library, names }
      case 'prefix': {
        const prefix = this.expander.identifier(rest[0] ?? UNSPECIFIED, '(prefix set name)', set)
        return { library, names: new Map([...names].map(([name, meaning]) => [intern(symbolOf(prefix).name + name.name), meaning])) }
      }
      default: {
        const renamed = rest.map((pair) => {
          const [from, to] = listItems(pair) ?? []
          if (!(to instanceof SchemeSymbol)) throw this.expander.error(`import: expected (from to), got ${show(pair)}`, 'the form is (rename set (from to) …)')
          return { from: take(from!), to }
        })
        for (const { from } of renamed) names.delete(from[0])
        for (const { from, to } of renamed) names.set(to, from[1])
        return { library, names }
      }
    }
  }

  private nameOf(name: Value): string {
    const parts = listItems(name)
    const isPart = (part: Value) => part instanceof SchemeSymbol || (typeof part === 'number' && part >= 0)
    if (!parts || parts.length === 0 || !parts.every(isPart))
      throw this.expander.error(`expected the name of a library, a list of symbols and integers, got ${show(name)}`)
    return show(name)
  }

  private library(name: Value): Library {
    const key = this.nameOf(name)
    const known = this.expanded.get(key)
    if (known === 'under way') throw this.expander.error(`import: ${key} imports itself, directly or through others`)
    if (known) return known
    const found = this.defined.has(key) ? null : this.standard(key)
    if (found) return found
    const definition = this.defined.get(key) ?? this.load(key, name)
    this.expanded.set(key, 'under way')
    try {
      const library = this.expand(definition)
      this.expanded.set(key, library)
      return library
    } catch (error) {
      this.expanded.delete(key)
      throw error
    }
  }

  private standard(key: string): Library | null {
    const known = (symbol: SchemeSymbol) => this.expander.base.known(symbol)
    const prefix = STANDARD_PREFIXES.get(key)
    const names = prefix ? this.names().filter((name) => prefix.test(name)) : key === '(nodwyn)' ? this.names() : STANDARD_LIBRARIES.get(key)
    if (!names) return null
    const exports = new Map<SchemeSymbol, GlobalMeaning>()
    for (const name of names) {
      const meaning = known(intern(name))
      if (meaning && !(meaning instanceof Cell && meaning.value === undefined)) exports.set(intern(name), meaning)
    }
    return { exports, run: null, uses: [] }
  }

  private findText(name: Value): { file: string; text: string } | null {
    return this.find((listItems(name) ?? []).map((part) => (part instanceof SchemeSymbol ? part.name : String(part))))
  }

  /** The library from a file of the host's, which may define others beside it. */
  private load(key: string, name: Value): Definition {
    const text = this.findText(name)
    if (text) {
      const source = this.expander.sources.read(text.text, text.file)
      for (const form of source.data) {
        if (!(form instanceof Pair) || form.car !== intern('define-library') || !(form.cdr instanceof Pair)) continue
        const found = this.nameOf(form.cdr.car)
        if (!this.defined.has(found)) this.defined.set(found, { name: found, form, source })
      }
      const definition = this.defined.get(key)
      if (definition) return definition
      throw this.expander.error(`import: ${text.file} does not define the library ${key}`)
    }
    const all = [...STANDARD_LIBRARIES.keys(), ...STANDARD_PREFIXES.keys(), '(nodwyn)', ...this.defined.keys()]
    const near = nearest(key, all)
    throw this.expander.error(`import: unknown library ${key}`, near === null ? `known are ${all.join(' ')}` : `did you mean ${near}`)
  }

  private expand({ name, form, source }: Definition): Library {
    const { expander } = this
    const outer = { source: expander.source, at: expander.at }
    expander.source = source
    try {
      return expander.within(form, () => this.expandBody(name, form))
    } finally {
      expander.source = outer.source
      expander.at = outer.at
    }
  }

  private expandBody(name: string, form: Pair): Library {
    const { expander } = this
    const environment = new Environment()
    const declared: Declared = { exports: [], imports: [], bodies: [] }
    this.declarations(listItems(form)!.slice(2), expander.source, declared)
    const uses = new Set<Library>()
    for (const { set, at, source } of declared.imports)
      this.standing(source, at, () => {
        const { library, names } = this.importSet(set)
        uses.add(library)
        for (const [symbol, meaning] of names) environment.import(symbol, meaning)
      })
    const done = new Cell('done')
    const units: Core[] = []
    for (const { forms, source } of declared.bodies) {
      for (const bodyForm of forms) {
        expander.source = source
        for (const core of expander.topLevel(bodyForm, environment.top)) units.push(constantCall(lazily(() => this.compile(core))))
      }
    }
    const exports = new Map<SchemeSymbol, GlobalMeaning>()
    for (const { inside, outside, at, source } of declared.exports)
      this.standing(source, at, () => {
        const meaning = environment.known(inside)
        if (!meaning || !(environment.imports(inside) || environment.defines(inside)))
          throw expander.error(`define-library: ${name} exports ${inside.name}, which it does not define`, suggestion(inside, environment))
        exports.set(outside, meaning)
      })
    return { exports, run: lazily(() => this.compile(once(done, units))), uses: [...uses] }
  }

  /** Runs `step` with errors at a place in a source. */
  private standing(source: Source | null, at: number, step: () => void): void {
    const { expander } = this
    expander.source = source
    expander.at = at
    step()
  }

  private declarations(forms: Value[], source: Source | null, into: Declared): void {
    const { expander } = this
    for (const form of forms) {
      expander.source = source
      if (!(form instanceof Pair) || !isIdentifier(form.car)) throw expander.error(`define-library: expected a declaration, got ${show(stripAliases(form))}`)
      expander.within(form, () => this.declaration(form, symbolOf(form.car as SchemeSymbol).name, source, into))
    }
  }

  private declaration(form: Pair, kind: string, source: Source | null, into: Declared): void {
    const { expander } = this
    const parts = expander.forms(form, USAGE).slice(1)
    const { at } = expander
    switch (kind) {
      case 'export':
        for (const spec of parts) into.exports.push({ ...this.exportSpec(spec), at, source })
        return
      case 'import':
        for (const set of parts) into.imports.push({ set: stripAliases(set), at, source })
        return
      case 'begin':
        into.bodies.push({ forms: parts, source })
        return
      case 'include':
      case 'include-ci':
        for (const included of expander.included(kind, form)) into.bodies.push({ forms: included.data, source: included })
        return
      case 'include-library-declarations':
        for (const included of expander.included(kind, form)) this.declarations(included.data, included, into)
        expander.source = source
        return
      case 'cond-expand': {
        this.declarations(expander.condExpand(form, expander.base.top), source, into)
        return
      }
    }
    throw expander.error(`define-library: unknown declaration ${kind}`, 'there are export, import, begin, include, include-ci, include-library-declarations and cond-expand')
  }

  private exportSpec(spec: Value): { inside: SchemeSymbol; outside: SchemeSymbol } {
    if (spec instanceof SchemeSymbol) return { inside: spec, outside: spec }
    const [rename, inside, outside] = listItems(spec) ?? []
    if (rename === intern('rename') && inside instanceof SchemeSymbol && outside instanceof SchemeSymbol) return { inside, outside }
    throw this.expander.error(`define-library: expected a name or (rename inside outside), got ${show(stripAliases(spec))}`)
  }
}

interface Declared {
  exports: { inside: SchemeSymbol; outside: SchemeSymbol; at: number; source: Source | null }[]
  imports: { set: Value; at: number; source: Source | null }[]
  bodies: { forms: Value[]; source: Source | null }[]
}

function suggestion(name: SchemeSymbol, environment: Environment): string | null {
  const near = nearest(name.name, environment.ownNames())
  return near === null ? null : `did you mean ${near}`
}

function constantCall(procedure: Procedure): Core {
  return { kind: 'call', procedure: { kind: 'const', value: procedure }, args: [], at: -1 }
}

function lazily(make: () => Procedure): Procedure {
  let made: Procedure | null = null
  return (depth) => (made ??= make())(depth)
}

function sequence(cores: Core[]): Core {
  return cores.reduceRight<Core>((second, first) => ({ kind: 'seq', first, second }), { kind: 'const', value: UNSPECIFIED })
}

/** The units in their order, unless they have been run to their end before. */
function once(done: Cell, units: Core[]): Core {
  done.value = false
  const mark: Core = { kind: 'global-set', cell: done, value: { kind: 'const', value: true }, define: true, at: -1 }
  return { kind: 'if', test: { kind: 'global', cell: done, at: -1 }, then: { kind: 'const', value: UNSPECIFIED }, else: sequence([...units, mark]) }
}

/** The bodies of libraries and of what they use, each after those it uses. */
function runAll(libraries: Library[]): Core {
  const order = new Set<Library>()
  const visit = (library: Library) => {
    if (order.has(library)) return
    library.uses.forEach(visit)
    order.add(library)
  }
  libraries.forEach(visit)
  return sequence([...order].flatMap(({ run }) => (run ? [constantCall(run)] : [])))
}
