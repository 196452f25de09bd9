// Rows of builtin tables to functions that run: the direct function, which compiled code calls without
// a depth, and the procedure, which checks how many arguments it gets. Labelled arguments are taken
// care of here, once for all builtins.

import { arityOf, type Builtin } from './builtin.ts'
import { SchemeError } from './error.ts'
import { isInlined } from './inline.ts'
import { arityMessage, type Machine } from './machine.ts'
import { DEFAULT, Labelled, Pair, label, labelling, type Procedure, type Value } from './value.ts'

export type Direct = (...args: Value[]) => Value

/** Builtins that keep what they are given as it is: a labelled element stays labelled inside. */
const HOLDS = new Set(['cons', 'list', 'cons*', 'vector', 'values', 'xcons', 'box', 'make-vector', 'make-list', 'make-promise', 'labels-of'])
const WRITES = /!$|^(write|display|newline)/

/** The function behind a row. With labelled arguments it works on the bare values and labels the
 * result; one that changes something raises the fiber's label, since no result shows the change. */
export function makeDirect(row: Builtin, machine: Machine): Direct {
  const plain = row.run as Direct
  if (HOLDS.has(row.name) || row.name.startsWith('%')) return plain
  const run = isInlined(row.name) ? plain : charged(plain, machine)
  const labelled = (args: Value[]): Value => runLabelled(row, args, machine)
  const { most } = arityOf(row.params)
  if (row.deep || most > 3) return (...args) => (labelling.on ? labelled(args) : run(...args))
  switch (most) {
    case 0:
      return run
    case 1:
      return (a) => (labelling.on && a instanceof Labelled ? labelled([a]) : run(a!))
    case 2:
      return (a, b) => (labelling.on && (a instanceof Labelled || b instanceof Labelled) ? labelled([a!, b!]) : run(a!, b!))
    default:
      return (a, b, c) => (labelling.on ? labelled([a!, b!, c!]) : run(a!, b!, c!))
  }
}

/** How many turns of a loop a call of a builtin counts as: it may go through a long list or string. */
const CHARGE = 20

function charged(run: Direct, machine: Machine): Direct {
  return (...args) => {
    machine.fuel -= CHARGE
    return run(...args)
  }
}

/** As `makeDirect`, for calls with two arguments; null where the row has no quicker way for them. */
export function makeBinary(row: Builtin, direct: Direct): Direct | null {
  const { binary } = row
  if (!binary) return null
  return (a, b) => (labelling.on && (a instanceof Labelled || b instanceof Labelled) ? direct(a!, b!) : binary(a!, b!))
}

/** Whether the value of `direct` is true, as the test of an `if` asks it. */
export function makeTest(direct: Direct, machine: Machine): Direct {
  return (a, b) => machine.isTrue(direct(a!, b!))
}

function runLabelled(row: Builtin, args: Value[], machine: Machine): Value {
  const labels = new Set<string>()
  const bare = args.map((arg) => (row.deep ? bareDeep(arg, labels, new Map()) : bareOutside(arg, labels)))
  const run = row.run as Direct
  if (labels.size === 0) return run(...args)
  if (WRITES.test(row.name)) machine.raiseLabel(labels)
  try {
    return label(run(...bare), labels)
  } catch (error) {
    // Whoever handles the error learns something of the labelled value.
    machine.raiseLabel(labels)
    throw error
  }
}

function bareOutside(value: Value, labels: Set<string>): Value {
  if (!(value instanceof Labelled)) return value
  for (const name of value.labels) labels.add(name)
  return value.value
}

/** A copy without labels, where there are any inside; the labels are collected. */
function bareDeep(value: Value, labels: Set<string>, done: Map<Value, Value>): Value {
  const bare = bareOutside(value, labels)
  const isList = bare instanceof Pair
  if (!isList && !Array.isArray(bare)) return bare
  const known = done.get(bare)
  if (known) return known
  if (!isList) {
    const copy: Value[] = []
    done.set(bare, copy)
    for (const item of bare) copy.push(bareDeep(item, labels, done))
    return copy
  }
  const first = new Pair(bare.car, bare.cdr)
  done.set(bare, first)
  let copy = first
  for (;;) {
    copy.car = bareDeep(copy.car, labels, done)
    const rest = bareOutside(copy.cdr, labels)
    const seen = done.get(rest)
    if (seen || !(rest instanceof Pair)) {
      copy.cdr = seen ?? bareDeep(rest, labels, done)
      return first
    }
    const next = new Pair(rest.car, rest.cdr)
    done.set(rest, next)
    copy.cdr = next
    copy = next
  }
}

export function makeProcedure(row: Builtin, direct: Direct): Procedure {
  const { least, most } = arityOf(row.params)
  const params = row.params.split(/\s+/).filter((word) => word !== '' && word !== '...')
  const wrong = (got: number): never => {
    throw new SchemeError(arityMessage(row.name, params.slice(0, least), most, got), { help: `the form is (${[row.name, row.params].join(' ').trim()})` })
  }
  const procedure = makeChecked(least, most, direct, wrong)
  return Object.assign(procedure, { schemeName: row.name })
}

function makeChecked(least: number, most: number, direct: Direct, wrong: (got: number) => never): Procedure {
  if (least === 1 && most === 1)
    return function (_depth: number, a?: Value): Value {
      return arguments.length === 2 ? direct(a!) : wrong(arguments.length - 1)
    }
  if (least === 2 && most === 2)
    return function (_depth: number, a?: Value, b?: Value): Value {
      return arguments.length === 3 ? direct(a!, b!) : wrong(arguments.length - 1)
    }
  return (_depth, ...args) => {
    if (args.length < least || args.length > most) wrong(args.length)
    if (most !== Infinity) while (args.length < most) args.push(DEFAULT)
    return direct(...args)
  }
}
