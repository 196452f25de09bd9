// The builtins that work on the machine itself: continuations, dynamic state, several values, promises,
// dynamic parameters, records, fibers and labels. Those that call Scheme procedures before they return
// are in scheme/prelude.scm and rest on these.

import { wrongType, type Builtin } from './builtin.ts'
import { Exit, Raised, SchemeError } from './error.ts'
import { Uncaught, arityMessage, type Continuation, type Machine } from './machine.ts'
import { show } from './printer.ts'
import { recordAccessor, recordConstructor, recordModifier, recordPredicate } from './record.ts'
import {
  DEFAULT,
  DynamicParameter,
  Labelled,
  MultipleValues,
  MutableString,
  NIL,
  Pair,
  RecordType,
  SchemePromise,
  UNSPECIFIED,
  label,
  list,
  listItems,
  type Procedure,
  type Value,
} from './value.ts'

/** What holds for a computation while it runs; each field an immutable list, innermost first. */
class DynamicState {
  readonly handlers: Value
  /** Pairs of a dynamic parameter and its value. */
  readonly parameters: Value
  /** Vectors of before, after and the state they run in. */
  readonly winders: Value
  constructor(handlers: Value, parameters: Value, winders: Value) {
    this.handlers = handlers
    this.parameters = parameters
    this.winders = winders
  }
}
const OUTERMOST = new DynamicState(NIL, NIL, NIL)

function stateOf(machine: Machine): DynamicState {
  return machine.state instanceof DynamicState ? machine.state : OUTERMOST
}

/** A fiber as a Scheme value. */
class FiberHandle {
  readonly done: Promise<Value>
  constructor(done: Promise<Value>) {
    this.done = done
    done.catch(() => {}) // whoever joins gets the error
  }
}

/** The value of a dynamic parameter in the running fiber. */
export function parameterValue(machine: Machine, parameter: DynamicParameter): Value {
  for (let rest = stateOf(machine).parameters; rest instanceof Pair; rest = rest.cdr) {
    const binding = rest.car as Pair
    if (binding.car === parameter) return binding.cdr
  }
  return parameter.value
}

/** A procedure of no arguments that yields the dynamic parameter's value. */
export function makeParameterProcedure(machine: Machine, parameter: DynamicParameter): Procedure {
  const procedure = (_depth: number, ...args: Value[]): Value => {
    if (args.length > 0) throw new SchemeError(arityMessage('dynamic parameter', [], 0, args.length))
    return parameterValue(machine, parameter)
  }
  return Object.assign(procedure, { parameter, schemeName: 'dynamic-parameter' })
}

function parameterOf(value: Value): DynamicParameter {
  const parameter = typeof value === 'function' ? (value as { parameter?: DynamicParameter }).parameter : undefined
  if (!parameter) throw wrongType('parameterize', 'a dynamic parameter', value)
  return parameter
}

export function valuesOf(value: Value): Value[] {
  return value instanceof MultipleValues ? value.items : [value]
}

export function fromValues(items: Value[]): Value {
  return items.length === 1 ? items[0]! : new MultipleValues(items)
}

function count(n: number): string {
  return n === 1 ? '1 value' : `${n} values`
}

export function controlBuiltins(machine: Machine): Builtin[] {
  const row = <A extends Value[]>(name: string, params: string, run: (...args: A) => Value, doc?: string): Builtin => ({
    name,
    params,
    run: run as unknown as Builtin['run'],
    ...(doc === undefined ? {} : { doc }),
  })
  return [
    row('values', 'obj ...', (...items) => fromValues(items), 'Returns its arguments as several values.'),
    row('%check-values', 'values count', (value, expected) => {
      const items = valuesOf(value)
      if (items.length !== expected) throw new SchemeError(`expected ${count(expected as number)}, got ${items.length}`)
      return expected === 1 ? items[0]! : items
    }),
    row('%values-ref', 'items index', (items: Value, i: Value) => (items as Value[])[i as number]!),
    row('%values->list', 'values least', (value, least) => {
      const items = valuesOf(value)
      if (items.length < (least as number)) throw new SchemeError(`expected at least ${count(least as number)}, got ${items.length}`)
      return list(items)
    }),
    row('%gather-values', 'values fixed', (value, fixed) => {
      const items = valuesOf(value)
      if (items.length < (fixed as number)) throw new SchemeError(`expected at least ${count(fixed as number)}, got ${items.length}`)
      return new MultipleValues([...items.slice(0, fixed as number), list(items.slice(fixed as number))])
    }),

    row('%state', '', () => stateOf(machine)),
    row('%set-state', 'state', (state) => {
      machine.state = state
      return UNSPECIFIED
    }),
    row('%state-handlers', 'state', (state) => (state as DynamicState).handlers),
    row('%state-winders', 'state', (state) => (state as DynamicState).winders),
    row('%with-handlers', 'state handlers', (state, handlers) => {
      const { parameters, winders } = state as DynamicState
      return new DynamicState(handlers, parameters, winders)
    }),
    row('%with-winders', 'state winders', (state, winders) => {
      const { handlers, parameters } = state as DynamicState
      return new DynamicState(handlers, parameters, winders)
    }),
    row('%with-parameter', 'state parameter value', (state, parameter, value) => {
      const { handlers, parameters, winders } = state as DynamicState
      return new DynamicState(handlers, new Pair(new Pair(parameterOf(parameter), value), parameters), winders)
    }),
    row('%common-tail', 'list list', commonTail),
    row('%uncaught', 'obj continuable', (payload, continuable) => {
      throw new Uncaught(payload instanceof SchemeError ? payload : new Raised(`nobody handled ${show(payload)}`, payload, continuable === true))
    }),
    row('%handler-returned', 'obj', (payload) => {
      const about = payload instanceof SchemeError ? payload.message : show(payload)
      throw new SchemeError(`raise: a handler returned from a condition that is not continuable: ${about}`)
    }),
    row(
      'error',
      'message obj ...',
      (message, ...irritants) => {
        const text = typeof message === 'string' || message instanceof MutableString ? String(message) : show(message)
        throw new SchemeError(text, { irritants })
      },
      'Raises an error object with a message and irritants.',
    ),
    row('%wrong-type', 'who expected got', (who, expected, got) => {
      throw wrongType(who as string, expected as string, got)
    }),
    row('%assertion-failed', 'expression', (expression) => {
      throw new SchemeError(`assertion failed: ${show(expression)}`)
    }),

    row(
      'emergency-exit',
      '[obj]',
      (obj) => {
        throw new Exit(obj === DEFAULT || obj === true ? 0 : typeof obj === 'number' ? obj & 255 : 1)
      },
      'Ends the program at once: with 0, with obj as exit code, or with 1 where obj is #f.',
    ),
    row('%delay', 'thunk', (thunk) => new SchemePromise(false, thunk)),
    row('make-promise', 'obj', (value) => (value instanceof SchemePromise ? value : new SchemePromise(true, value)), 'Returns a promise whose value is obj.'),
    row('promise?', 'obj', (value) => value instanceof SchemePromise, 'Tells whether obj is a promise.'),
    row('%promise-done?', 'promise', (promise) => (promise as SchemePromise).box.done),
    row('%promise-value', 'promise', (promise) => (promise as SchemePromise).box.value),
    row('%promise-adopt', 'promise other', (promise, other) => {
      if (!(other instanceof SchemePromise)) throw wrongType('delay-force', 'a promise', other)
      const { box } = promise as SchemePromise
      box.done = other.box.done
      box.value = other.box.value
      other.box = box
      return UNSPECIFIED
    }),

    row('%make-parameter', 'value converter', (value, converter) =>
      makeParameterProcedure(machine, new DynamicParameter(value, converter === false ? null : (converter as Procedure)))),
    row('%parameter-converter', 'parameter', (parameter) => parameterOf(parameter).converter ?? false),

    row('%record-constructor', 'type name order', (type, name, order) => recordConstructor(type as RecordType, name as string, listItems(order) as number[])),
    row('%record-predicate', 'type name', (type, name) => recordPredicate(type as RecordType, name as string)),
    row('%record-accessor', 'type name index', (type, name, index) => recordAccessor(type as RecordType, name as string, index as number)),
    row('%record-modifier', 'type name index', (type, name, index) => recordModifier(type as RecordType, name as string, index as number)),

    row('%case-lambda', 'clause ...', (...clauses) => caseLambda(clauses)),

    row('%fiber-label', '', () => list([...machine.label])),
    row('%leave-label-scope', 'label result', (before, result) => {
      const inside = machine.label
      machine.label = new Set(listItems(before) as string[])
      return label(result, inside)
    }),
    row('labels-of', 'obj', (value) => (value instanceof Labelled ? list([...value.labels].sort()) : NIL), 'The labels of obj, as a list of strings: where it comes from.'),
  ]
}

/** The longest list that both end in. */
function commonTail(a: Value, b: Value): Value {
  const inB = new Set<Value>()
  for (let rest = b; rest instanceof Pair; rest = rest.cdr) inB.add(rest)
  while (a instanceof Pair && !inB.has(a)) a = a.cdr
  return a
}

function caseLambda(clauses: Value[]): Procedure {
  const procedure = (depth: number, ...args: Value[]): Value => {
    for (let i = 0; i < clauses.length; i += 3) {
      const fixed = clauses[i] as number
      if (args.length === fixed || (args.length > fixed && clauses[i + 1] === true)) return (clauses[i + 2] as Procedure)(depth + 1, ...args)
    }
    throw new SchemeError(`case-lambda: no clause takes ${args.length} arguments`)
  }
  return Object.assign(procedure, { schemeName: '' })
}

/** A control procedure: gets the depth, and may return CAPTURED. */
export interface ControlProcedure {
  name: string
  params: string
  doc: string
  procedure: Procedure
}

export function controlProcedures(machine: Machine): ControlProcedure[] {
  /** Set by the prelude: runs winders, then its second argument. */
  const rewind = { procedure: null as Procedure | null }
  const continuationProcedure = (continuation: Continuation): Procedure => {
    const winders = continuation.state instanceof DynamicState ? continuation.state.winders : NIL
    const procedure = (depth: number, ...args: Value[]): Value => {
      const finish = () =>
        machine.capture(() => {
          machine.reinstate(continuation)
          return fromValues(args)
        })
      return stateOf(machine).winders === winders ? finish() : rewind.procedure!(depth + 1, winders, finish)
    }
    return Object.assign(procedure, { schemeName: 'continuation' })
  }
  const callCc: Procedure = (_depth, receiver) => {
    const procedure = machine.callee(receiver)
    return machine.capture(() => procedure(0, continuationProcedure(machine.continuation())))
  }
  const callCcDoc = 'Calls procedure with the current continuation, a procedure that returns its arguments from here.'
  return [
    { name: 'call-with-current-continuation', params: 'procedure', doc: callCcDoc, procedure: callCc },
    { name: 'call/cc', params: 'procedure', doc: callCcDoc, procedure: callCc },
    {
      name: 'apply',
      params: 'procedure obj obj ...',
      doc: 'Calls procedure with the arguments given and the elements of the last one, a list.',
      procedure: (depth, procedure, ...args) => {
        const rest = args.pop()!
        const labels = new Set<string>()
        const items = listItems(rest instanceof Labelled ? (rest.labels.forEach((name) => labels.add(name)), rest.value) : rest)
        if (!items) throw wrongType('apply', 'a list as its last argument', rest)
        const spread = labels.size === 0 ? items : items.map((item) => label(item, labels))
        return applyMany(machine.callee(procedure), depth, [...args, ...spread])
      },
    },
    {
      name: '%apply-values',
      params: 'procedure values',
      doc: '',
      procedure: (depth, procedure, value) => machine.callee(procedure)(depth + 1, ...valuesOf(value)),
    },
    {
      name: '%set-rewind',
      params: 'procedure',
      doc: '',
      procedure: (_depth, procedure) => {
        rewind.procedure = procedure as Procedure
        return UNSPECIFIED
      },
    },
    {
      name: 'spawn',
      params: 'thunk',
      doc: 'Starts a fiber that calls thunk beside the running one, and returns it.',
      procedure: (_depth, thunk) => {
        const procedure = machine.callee(thunk)
        return new FiberHandle(machine.fork(() => procedure(0)))
      },
    },
    {
      name: 'join',
      params: 'fiber',
      doc: 'Waits for a fiber and returns its value, or raises what it raised.',
      procedure: (_depth, fiber) => {
        if (!(fiber instanceof FiberHandle)) throw wrongType('join', 'a fiber', fiber)
        return machine.wait(fiber.done)
      },
    },
    {
      name: 'yield',
      params: '',
      doc: 'Lets the other fibers have their turn.',
      procedure: () => machine.wait(machine.turn()),
    },
  ]
}

// JavaScript takes some ten thousand arguments at once; a builtin that folds takes longer lists in parts.
const MOST_ARGUMENTS = 20_000
const FOLDING = new Set(['+', '*', 'append', 'string-append', 'max', 'min', 'gcd', 'lcm', 'vector-append', 'bytevector-append'])

function applyMany(procedure: Procedure, depth: number, args: Value[]): Value {
  if (args.length <= MOST_ARGUMENTS) return procedure(depth + 1, ...args)
  const name = (procedure as { schemeName?: string }).schemeName ?? ''
  if (name === 'list') return list(args)
  if (name === 'vector') return args
  if (!FOLDING.has(name)) throw new SchemeError(`apply: expected at most ${MOST_ARGUMENTS} arguments, got ${args.length}`, { kind: 'limit' })
  let result = procedure(depth + 1, ...args.slice(0, MOST_ARGUMENTS))
  for (let i = MOST_ARGUMENTS; i < args.length; i += MOST_ARGUMENTS) result = procedure(depth + 1, result, ...args.slice(i, i + MOST_ARGUMENTS))
  return result
}
