// Forms to core trees: macro use, the basic syntax of R7RS 4.1 and 4.3, and bodies with their
// definitions. Syntax that can be said in terms of it is in derived.ts.

import { Variable, freeVariables, type Core, type Lambda } from './core.ts'
import { SchemeError, type Position } from './error.ts'
import type { Usual } from './inline.ts'
import type { Inlining } from './inlining.ts'
import type { Libraries } from './library.ts'
import { print, show } from './printer.ts'
import type { Source } from './reader.ts'
import type { Sources } from './source.ts'
import { Alias, Environment, Macro, Scope, Special, isIdentifier, stripAliases, symbolOf, type Identifier } from './syntax.ts'
import { makeSyntaxRules } from './syntax-rules.ts'
import { Cell, NIL, Pair, UNSPECIFIED, intern, listItems, type Value } from './value.ts'

export const UNSPECIFIED_CORE: Core = { kind: 'const', value: UNSPECIFIED }

/** A definition met while a body is read: what it binds, and its value, to be expanded once all names
 * of the body are known. */
type BodyItem = { variables: Variable[]; expand: () => Core; spread?: boolean }

export class Expander {
  /** Where the engine's own procedures and syntax are found, whatever a program does to their names. */
  readonly base: Environment
  private readonly inlining: Inlining
  /** Set by the runtime, before anything is expanded. */
  libraries!: Libraries
  /** The text whose forms are being expanded; null for forms that a program made. */
  source: Source | null = null
  readonly sources: Sources
  /** The text of a file that the text of the file `from` includes; throws where the host gives no files. */
  include: (file: string, from: string) => string = (file) => {
    throw this.error(`include: there are no files here, got ${show(file)}`)
  }
  /** Place of the form being expanded. */
  at = -1
  /** Usage and documentation of the procedures defined at the top level with a doc string, by name. */
  readonly docs = new Map<string, { usage: string; doc: string }>()

  constructor(base: Environment, inlining: Inlining, sources: Sources) {
    this.sources = sources
    this.base = base
    this.inlining = inlining
  }

  /** The core tree of a top-level form that is no `begin` and no syntax definition. */
  expand(form: Value, scope: Scope): Core {
    if (form instanceof Pair) return this.within(form, () => this.expandPair(form, scope))
    if (isIdentifier(form)) return this.reference(form, scope)
    if (form === NIL) throw this.error('empty combination ()', "write '() for the empty list")
    return { kind: 'const', value: form }
  }

  /** Runs `step` with `at` being the form's place, if the form has one. */
  within<T>(form: object, step: () => T): T {
    const outer = this.at
    this.at = this.source?.places.get(form) ?? outer
    const result = step()
    this.at = outer
    return result
  }

  error(message: string, help: string | null = null, irritants: Value[] = []): SchemeError {
    const position = this.position()
    return new SchemeError(message, { kind: 'syntax', position, help, irritants })
  }

  position(): Position | null {
    return this.sources.position(this.at)
  }

  /** A call of one of the engine's own procedures, whatever the program calls by that name. */
  callBuiltin(name: string, ...args: Core[]): Core {
    return this.call({ kind: 'global', cell: this.base.cell(intern(name)), at: this.at }, args)
  }

  call(procedure: Core, args: Core[]): Core {
    if (procedure.kind === 'global') {
      const { cell } = procedure
      const op = this.inlining.find(cell)
      const usual = op?.usualCall(args.length)
      if (usual) return this.usualCall(usual, cell, args)
      if (op?.accepts(args.length)) return { kind: 'prim', op, cell, args, at: this.at }
    }
    if (procedure.kind === 'lambda' && !procedure.rest && procedure.params.length === args.length)
      return bindAll(procedure.params, args, procedure.body)
    return { kind: 'call', procedure, args, at: this.at }
  }

  /** A call of the procedure that does what is asked for with just these arguments. */
  private usualCall({ name, again }: Usual, cell: Cell, args: Core[]): Core {
    const procedure: Core = { kind: 'global', cell: this.base.cell(intern(name)), at: this.at }
    if (again === undefined) return { kind: 'call', procedure, args, at: this.at, insteadOf: { cell, args } }
    const variables = args.map(() => new Variable('argument'))
    const refs = variables.map((variable): Core => ({ kind: 'local', variable, at: this.at }))
    return bindAll(variables, args, { kind: 'call', procedure, args: [...refs, { ...refs[again]! }], at: this.at, insteadOf: { cell, args: refs } })
  }

  private expandPair(form: Pair, scope: Scope): Core {
    if (isIdentifier(form.car)) {
      const meaning = scope.meaning(form.car)
      if (meaning instanceof Special) return meaning.expand(form, scope)
      if (meaning instanceof Macro) return this.expand(meaning.transform(form, scope), scope)
    }
    const args = listItems(form.cdr)
    if (!args) throw this.error(`a call must be a proper list, got ${show(stripAliases(form))}`)
    const procedure = this.expand(form.car, scope)
    return this.call(
      procedure,
      args.map((arg) => this.expand(arg, scope)),
    )
  }

  reference(identifier: Identifier, scope: Scope): Core {
    const meaning = scope.meaning(identifier)
    if (meaning instanceof Variable) return { kind: 'local', variable: meaning, at: this.at }
    if (meaning instanceof Cell) return { kind: 'global', cell: meaning, at: this.at }
    const name = symbolOf(identifier).name
    throw this.error(`${name} is syntax and no value`, `write (${name} …)`)
  }

  /** The forms of a proper list, or an error that shows the usage of `name`. */
  forms(form: Value, usage: string): Value[] {
    const items = listItems(form)
    if (!items) throw this.misuse(usage, form)
    return items
  }

  misuse(usage: string, form: Value): SchemeError {
    const name = usage.slice(1).split(/[ )]/)[0]
    return this.error(`${name}: bad syntax ${show(stripAliases(form))}`, `the form is ${usage}`)
  }

  identifier(value: Value, usage: string, form: Value): Identifier {
    if (isIdentifier(value)) return value
    const name = usage.slice(1).split(/[ )]/)[0]
    throw this.error(`${name}: expected a name, got ${show(stripAliases(value))}`, `the form is ${usage}`, [form])
  }

  sequence(forms: Value[], scope: Scope): Core {
    if (forms.length === 0) return UNSPECIFIED_CORE
    return sequenceOf(forms.map((form) => this.expand(form, scope)))
  }

  lambda(params: Value, body: Value[], scope: Scope, name: string, usage: string, form: Value): Lambda {
    const inner = new Scope(scope)
    const variables: Variable[] = []
    const bind = (value: Value): Variable => {
      const identifier = this.identifier(value, usage, form)
      if (inner.binds(identifier))
        throw this.error(`${usage.slice(1).split(' ')[0]}: duplicate name ${symbolOf(identifier).name}`)
      const variable = new Variable(symbolOf(identifier).name)
      inner.bind(identifier, variable)
      return variable
    }
    let rest = params
    for (; rest instanceof Pair; rest = rest.cdr) variables.push(bind(rest.car))
    const restVariable = rest === NIL ? null : bind(rest)
    const at = this.at
    return { kind: 'lambda', params: variables, rest: restVariable, body: this.body(body, inner, usage, form), name, at }
  }

  /** A body (R7RS 5.3.2): definitions, then expressions; definitions between expressions are taken too. */
  body(forms: Value[], outer: Scope, usage: string, form: Value): Core {
    if (forms.length === 0) throw this.error(`${usage.slice(1).split(' ')[0]}: no expression in the body`, `the form is ${usage}`)
    const scope = new Scope(outer)
    const items: BodyItem[] = []
    for (const inner of forms) this.bodyForm(inner, scope, items)
    const last = items.at(-1)
    if (!last || last.variables.length > 0)
      throw this.error(`${usage.slice(1).split(' ')[0]}: the body ends in a definition, expected an expression`, null, [form])
    items.pop()
    const inits = items.map((item) => ({ ...item, core: item.expand() }))
    return letrecStar(inits, last.expand(), (item, body) => this.bindValues(item.variables, item.core, body, item.spread))
  }

  private bodyForm(form: Value, scope: Scope, items: BodyItem[]): void {
    const at = this.source?.places.get(form as object) ?? this.at
    const expandLater = (step: () => Core) => () => {
      const outer = this.at
      this.at = at
      const core = step()
      this.at = outer
      return core
    }
    if (form instanceof Pair && isIdentifier(form.car)) {
      const meaning = scope.meaning(form.car)
      if (meaning instanceof Macro)
        return this.within(form, () => this.bodyForm(meaning.transform(form, scope), scope, items))
      if (meaning instanceof Special) {
        switch (meaning.name) {
          case 'begin':
            for (const inner of this.forms(form.cdr, meaning.usage)) this.bodyForm(inner, scope, items)
            return
          case 'define': {
            const { name, value } = this.within(form, () => this.definition(form))
            const variable = this.bindLocal(name, scope)
            items.push({ variables: [variable], expand: expandLater(() => value(scope)) })
            return
          }
          case 'define-values':
          case 'define-record-type': {
            const { names, value } = this.within(form, () => this.definesMany.get(meaning.name)!(form, scope))
            const variables = names.map((name) => this.bindLocal(name, scope))
            items.push({ variables, expand: expandLater(() => value(scope)), spread: true })
            return
          }
          case 'define-syntax':
            this.within(form, () => this.defineSyntax(form, scope))
            return
        }
      }
    }
    items.push({ variables: [], expand: expandLater(() => this.expand(form, scope)) })
  }

  /** The names that a define-values or define-record-type binds and the expression that yields their
   * values, by the name of the syntax. Filled by derived.ts. */
  readonly definesMany = new Map<string, (form: Pair, scope: Scope) => { names: Identifier[]; value: (scope: Scope) => Core }>()

  /** The forms of the clause of a `cond-expand` whose requirement holds. Filled by derived.ts. */
  condExpand!: (form: Pair, scope: Scope) => Value[]

  bindLocal(name: Identifier, scope: Scope): Variable {
    if (scope.binds(name)) throw this.error(`define: ${symbolOf(name).name} is defined twice in one body`)
    const variable = new Variable(symbolOf(name).name)
    scope.bind(name, variable)
    return variable
  }

  /** `body` with the variables bound to the values of `init` (one value, or several at once). */
  bindValues(variables: Variable[], init: Core, body: Core, spread = false): Core {
    if (variables.length === 1) {
      const one = spread ? this.callBuiltin('%check-values', init, { kind: 'const', value: 1 }) : init
      return { kind: 'let', variable: variables[0]!, init: one, body }
    }
    if (variables.length === 0) return { kind: 'seq', first: init, second: body }
    const values = new Variable('values')
    const ref: Core = { kind: 'local', variable: values, at: this.at }
    const count: Core = { kind: 'const', value: variables.length }
    let inner = body
    for (let i = variables.length - 1; i >= 0; i--) {
      const item = this.callBuiltin('%values-ref', ref, { kind: 'const', value: i })
      inner = { kind: 'let', variable: variables[i]!, init: item, body: inner }
    }
    return { kind: 'let', variable: values, init: this.callBuiltin('%check-values', init, count), body: inner }
  }

  /** What a `define` form defines: `(define name value)` or, curried or not, `(define (name . params) body …)`. */
  definition(form: Pair): { name: Identifier; value: (scope: Scope) => Core } {
    const usage = '(define name value)'
    const parts = this.forms(form, usage)
    let target: Value = parts[1] ?? NIL
    if (target instanceof Pair) {
      const header = target
      const body = parts.slice(2)
      if (header.car instanceof Pair) {
        const inner = new Pair(LAMBDA, new Pair(header.cdr, (form.cdr as Pair).cdr))
        return this.definition(new Pair(form.car, new Pair(header.car, new Pair(inner, NIL))))
      }
      const name = this.identifier(header.car, '(define (name param …) body …)', form)
      if (body.length > 1 && typeof body[0] === 'string')
        this.docs.set(symbolOf(name).name, { usage: print(stripAliases(header)), doc: body[0] })
      const value = (scope: Scope) =>
        this.lambda(header.cdr, body, scope, symbolOf(name).name, '(define (name param …) body …)', form)
      return { name, value }
    }
    const name = this.identifier(target, usage, form)
    if (parts.length > 3) throw this.misuse(usage, form)
    const init = parts.length === 3 ? parts[2]! : null
    return {
      name,
      value: (scope) => (init === null ? UNSPECIFIED_CORE : this.named(this.expand(init, scope), symbolOf(name).name)),
    }
  }

  /** A lambda without a name takes that of the variable it is bound to. */
  named(core: Core, name: string): Core {
    return core.kind === 'lambda' && core.name === '' ? { ...core, name } : core
  }

  defineSyntax(form: Pair, scope: Scope): void {
    const usage = '(define-syntax name (syntax-rules …))'
    const parts = this.forms(form, usage)
    if (parts.length !== 3) throw this.misuse(usage, form)
    const name = this.identifier(parts[1]!, usage, form)
    const meaning = this.transformer(parts[2]!, scope)
    if (scope.isTop) scope.environment.set(symbolOf(name), meaning)
    if (!scope.isTop || name instanceof Alias) scope.bind(name, meaning)
  }

  /** What a transformer spec means: `(syntax-rules …)`, or a name that is syntax already. */
  transformer(spec: Value, scope: Scope): Macro | Special {
    if (isIdentifier(spec)) {
      const meaning = scope.meaning(spec)
      if (meaning instanceof Macro || meaning instanceof Special) return meaning
    }
    if (spec instanceof Pair && isIdentifier(spec.car)) {
      const meaning = scope.meaning(spec.car)
      if (meaning instanceof Special && meaning.name === 'syntax-rules') return makeSyntaxRules(spec, scope, this)
      if (meaning instanceof Macro) return this.transformer(meaning.transform(spec, scope), scope)
    }
    throw this.error(`expected (syntax-rules …), got ${show(stripAliases(spec))}`)
  }

  /** A top-level form taken apart: `begin`s spliced, macros used, syntax definitions carried out.
   * Calls `each` with every definition and expression in turn, so that a later one sees what an
   * earlier one did. */
  *topLevel(form: Value, scope: Scope): Generator<Core> {
    if (form instanceof Pair && isIdentifier(form.car)) {
      const meaning = scope.meaning(form.car)
      if (meaning instanceof Macro) {
        const next = this.within(form, () => meaning.transform(form, scope))
        const outer = this.at
        this.at = this.source?.places.get(form) ?? outer
        yield* this.topLevel(next, scope)
        this.at = outer
        return
      }
      if (meaning instanceof Special && meaning.name === 'begin') {
        for (const inner of this.forms(form.cdr, meaning.usage)) yield* this.topLevel(inner, scope)
        return
      }
      if (meaning instanceof Special && meaning.name === 'define-syntax') {
        this.within(form, () => this.defineSyntax(form, scope))
        return
      }
    }
    yield this.expand(form, scope)
  }

  /** The definition of a global variable; its value is expanded when its name is known to be one. */
  defineGlobal(name: Identifier, scope: Scope, value: (scope: Scope) => Core): Core {
    const cell = scope.environment.cell(symbolOf(name))
    // What else the macro's expansion calls by that name is this variable, wherever the macro is from.
    if (name instanceof Alias) scope.bind(name, cell)
    this.inlining.forget(cell)
    return { kind: 'global-set', cell, value: value(scope), define: true, at: this.at }
  }

  /** The files that an `(include file …)` or `(include-ci file …)` names, read. */
  included(name: string, form: Pair): Source[] {
    return this.forms(form.cdr, `(${name} file …)`).map((file) => {
      if (typeof file !== 'string') throw this.error(`${name}: expected the name of a file, got ${show(stripAliases(file))}`)
      const text = this.include(file, this.source?.file ?? '')
      const source = this.sources.read(name === 'include-ci' ? `#!fold-case ${text}` : text, file)
      for (const [datum, at] of source.places) this.source?.places.set(datum, at)
      return source
    })
  }

  syntax(usage: string, expand: (form: Pair, scope: Scope, parts: Value[]) => Core, least = 0, most = Infinity): Special {
    return (
      new Special(usage.slice(1).split(/[ )]/)[0]!, usage, (form, scope) => {
        const parts = this.forms(form, usage).slice(1)
        if (parts.length < least || parts.length > most) throw this.misuse(usage, form)
        return expand(form, scope, parts)
      })
    )
  }

  /** The syntax that everything else can be said in. */
  basicSyntax(): Special[] {
    const syntax = this.syntax.bind(this)
    const onlyDefinition = (form: Pair): never => {
      throw this.error(`${show(stripAliases(form.car))}: a definition cannot stand where an expression is expected`)
    }
    return [
      syntax('(quote datum)', (_form, _scope, [datum]) => ({ kind: 'const', value: stripAliases(datum!) }), 1, 1),
      syntax(
        '(if test then [else])',
        (_form, scope, [test, then, otherwise]) => ({
          kind: 'if',
          test: this.expand(test!, scope),
          then: this.expand(then!, scope),
          else: otherwise === undefined ? UNSPECIFIED_CORE : this.expand(otherwise, scope),
        }),
        2,
        3,
      ),
      syntax('(lambda (param …) body …)', (form, scope, [params, ...body]) =>
        this.lambda(params!, body, scope, '', '(lambda (param …) body …)', form), 1),
      syntax('(begin form …)', (_form, scope, forms) => this.sequence(forms, scope)),
      syntax('(set! name value)', (form, scope, [name, value]) => this.assignment(form, scope, name!, value!), 2, 2),
      syntax('(define name value)', (form, scope) => {
        if (!scope.isTop) return onlyDefinition(form)
        const { name, value } = this.definition(form)
        return this.defineGlobal(name, scope, value)
      }, 1),
      syntax('(define-syntax name (syntax-rules …))', onlyDefinition),
      syntax('(let-syntax ((name rules) …) body …)', (form, scope, parts) => this.letSyntax(form, scope, parts, false), 1),
      syntax('(letrec-syntax ((name rules) …) body …)', (form, scope, parts) => this.letSyntax(form, scope, parts, true), 1),
      syntax('(syntax-rules (literal …) (pattern template) …)', () => {
        throw this.error('syntax-rules can only stand in a syntax definition')
      }),
      syntax('(syntax-error message datum …)', (_form, _scope, [message, ...data]) => {
        const irritants = data.map(stripAliases)
        throw this.error([String(message), ...irritants.map(show)].join(' '), null, irritants)
      }, 1),
    ]
  }

  private assignment(form: Pair, scope: Scope, target: Value, value: Value): Core {
    const name = this.identifier(target, '(set! name value)', form)
    const meaning = scope.meaning(name)
    const core = this.expand(value, scope)
    if (meaning instanceof Variable) {
      meaning.assigned = true
      return { kind: 'set', variable: meaning, value: core, at: this.at }
    }
    if (!(meaning instanceof Cell)) throw this.error(`set!: ${symbolOf(name).name} is syntax and no variable`)
    if (scope.environment.imports(symbolOf(name))) throw this.error(`set!: ${symbolOf(name).name} is imported from a library and cannot be set`)
    this.inlining.forget(meaning)
    return { kind: 'global-set', cell: meaning, value: core, define: false, at: this.at }
  }

  private letSyntax(form: Pair, scope: Scope, [bindings, ...body]: Value[], recursive: boolean): Core {
    const usage = '(let-syntax ((name rules) …) body …)'
    const inner = new Scope(scope)
    for (const binding of this.forms(bindings!, usage)) {
      const [name, rules] = this.forms(binding, usage)
      if (rules === undefined) throw this.misuse(usage, form)
      inner.bind(this.identifier(name!, usage, form), this.transformer(rules, recursive ? inner : scope))
    }
    return this.body(body, inner, usage, form)
  }
}

const LAMBDA = intern('lambda')

export function sequenceOf(cores: Core[]): Core {
  return cores.reduceRight((second, first) => ({ kind: 'seq', first, second }))
}

/** Nested lets, for variables that the inits cannot see. */
export function bindAll(variables: Variable[], inits: Core[], body: Core): Core {
  return inits.reduceRight<Core>((inner, init, i) => ({ kind: 'let', variable: variables[i]!, init, body: inner }), body)
}

interface Init {
  variables: Variable[]
  core: Core
  spread?: boolean
}

/** letrec* (R7RS 4.2.2) as nested lets and groups of lambdas. A lambda waits until an init needs it or
 * none is left, so that most variables are defined before any code that can see them runs; one that is
 * not becomes a checked box, and so do the `shared` ones. */
export function letrecStar<T extends Init>(inits: T[], body: Core, bindItem: (item: T, body: Core) => Core, shared: readonly Variable[] = []): Core {
  const groups: ((inner: Core) => Core)[] = []
  const undefinedYet = new Set(inits.flatMap((init) => init.variables))
  const early: Variable[] = [...shared]
  for (const variable of shared) variable.checked = variable.assigned = true
  let waiting: T[] = []

  const check = (core: Core) => {
    for (const variable of freeVariables(core)) {
      if (!undefinedYet.has(variable) || variable.checked) continue
      variable.checked = variable.assigned = true
      early.push(variable)
    }
  }
  const emitLambdas = (items: T[]) => {
    if (items.length === 0) return
    for (const item of items) undefinedYet.delete(item.variables[0]!)
    for (const item of items) check(item.core)
    groups.push((inner) => {
      const plain = items.filter((item) => !item.variables[0]!.checked)
      const boxed = items.filter((item) => item.variables[0]!.checked)
      const rest = boxed.reduceRight((tail, item) => bindItem(item, tail), inner)
      if (plain.length === 0) return rest
      return {
        kind: 'letrec',
        variables: plain.map((item) => item.variables[0]!),
        lambdas: plain.map((item) => item.core as Lambda),
        body: rest,
      }
    })
  }
  for (const item of inits) {
    if (item.core.kind === 'lambda' && item.variables.length === 1 && !item.variables[0]!.assigned) {
      waiting.push(item)
      continue
    }
    const needed = reachable(item.core, waiting)
    emitLambdas(waiting.filter((other) => needed.has(other)))
    waiting = waiting.filter((other) => !needed.has(other))
    check(item.core)
    for (const variable of item.variables) undefinedYet.delete(variable)
    groups.push((inner) => bindItem(item, inner))
  }
  emitLambdas(waiting)
  const inner = groups.reduceRight((core, group) => group(core), body)
  return early.length === 0 ? inner : declareEarly(early, inner)
}

/** The waiting lambdas that `core` can call, directly or through others. */
function reachable<T extends Init>(core: Core, waiting: T[]): Set<T> {
  const found = new Set<T>()
  const visit = (tree: Core) => {
    const free = freeVariables(tree)
    for (const item of waiting) {
      if (found.has(item) || !free.has(item.variables[0]!)) continue
      found.add(item)
      visit(item.core)
    }
  }
  visit(core)
  return found
}

/** Checked variables get their box, still empty, around everything that can see them; the `let` that
 * would bind one then fills the box. */
function declareEarly(variables: Variable[], core: Core): Core {
  const early = new Set(variables)
  const fill = (tree: Core): Core => {
    switch (tree.kind) {
      case 'let':
        if (early.has(tree.variable)) {
          const first: Core = { kind: 'set', variable: tree.variable, value: tree.init, at: -1 }
          return { kind: 'seq', first, second: fill(tree.body) }
        }
        return { ...tree, body: fill(tree.body) }
      case 'letrec':
        return { ...tree, body: fill(tree.body) }
      case 'seq':
        return { ...tree, second: fill(tree.second) }
      default:
        return tree
    }
  }
  return bindAll(variables, variables.map(() => ({ kind: 'const', value: undefined as unknown as Value })), fill(core))
}
