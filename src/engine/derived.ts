// The derived syntax of R7RS 4.2 and 5, and of the SRFIs that people reach for, as core trees. Built
// directly, not by templates: nothing here can be captured by a program's own names.

import { FEATURES } from './builtin-data.ts'
import { Variable, type Core, type Lambda } from './core.ts'
import { UNSPECIFIED_CORE, bindAll, letrecStar, sequenceOf, type Expander } from './expander.ts'
import { isSimple } from './normal.ts'
import { show } from './printer.ts'
import { Macro, Scope, Special, isIdentifier, stripAliases, symbolOf, type Identifier } from './syntax.ts'
import { Cell, NIL, Pair, RecordType, SchemeSymbol, intern, list, listItems, type Value } from './value.ts'

type Parts = Value[]

export function derivedSyntax(expander: Expander): Special[] {
  const syntax = expander.syntax.bind(expander)
  const expand = (form: Value, scope: Scope) => expander.expand(form, scope)
  const sequence = (forms: Value[], scope: Scope) => expander.sequence(forms, scope)
  const body = (forms: Value[], scope: Scope, usage: string, form: Value) => expander.body(forms, scope, usage, form)
  const constant = (value: Value): Core => ({ kind: 'const', value })
  const ref = (variable: Variable): Core => ({ kind: 'local', variable, at: expander.at })
  const builtin = (name: string, ...args: Core[]) => expander.callBuiltin(name, ...args)
  const choose = (test: Core, then: Core, otherwise: Core): Core => ({ kind: 'if', test, then, else: otherwise })
  const thunk = (core: Core, name = ''): Lambda => ({ kind: 'lambda', params: [], rest: null, body: core, name, at: expander.at })

  /** `init` in a variable, for an expression that needs it more than once. */
  const letting = (name: string, init: Core, use: (value: Core) => Core): Core => {
    const variable = new Variable(name)
    return { kind: 'let', variable, init, body: use(ref(variable)) }
  }

  /** Whether a form is the auxiliary keyword `name` (`else`, `=>`, …): imported, or bound to nothing. */
  const isKeyword = (form: Value | undefined, name: string, scope: Scope): boolean => {
    if (form === undefined || !isIdentifier(form)) return false
    const meaning = scope.meaning(form)
    return meaning instanceof Special ? meaning.name === name : symbolOf(form).name === name && meaning instanceof Cell && meaning.value === undefined
  }

  const is = (form: Pair, name: string, scope: Scope): boolean => {
    if (!isIdentifier(form.car)) return false
    const meaning = scope.meaning(form.car)
    return meaning instanceof Special && meaning.name === name
  }

  // -- bindings ----------------------------------------------------------------------------------

  /** The names and forms of `((name form) …)`. */
  const bindings = (form: Value, usage: string, whole: Value): { name: Identifier; init: Value }[] =>
    expander.forms(form, usage).map((binding) => {
      const parts = listItems(binding)
      if (!parts || parts.length !== 2) {
        const who = usage.slice(1).split(' ')[0]
        throw expander.error(`${who}: expected (name value), got ${show(stripAliases(binding))}`, `the form is ${usage}`)
      }
      return { name: expander.identifier(parts[0]!, usage, whole), init: parts[1]! }
    })

  const bindFresh = (names: Identifier[], scope: Scope): Variable[] =>
    names.map((name) => {
      if (scope.binds(name)) throw expander.error(`duplicate name ${symbolOf(name).name}`)
      return expander.bindLocal(name, scope)
    })
  const valueOf = (init: Value, name: Identifier, scope: Scope) => expander.named(expand(init, scope), symbolOf(name).name)

  const LET = '(let ((name value) …) body …)'
  const NAMED_LET = '(let name ((variable value) …) body …)'

  const letForm = (form: Pair, scope: Scope, parts: Parts): Core => {
    if (isIdentifier(parts[0]!)) return namedLet(form, scope, parts[0], parts[1] ?? NIL, parts.slice(2))
    const pairs = bindings(parts[0]!, LET, form)
    const inits = pairs.map(({ name, init }) => valueOf(init, name, scope))
    const inner = new Scope(scope)
    const variables = bindFresh(pairs.map(({ name }) => name), inner)
    return bindAll(variables, inits, body(parts.slice(1), inner, LET, form))
  }

  const namedLet = (form: Pair, scope: Scope, name: Identifier, list: Value, forms: Parts): Core => {
    const pairs = bindings(list, NAMED_LET, form)
    const inits = pairs.map(({ init }) => expand(init, scope))
    const outer = new Scope(scope)
    const [loop] = bindFresh([name], outer)
    const inner = new Scope(outer)
    const params = bindFresh(pairs.map((pair) => pair.name), inner)
    const lambda: Lambda = { kind: 'lambda', params, rest: null, body: body(forms, inner, NAMED_LET, form), name: symbolOf(name).name, at: expander.at }
    const call: Core = { kind: 'call', procedure: ref(loop!), args: inits, at: expander.at }
    if (loop!.assigned) return { kind: 'let', variable: loop!, init: UNSPECIFIED_CORE, body: { kind: 'seq', first: { kind: 'set', variable: loop!, value: lambda, at: expander.at }, second: call } }
    return { kind: 'letrec', variables: [loop!], lambdas: [lambda], body: call }
  }

  const letStar = (form: Pair, scope: Scope, parts: Parts): Core => {
    const usage = '(let* ((name value) …) body …)'
    const variables: Variable[] = []
    const inits: Core[] = []
    for (const { name, init } of bindings(parts[0]!, usage, form)) {
      inits.push(valueOf(init, name, scope))
      scope = new Scope(scope)
      variables.push(...bindFresh([name], scope))
    }
    return bindAll(variables, inits, body(parts.slice(1), scope, usage, form))
  }

  /** With `inTurn` (letrec*) a value is bound before the next is computed; without, all are computed first,
   * which a program sees that goes on with a continuation of one of them. */
  const letrec = (usage: string, inTurn: boolean) => (form: Pair, scope: Scope, parts: Parts): Core => {
    const pairs = bindings(parts[0]!, usage, form)
    const inner = new Scope(scope)
    const variables = bindFresh(pairs.map(({ name }) => name), inner)
    const inits = pairs.map(({ name, init }, i) => ({ variables: [variables[i]!], core: valueOf(init, name, inner) }))
    const kept: typeof inits = []
    const shared: Variable[] = []
    const first = inTurn ? inits : inits.map((item) => {
      if (item.core.kind === 'lambda' || item.core.kind === 'const') return item
      // Who goes on with the init's continuation once more assigns the same variable again.
      if (!isSimple(item.core)) shared.push(...item.variables)
      const value = new Variable('value')
      kept.push({ variables: item.variables, core: ref(value) })
      return { variables: [value], core: item.core }
    })
    const rest = body(parts.slice(1), inner, usage, form)
    return letrecStar([...first, ...kept], rest, (item, after) => expander.bindValues(item.variables, item.core, after), shared)
  }

  // -- several values ----------------------------------------------------------------------------

  /** `body` where the names of `formals` are bound to the values of `init`. */
  const receiving = (formals: Value, init: Core, scope: Scope, usage: string, form: Value, inside: (inner: Scope) => Core): Core => {
    const inner = new Scope(scope)
    const names: Identifier[] = []
    let rest = formals
    for (; rest instanceof Pair; rest = rest.cdr) names.push(expander.identifier(rest.car, usage, form))
    const variables = bindFresh(names, inner)
    if (rest === NIL) {
      const core = inside(inner)
      if (variables.length === 1) return { kind: 'let', variable: variables[0]!, init: builtin('%check-values', init, constant(1)), body: core }
      if (variables.length === 0) return { kind: 'seq', first: builtin('%check-values', init, constant(0)), second: core }
      return expander.bindValues(variables, init, core, true)
    }
    const [tail] = bindFresh([expander.identifier(rest, usage, form)], inner)
    const core = inside(inner)
    return letting('values', builtin('%values->list', init, constant(names.length)), (values) =>
      bindAll([...variables, tail!], [...variables.map((_, i) => builtin('list-ref', values, constant(i))), builtin('list-tail', values, constant(names.length))], core),
    )
  }

  const letValues = (usage: string, sequential: boolean) => (form: Pair, scope: Scope, parts: Parts): Core => {
    const clauses = expander.forms(parts[0]!, usage).map((clause) => {
      const items = listItems(clause)
      if (items?.length !== 2) throw expander.misuse(usage, form)
      return { formals: items[0]!, init: items[1]! }
    })
    const nest = (i: number, inner: Scope): Core => {
      const clause = clauses[i]
      if (!clause) return body(parts.slice(1), inner, usage, form)
      return receiving(clause.formals, expand(clause.init, sequential ? inner : scope), inner, usage, form, (next) => nest(i + 1, next))
    }
    return nest(0, scope)
  }

  const RECEIVE = '(receive formals expression body …)'

  // -- conditionals ------------------------------------------------------------------------------

  const COND = '(cond (test expression …) … (else expression …))'
  const cond = (form: Pair, scope: Scope, clauses: Parts, missed: Core = UNSPECIFIED_CORE): Core =>
    clauses.reduceRight<Core>((otherwise, clause, i) => {
      const parts = listItems(clause)
      if (!parts || parts.length === 0) throw expander.misuse(COND, form)
      return expander.within(clause as Pair, () => {
        if (isKeyword(parts[0], 'else', scope)) {
          if (i !== clauses.length - 1) throw expander.error('cond: else must be the last clause')
          return sequence(parts.slice(1), scope)
        }
        const test = expand(parts[0]!, scope)
        if (parts.length === 1) return letting('test', test, (value) => choose(value, value, otherwise))
        if (isKeyword(parts[1], '=>', scope)) {
          if (parts.length !== 3) throw expander.misuse('(cond (test => procedure))', clause)
          return letting('test', test, (value) => choose(value, expander.call(expand(parts[2]!, scope), [value]), otherwise))
        }
        return choose(test, sequence(parts.slice(1), scope), otherwise)
      })
    }, missed)

  const CASE = '(case key ((datum …) expression …) … (else expression …))'
  const caseForm = (form: Pair, scope: Scope, [key, ...clauses]: Parts): Core =>
    letting('key', expand(key!, scope), (value) =>
      clauses.reduceRight<Core>((otherwise, clause, i) => {
        const parts = listItems(clause)
        if (!parts || parts.length < 2) throw expander.misuse(CASE, form)
        const result = isKeyword(parts[1], '=>', scope)
          ? expander.call(expand(parts[2] ?? NIL, scope), [value])
          : sequence(parts.slice(1), scope)
        if (isKeyword(parts[0], 'else', scope)) {
          if (i !== clauses.length - 1) throw expander.error('case: else must be the last clause')
          return result
        }
        const data = expander.forms(parts[0]!, CASE).map(stripAliases)
        const test = data.length === 0 ? constant(false) : data.map((datum) => builtin(isEq(datum) ? 'eq?' : 'eqv?', value, constant(datum)))
          .reduceRight((rest, one) => choose(one, constant(true), rest))
        return choose(test, result, otherwise)
      }, UNSPECIFIED_CORE),
    )

  const and = (forms: Parts, scope: Scope): Core =>
    forms.length === 0 ? constant(true) : forms.map((form) => expand(form, scope)).reduceRight((rest, test) => choose(test, rest, constant(false)))
  const or = (forms: Parts, scope: Scope): Core =>
    forms.length === 0
      ? constant(false)
      : forms.map((form) => expand(form, scope)).reduceRight((rest, test) => letting('or', test, (value) => choose(value, value, rest)))

  const andLetStar = (form: Pair, scope: Scope, [clauses, ...forms]: Parts): Core => {
    const usage = '(and-let* ((name expression) …) body …)'
    const list = expander.forms(clauses!, usage)
    const nest = (i: number, inner: Scope): Core => {
      if (i === list.length) return forms.length === 0 ? constant(true) : body(forms, inner, usage, form)
      const clause = list[i]!
      const isLast = i === list.length - 1 && forms.length === 0
      if (isIdentifier(clause)) return isLast ? expand(clause, inner) : choose(expand(clause, inner), nest(i + 1, inner), constant(false))
      const parts = listItems(clause)
      if (!parts || parts.length === 0 || parts.length > 2) throw expander.misuse(usage, form)
      if (parts.length === 1) return isLast ? expand(parts[0]!, inner) : choose(expand(parts[0]!, inner), nest(i + 1, inner), constant(false))
      const init = expand(parts[1]!, inner)
      const next = new Scope(inner)
      const [variable] = bindFresh([expander.identifier(parts[0]!, usage, form)], next)
      return { kind: 'let', variable: variable!, init, body: choose(ref(variable!), isLast ? ref(variable!) : nest(i + 1, next), constant(false)) }
    }
    return nest(0, scope)
  }

  // -- iteration ---------------------------------------------------------------------------------

  const DO = '(do ((variable init [step]) …) (test expression …) command …)'
  const doLoop = (form: Pair, scope: Scope, [specs, exit, ...commands]: Parts): Core => {
    const clauses = expander.forms(specs!, DO).map((spec) => {
      const parts = listItems(spec)
      if (!parts || parts.length < 2 || parts.length > 3) throw expander.misuse(DO, form)
      return { name: expander.identifier(parts[0]!, DO, form), init: parts[1]!, step: parts[2] }
    })
    const [test, ...results] = expander.forms(exit!, DO)
    if (test === undefined) throw expander.misuse(DO, form)
    const inits = clauses.map(({ init }) => expand(init, scope))
    const inner = new Scope(scope)
    const params = bindFresh(clauses.map(({ name }) => name), inner)
    const loop = new Variable('do')
    const steps = clauses.map(({ step }, i) => (step === undefined ? ref(params[i]!) : expand(step, inner)))
    const again: Core = { kind: 'call', procedure: ref(loop), args: steps, at: expander.at }
    const turn = sequenceOf([...commands.map((command) => expand(command, inner)), again])
    const lambda: Lambda = { kind: 'lambda', params, rest: null, body: choose(expand(test, inner), sequence(results, inner), turn), name: 'do', at: expander.at }
    return { kind: 'letrec', variables: [loop], lambdas: [lambda], body: { kind: 'call', procedure: ref(loop), args: inits, at: expander.at } }
  }

  // -- quasiquote --------------------------------------------------------------------------------

  /** X where the datum is `(name X)`. */
  const operand = (datum: Value, name: string, scope: Scope): Value | undefined => {
    if (!(datum instanceof Pair) || !isKeyword(datum.car, name, scope)) return undefined
    return datum.cdr instanceof Pair && datum.cdr.cdr === NIL ? datum.cdr.car : undefined
  }

  const quasi = (datum: Value, depth: number, scope: Scope): Core => {
    if (Array.isArray(datum)) {
      const core = quasi(datum.reduceRight<Value>((tail, item) => new Pair(item, tail), NIL), depth, scope)
      return core.kind === 'const' ? constant(listItems(core.value)!) : builtin('list->vector', core)
    }
    if (!(datum instanceof Pair)) return constant(stripAliases(datum))
    const unquoted = operand(datum, 'unquote', scope)
    if (unquoted !== undefined) return depth === 1 ? expand(unquoted, scope) : nested(datum, 'unquote', depth - 1, scope)
    if (is(datum, 'quasiquote', scope)) return nested(datum, 'quasiquote', depth + 1, scope)
    const spliceable = operand(datum.car, 'unquote-splicing', scope)
    if (spliceable !== undefined) {
      const rest = quasi(datum.cdr, depth, scope)
      if (depth === 1) {
        const spliced = expand(spliceable, scope)
        return rest.kind === 'const' && rest.value === NIL ? spliced : builtin('%append', spliced, rest)
      }
      return joined(nested(datum.car as Pair, 'unquote-splicing', depth - 1, scope), rest)
    }
    return row(datum, depth, scope)
  }

  /** The elements of a list template up to one that is spliced or is no list's element, all at once: a
   * template may be longer than calls can be nested. */
  const row = (datum: Pair, depth: number, scope: Scope): Core => {
    const items: Core[] = []
    let rest: Value = datum
    do {
      items.push(quasi((rest as Pair).car, depth, scope))
      rest = (rest as Pair).cdr
    } while (rest instanceof Pair && !isMarked(rest, scope))
    const tail = quasi(rest, depth, scope)
    if (items.length <= SHORT_ROW) return items.reduceRight((after, item) => joined(item, after), tail)
    if (tail.kind === 'const' && items.every((item) => item.kind === 'const')) return constant(items.reduceRight<Value>((after, item) => new Pair((item as { value: Value }).value, after), tail.value))
    return builtin('cons*', ...items, tail)
  }
  /** Whether what stands here, in a list's rest, is more than the next element. */
  const isMarked = (rest: Pair, scope: Scope): boolean =>
    operand(rest, 'unquote', scope) !== undefined || is(rest, 'quasiquote', scope) || operand(rest.car, 'unquote-splicing', scope) !== undefined
  const joined = (head: Core, tail: Core): Core =>
    head.kind === 'const' && tail.kind === 'const' ? constant(new Pair(head.value, tail.value)) : builtin('cons', head, tail)
  const nested = (datum: Pair, name: string, depth: number, scope: Scope): Core =>
    joined(constant(symbol(name)), quasi(datum.cdr, depth, scope))

  // -- promises, parameters, errors, procedures --------------------------------------------------

  const PARAMETERIZE = '(parameterize ((parameter value) …) body …)'
  const parameterize = (form: Pair, scope: Scope, parts: Parts): Core => {
    const pairs = expander.forms(parts[0]!, PARAMETERIZE).flatMap((binding) => {
      const items = listItems(binding)
      if (items?.length !== 2) throw expander.misuse(PARAMETERIZE, form)
      return items.map((item) => expand(item, scope))
    })
    return builtin('%parameterize', builtin('list', ...pairs), thunk(body(parts.slice(1), new Scope(scope), PARAMETERIZE, form)))
  }

  const GUARD = '(guard (name clause …) body …)'
  const guard = (form: Pair, scope: Scope, [spec, ...forms]: Parts): Core => {
    const items = expander.forms(spec!, GUARD)
    const name = expander.identifier(items[0] ?? NIL, GUARD, form)
    const inner = new Scope(scope)
    const [condition] = bindFresh([name], inner)
    const reraise = new Variable('reraise')
    // Without an else clause, a condition that fits no clause is raised again where it came from.
    const again: Core = { kind: 'call', procedure: ref(reraise), args: [], at: expander.at }
    const handler: Lambda = {
      kind: 'lambda',
      params: [condition!, reraise],
      rest: null,
      body: cond(form, inner, items.slice(1), again),
      name: 'guard',
      at: expander.at,
    }
    return builtin('%guard', thunk(body(forms, new Scope(scope), GUARD, form)), handler)
  }
  const caseLambda = (form: Pair, scope: Scope, clauses: Parts): Core => {
    const usage = '(case-lambda (formals body …) …)'
    const lambdas = clauses.map((clause) => {
      if (!(clause instanceof Pair)) throw expander.misuse(usage, form)
      return expander.lambda(clause.car, expander.forms(clause.cdr, usage), scope, '', usage, form)
    })
    const arities = lambdas.flatMap((lambda) => [constant(lambda.params.length), constant(lambda.rest !== null), lambda as Core])
    return builtin('%case-lambda', ...arities)
  }

  /** With `once` (cute) the expressions are evaluated when the procedure is made. */
  const cut = (once: boolean) => (form: Pair, scope: Scope, slots: Parts): Core => {
    const usage = `(${once ? 'cute' : 'cut'} procedure-or-<> slot-or-expression …)`
    const kept: { variable: Variable; init: Core }[] = []
    const params: Variable[] = []
    let rest: Variable | null = null
    const args = slots.flatMap((slot): Core[] => {
      if (isKeyword(slot, '<...>', scope)) {
        rest = new Variable('rest')
        return []
      }
      if (!isKeyword(slot, '<>', scope)) {
        if (!once) return [expand(slot, scope)]
        const variable = new Variable('kept')
        kept.push({ variable, init: expand(slot, scope) })
        return [ref(variable)]
      }
      const param = new Variable('slot')
      params.push(param)
      return [ref(param)]
    })
    if (args.length === 0) throw expander.misuse(usage, form)
    const call = rest ? builtin('apply', ...args, ref(rest)) : expander.call(args[0]!, args.slice(1))
    const lambda: Lambda = { kind: 'lambda', params, rest, body: call, name: 'cut', at: expander.at }
    return bindAll(kept.map(({ variable }) => variable), kept.map(({ init }) => init), lambda)
  }

  // -- definitions -------------------------------------------------------------------------------

  const DEFINE_VALUES = '(define-values formals expression)'
  const defineValues = (form: Pair): { names: Identifier[]; value: (scope: Scope) => Core } => {
    const [, formals, init] = expander.forms(form, DEFINE_VALUES)
    if (formals === undefined || init === undefined) throw expander.misuse(DEFINE_VALUES, form)
    const names: Identifier[] = []
    let rest: Value = formals
    for (; rest instanceof Pair; rest = rest.cdr) names.push(expander.identifier(rest.car, DEFINE_VALUES, form))
    if (rest === NIL) return { names, value: (scope) => expand(init, scope) }
    const fixed = names.length
    names.push(expander.identifier(rest, DEFINE_VALUES, form))
    return { names, value: (scope) => builtin('%gather-values', expand(init, scope), constant(fixed)) }
  }

  const RECORD = '(define-record-type name (constructor field …) predicate (field accessor [modifier]) …)'
  const defineRecord = (form: Pair): { names: Identifier[]; value: (scope: Scope) => Core } => {
    const [, typeSpec, constructorSpec, predicate, ...fieldSpecs] = expander.forms(form, RECORD)
    const typeName = expander.identifier(typeSpec instanceof Pair ? typeSpec.car : (typeSpec ?? NIL), RECORD, form)
    const fields = fieldSpecs.map((spec) => {
      const parts = isIdentifier(spec) ? [spec] : listItems(spec)
      if (!parts || parts.length === 0 || parts.length > 3) throw expander.misuse(RECORD, form)
      return parts.map((part) => expander.identifier(part, RECORD, form))
    })
    const fieldNames = fields.map(([name]) => symbolOf(name!).name)
    const type = constant(new RecordType(symbolOf(typeName).name.replace(/^<(.*)>$/, '$1'), fieldNames))
    const names: Identifier[] = [typeName]
    const values: Core[] = [type]
    const add = (name: Identifier, value: Core) => {
      names.push(name)
      values.push(value)
    }
    const indexOf = (field: Identifier): number => {
      const at = fields.findIndex(([name]) => name === field)
      if (at < 0) throw expander.error(`define-record-type: ${symbolOf(field).name} is no field of ${symbolOf(typeName).name}`, `the form is ${RECORD}`)
      return at
    }
    const nameOf = (name: Identifier) => constant(symbolOf(name).name)
    if (constructorSpec instanceof Pair) {
      const name = expander.identifier(constructorSpec.car, RECORD, form)
      const order = expander.forms(constructorSpec.cdr, RECORD).map((field) => constant(indexOf(expander.identifier(field, RECORD, form))))
      add(name, builtin('%record-constructor', type, nameOf(name), builtin('list', ...order)))
    } else if (constructorSpec !== undefined && isIdentifier(constructorSpec)) {
      add(constructorSpec, builtin('%record-constructor', type, nameOf(constructorSpec), builtin('list', ...fields.map((_, i) => constant(i)))))
    }
    if (predicate !== undefined && isIdentifier(predicate)) add(predicate, builtin('%record-predicate', type, nameOf(predicate)))
    fields.forEach(([, accessor, modifier], i) => {
      if (accessor) add(accessor, builtin('%record-accessor', type, nameOf(accessor), constant(i)))
      if (modifier) add(modifier, builtin('%record-modifier', type, nameOf(modifier), constant(i)))
    })
    return { names, value: () => (values.length === 1 ? values[0]! : builtin('values', ...values)) }
  }
  expander.definesMany.set('define-values', defineValues).set('define-record-type', defineRecord)

  /** At the top level the names are global variables. */
  const defineMany = (usage: string, kind: string) => (form: Pair, scope: Scope): Core => {
    if (!scope.isTop) throw expander.error(`${kind}: a definition cannot stand where an expression is expected`, `the form is ${usage}`)
    const { names, value } = expander.definesMany.get(kind)!(form, scope)
    const variables = names.map((name) => new Variable(symbolOf(name).name))
    const sets = names.map((name, i) => expander.defineGlobal(name, scope, () => ref(variables[i]!)))
    return expander.bindValues(variables, value(scope), sequenceOf([...sets, UNSPECIFIED_CORE]), true)
  }

  // -- features ----------------------------------------------------------------------------------

  const COND_EXPAND = '(cond-expand (requirement form …) … (else form …))'
  const holds = (requirement: Value, scope: Scope): boolean => {
    if (isIdentifier(requirement)) return isKeyword(requirement, 'else', scope) || FEATURES.includes(symbolOf(requirement).name)
    const [head, ...rest] = expander.forms(requirement, COND_EXPAND)
    switch (head !== undefined && isIdentifier(head) ? symbolOf(head).name : '') {
      case 'and':
        return rest.every((one) => holds(one, scope))
      case 'or':
        return rest.some((one) => holds(one, scope))
      case 'not':
        return !holds(rest[0] ?? NIL, scope)
      case 'library':
        return expander.libraries.has(rest[0] ?? NIL)
    }
    throw expander.error(`cond-expand: unknown requirement ${show(stripAliases(requirement))}`)
  }
  expander.condExpand = (form, scope) => {
    for (const clause of expander.forms(form.cdr, COND_EXPAND)) {
      if (!(clause instanceof Pair)) throw expander.misuse(COND_EXPAND, form)
      if (holds(clause.car, scope)) return expander.forms(clause.cdr, COND_EXPAND)
    }
    return []
  }
  expander.base.set(symbol('cond-expand'), new Macro((form, scope) => list([BEGIN, ...expander.condExpand(form, scope)])))

  for (const name of ['include', 'include-ci']) {
    const include = (form: Pair) => list([BEGIN, ...expander.included(name, form).flatMap(({ data }) => data)])
    expander.base.set(symbol(name), new Macro(include))
  }

  const auxiliary = (name: string): Special =>
    new Special(name, name, () => {
      throw expander.error(`${name} is part of other syntax and no expression`)
    })

  return [
    syntax(LET, letForm, 1),
    syntax('(let* ((name value) …) body …)', letStar, 1),
    syntax('(letrec ((name value) …) body …)', letrec('(letrec ((name value) …) body …)', false), 1),
    syntax('(letrec* ((name value) …) body …)', letrec('(letrec* ((name value) …) body …)', true), 1),
    syntax('(let-values ((formals expression) …) body …)', letValues('(let-values ((formals expression) …) body …)', false), 1),
    syntax('(let*-values ((formals expression) …) body …)', letValues('(let*-values ((formals expression) …) body …)', true), 1),
    syntax(RECEIVE, (form, scope, [formals, init, ...forms]) =>
      receiving(formals!, expand(init!, scope), scope, RECEIVE, form, (inner) => body(forms, inner, RECEIVE, form)), 3),
    syntax(COND, (form, scope, clauses) => cond(form, scope, clauses)),
    syntax(CASE, caseForm, 1),
    syntax('(and test …)', (_form, scope, tests) => and(tests, scope)),
    syntax('(or test …)', (_form, scope, tests) => or(tests, scope)),
    syntax('(when test expression …)', (_form, scope, [test, ...forms]) => choose(expand(test!, scope), sequence(forms, scope), UNSPECIFIED_CORE), 1),
    syntax('(unless test expression …)', (_form, scope, [test, ...forms]) => choose(expand(test!, scope), UNSPECIFIED_CORE, sequence(forms, scope)), 1),
    syntax('(and-let* ((name expression) …) body …)', andLetStar, 1),
    syntax(DO, doLoop, 2),
    syntax('(quasiquote template)', (_form, scope, [template]) => quasi(template!, 1, scope), 1, 1),
    syntax('(delay expression)', (_form, scope, [form]) => builtin('%delay', thunk(builtin('make-promise', expand(form!, scope)))), 1, 1),
    syntax('(delay-force expression)', (_form, scope, [form]) => builtin('%delay', thunk(expand(form!, scope))), 1, 1),
    syntax(PARAMETERIZE, parameterize, 1),
    syntax(GUARD, guard, 2),
    syntax('(case-lambda (formals body …) …)', caseLambda),
    syntax('(cut procedure-or-<> slot-or-expression …)', cut(false), 1),
    syntax('(cute procedure-or-<> slot-or-expression …)', cut(true), 1),
    syntax(DEFINE_VALUES, defineMany(DEFINE_VALUES, 'define-values'), 2, 2),
    syntax(RECORD, defineMany(RECORD, 'define-record-type'), 3),
    syntax('(assert expression)', (_form, scope, [form]) => choose(expand(form!, scope), UNSPECIFIED_CORE, builtin('%assertion-failed', constant(stripAliases(form!)))), 1),
    ...['else', '=>', '...', '_', 'unquote', 'unquote-splicing', '<>', '<...>'].map(auxiliary),
  ]
}

/** How many elements of a template are put together by nested calls. */
const SHORT_ROW = 12

/** `begin` whatever the program calls by that name. */
const BEGIN = intern('begin')
const symbol = (name: string): SchemeSymbol => intern(name)


/** Whether eq? is enough to compare with this datum. */
function isEq(datum: Value): boolean {
  return typeof datum === 'number' || typeof datum === 'boolean' || datum instanceof SchemeSymbol || datum === NIL
}
