// `(syntax-rules …)` to a transformer (R7RS 4.3.2): nested ellipses, tail patterns, vectors, literals,
// `(... ...)` and a chosen ellipsis. A template's own names become fresh aliases at each use.

import type { Expander } from './expander.ts'
import { show } from './printer.ts'
import { Alias, Macro, isIdentifier, isSameMeaning, stripAliases, symbolOf, type Identifier, type Scope } from './syntax.ts'
import { Char, Flonum, MutableString, NIL, Pair, Rational, listItems, type Value } from './value.ts'

/** What a pattern variable matched: a form, or under an ellipsis one match for each repetition. */
type Match = { form: Value } | { each: Match[] }
type Matches = Map<Identifier, Match>

interface Rules {
  literals: Set<Identifier>
  ellipsis: Identifier | null // null: the usual `...`
  scope: Scope
  expander: Expander
}

const USAGE = '(syntax-rules (literal …) (pattern template) …)'

export function makeSyntaxRules(spec: Pair, scope: Scope, expander: Expander): Macro {
  const parts = expander.forms(spec, USAGE).slice(1)
  const ellipsis = isIdentifier(parts[0] ?? NIL) ? (parts.shift() as Identifier) : null
  const names = expander.forms(parts.shift() ?? NIL, USAGE)
  const literals = new Set(names.map((name) => expander.identifier(name, USAGE, spec)))
  const rules: Rules = { literals, ellipsis, scope, expander }
  const clauses = parts.map((part) => {
    const [pattern, template, more] = listItems(part) ?? []
    if (!(pattern instanceof Pair) || template === undefined || more !== undefined)
      throw expander.error(`syntax-rules: expected (pattern template), got ${show(stripAliases(part))}`, `the form is ${USAGE}`)
    collect(pattern.cdr, new Set(), rules)
    return { pattern, template }
  })
  return new Macro((form, useScope) => {
    for (const { pattern, template } of clauses) {
      const matches: Matches = new Map()
      if (!match(pattern.cdr, form.cdr, useScope, matches, rules)) continue
      return instantiate(template, matches, new Renaming(scope), rules)
    }
    const patterns = clauses.map(({ pattern }) => show(stripAliases(pattern)))
    throw expander.error(
      `${symbolOf(form.car as Identifier).name}: no pattern fits ${show(stripAliases(form))}`,
      patterns.length === 1 ? `the form is ${patterns[0]}` : `the forms are ${patterns.join(' or ')}`,
    )
  })
}

function isEllipsis(value: Value, { ellipsis, literals }: Rules): boolean {
  if (!isIdentifier(value) || literals.has(value)) return false
  return ellipsis ? value === ellipsis : symbolOf(value).name === '...'
}

/** The pattern variables; complains of one that stands twice. */
function collect(pattern: Value, names: Set<Identifier>, rules: Rules): void {
  for (; pattern instanceof Pair; pattern = pattern.cdr) collect(pattern.car, names, rules)
  if (Array.isArray(pattern)) {
    for (const item of pattern) collect(item, names, rules)
  } else if (isIdentifier(pattern)) {
    if (rules.literals.has(pattern) || isEllipsis(pattern, rules) || symbolOf(pattern).name === '_') return
    if (names.has(pattern)) throw rules.expander.error(`syntax-rules: ${symbolOf(pattern).name} stands twice in one pattern`)
    names.add(pattern)
  }
}

function match(pattern: Value, form: Value, use: Scope, matches: Matches, rules: Rules): boolean {
  for (;;) {
    if (isIdentifier(pattern)) {
      if (rules.literals.has(pattern))
        return isIdentifier(form) && isSameMeaning(use.meaning(form), rules.scope.meaning(pattern))
      if (symbolOf(pattern).name !== '_') matches.set(pattern, { form })
      return true
    }
    if (Array.isArray(pattern))
      return Array.isArray(form) && match(vectorToList(pattern), vectorToList(form), use, matches, rules)
    if (!(pattern instanceof Pair)) return isSameDatum(pattern, form)
    if (pattern.cdr instanceof Pair && isEllipsis(pattern.cdr.car, rules)) {
      const after = pairsIn(pattern.cdr.cdr)
      const items: Value[] = []
      let rest = form
      for (; rest instanceof Pair; rest = rest.cdr) items.push(rest)
      const repetitions = items.length - after
      if (repetitions < 0) return false
      if (!matchEach(pattern.car, items.slice(0, repetitions) as Pair[], use, matches, rules)) return false
      form = repetitions === items.length ? rest : items[repetitions]!
      pattern = pattern.cdr.cdr
      continue
    }
    if (!(form instanceof Pair) || !match(pattern.car, form.car, use, matches, rules)) return false
    pattern = pattern.cdr
    form = form.cdr
  }
}

function matchEach(pattern: Value, forms: Pair[], use: Scope, matches: Matches, rules: Rules): boolean {
  const names = new Set<Identifier>()
  collect(pattern, names, rules)
  const lists = new Map([...names].map((name) => [name, [] as Match[]]))
  for (const form of forms) {
    const inner: Matches = new Map()
    if (!match(pattern, form.car, use, inner, rules)) return false
    for (const [name, each] of lists) each.push(inner.get(name)!)
  }
  for (const [name, each] of lists) matches.set(name, { each })
  return true
}

/** The fresh aliases of one use of a macro. */
class Renaming {
  private readonly scope: Scope
  private readonly aliases = new Map<Identifier, Alias>()
  constructor(scope: Scope) {
    this.scope = scope
  }
  rename(identifier: Identifier): Alias {
    let alias = this.aliases.get(identifier)
    if (!alias) this.aliases.set(identifier, (alias = new Alias(identifier, this.scope)))
    return alias
  }
}

function instantiate(
  template: Value,
  matches: Matches,
  renaming: Renaming,
  rules: Rules,
  escaped = false,
): Value {
  const fill = (part: Value, inner = matches, literally = escaped) =>
    instantiate(part, inner, renaming, rules, literally)
  if (isIdentifier(template)) {
    const found = matches.get(template)
    if (!found) return renaming.rename(template)
    if ('form' in found) return found.form
    throw rules.expander.error(`syntax-rules: ${symbolOf(template).name} needs an ellipsis after it in the template`)
  }
  if (Array.isArray(template)) return listItems(fill(vectorToList(template))) ?? []
  if (!(template instanceof Pair)) return template
  if (!escaped && isEllipsis(template.car, rules) && template.cdr instanceof Pair)
    return fill(template.cdr.car, matches, true)
  let rest = template.cdr
  let depth = 0
  while (!escaped && rest instanceof Pair && isEllipsis(rest.car, rules)) {
    depth++
    rest = rest.cdr
  }
  if (depth === 0) return new Pair(fill(template.car), fill(rest))
  const items = repeat(template.car, depth, matches, rules, fill)
  const tail = fill(rest)
  return items.reduceRight<Value>((list, item) => new Pair(item, list), tail)
}

/** The template once for each repetition of the variables in it, flattened by `depth` ellipses. */
function repeat(
  template: Value,
  depth: number,
  matches: Matches,
  rules: Rules,
  fill: (template: Value, matches: Matches) => Value,
): Value[] {
  if (depth === 0) return [fill(template, matches)]
  const repeated = namesIn(template).filter((name) => {
    const found = matches.get(name)
    return found !== undefined && 'each' in found
  })
  if (repeated.length === 0) throw rules.expander.error('syntax-rules: no variable to repeat before an ellipsis in the template')
  const count = Math.max(...repeated.map((name) => (matches.get(name) as { each: Match[] }).each.length))
  const results: Value[] = []
  for (let i = 0; i < count; i++) {
    const inner: Matches = new Map(matches)
    for (const name of repeated) {
      const each = (matches.get(name) as { each: Match[] }).each
      if (each.length !== count) throw rules.expander.error('syntax-rules: variables under one ellipsis matched different numbers of forms')
      inner.set(name, each[i]!)
    }
    results.push(...repeat(template, depth - 1, inner, rules, fill))
  }
  return results
}

function namesIn(template: Value, names: Identifier[] = []): Identifier[] {
  for (; template instanceof Pair; template = template.cdr) namesIn(template.car, names)
  if (isIdentifier(template)) names.push(template)
  else if (Array.isArray(template)) for (const item of template) namesIn(item, names)
  return names
}

function vectorToList(items: readonly Value[]): Value {
  return items.reduceRight<Value>((list, item) => new Pair(item, list), NIL)
}

function pairsIn(list: Value): number {
  let count = 0
  for (; list instanceof Pair; list = list.cdr) count++
  return count
}

/** Whether a constant in a pattern fits (equal? on data that are no lists). */
function isSameDatum(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a instanceof Flonum) return b instanceof Flonum && Object.is(a.value, b.value)
  if (a instanceof Rational) return b instanceof Rational && a.numerator === b.numerator && a.denominator === b.denominator
  if (a instanceof MutableString || b instanceof MutableString) return String(a) === String(b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i])
  return a instanceof Char && b instanceof Char && a.code === b.code
}
