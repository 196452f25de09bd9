// The core tree to its normal form: a call stands only as the init of a let, as the first of a
// sequence, or in tail position. What is left inside an expression is simple: it cannot capture.
// Operands are evaluated from left to right.

import { Variable, freeVariables, longWay, otherWay, type Core, type Lambda } from './core.ts'

const simplicity = new WeakMap<Core, boolean>()

/** Whether a normal form is an expression without calls. */
export function isSimple(core: Core): boolean {
  switch (core.kind) {
    case 'const':
    case 'local':
    case 'global':
    case 'lambda':
      return true
    case 'call':
    case 'let':
    case 'letrec':
      return false
  }
  let simple = simplicity.get(core)
  if (simple === undefined) simplicity.set(core, (simple = isSimpleWhole(core)))
  return simple
}

/** Conditionals in a row beyond this many are written as statements: an expression nests in JavaScript. */
const LONGEST_CHAIN = 100

function isShortChain(chain: Core): boolean {
  let core = chain
  for (let length = 0; core.kind === 'if'; length++) {
    const way = longWay(core)
    if (length === LONGEST_CHAIN || !isSimple(core.test) || !isSimple(core[otherWay[way]])) return false
    core = core[way]
  }
  return isSimple(core)
}

function isSimpleWhole(core: Core): boolean {
  switch (core.kind) {
    case 'set':
    case 'global-set':
      return isSimple(core.value)
    case 'if':
      return isShortChain(core)
    case 'prim':
      return core.args.every(isSimple)
    case 'seq': {
      let rest: Core = core
      for (; rest.kind === 'seq'; rest = rest.second) if (!isSimple(rest.first)) return false
      return isSimple(rest)
    }
    default:
      return false
  }
}

/** Whether evaluating it later gives the same value, whatever runs before. */
function isStable(core: Core): boolean {
  if (core.kind === 'const' || core.kind === 'lambda') return true
  return core.kind === 'local' && !core.variable.assigned
}

export function normalize(core: Core): Core {
  switch (core.kind) {
    case 'local':
      return core.variable.stands ?? core
    case 'const':
    case 'global':
      return core
    case 'lambda':
      return normalizeLambda(core)
    case 'set':
    case 'global-set':
      return withOperands([core.value], ([value]) => ({ ...core, value: value! }))
    case 'if':
    case 'seq':
    case 'let':
      return normalizeChain(core)
    case 'letrec':
      return { ...core, lambdas: core.lambdas.map(normalizeLambda), body: normalize(core.body) }
    case 'prim': {
      const folded = core.op.fold(core)
      return withOperands(folded.args, (args) => ({ ...folded, args }))
    }
    case 'call':
      return normalizeCall(core.procedure, core.args, core.at)
  }
}

/** Sequences, lets and conditionals that go on and on in their last part, without a call for each. A
 * variable that stands for a constant is not kept. */
function normalizeChain(core: Core): Core {
  const wraps: ((inner: Core) => Core)[] = []
  for (;;) {
    if (core.kind === 'let') {
      const { variable } = core
      if (core.init.kind === 'const' && !variable.assigned) variable.stands = core.init
      else {
        const init = normalize(core.init)
        wraps.push((body) => ({ kind: 'let', variable, init, body }))
      }
      core = core.body
    } else if (core.kind === 'seq') {
      const first = normalize(core.first)
      wraps.push((second) => ({ kind: 'seq', first, second }))
      core = core.second
    } else if (core.kind === 'if') {
      const way = longWay(core)
      const test = asTest(core.test)
      const other = normalize(core[otherWay[way]])
      wraps.push((long) => withOperands([test], ([condition]) => ({ kind: 'if', test: condition!, then: way === 'then' ? long : other, else: way === 'then' ? other : long })))
      core = core[way]
    } else break
  }
  return wraps.reduceRight((inner, wrap) => wrap(inner), normalize(core))
}

/** A test, whose value does not matter beyond being true: what `or` binds need not be kept. */
function asTest(core: Core): Core {
  if (core.kind === 'if') return { ...core, then: asTest(core.then), else: asTest(core.else) }
  if (core.kind !== 'let' || core.variable.assigned || core.body.kind !== 'if') return core
  const { test, then, else: otherwise } = core.body
  const isVariable = (tree: Core) => tree.kind === 'local' && tree.variable === core.variable
  if (!isVariable(test) || !isVariable(then) || freeVariables(otherwise).has(core.variable)) return core
  return { kind: 'if', test: asTest(core.init), then: { kind: 'const', value: true }, else: asTest(otherwise) }
}

function normalizeLambda(lambda: Lambda): Lambda {
  return { ...lambda, body: normalize(lambda.body) }
}

/** A global procedure is fetched after its operands were evaluated, so that the call can be one
 * JavaScript expression. */
function normalizeCall(procedure: Core, args: Core[], at: number): Core {
  if (procedure.kind === 'global') return withOperands(args, (values) => ({ kind: 'call', procedure, args: values, at }))
  return withOperands([procedure, ...args], ([head, ...values]) => ({ kind: 'call', procedure: head!, args: values, at }))
}

/** `make` of simple operands: one that is complex, or that a complex one after it could change, gets
 * its value in a let before. */
function withOperands(operands: Core[], make: (operands: Core[]) => Core): Core {
  const normal = operands.map(normalize)
  let lastComplex = normal.length - 1
  while (lastComplex >= 0 && isSimple(normal[lastComplex]!)) lastComplex--
  const lets: { variable: Variable; init: Core }[] = []
  const simple = normal.map((operand, i) => {
    if (isSimple(operand) && (i >= lastComplex || isStable(operand))) return operand
    const variable = new Variable('t')
    lets.push({ variable, init: operand })
    return { kind: 'local', variable, at: -1 } as const
  })
  return lets.reduceRight<Core>((body, { variable, init }) => ({ kind: 'let', variable, init, body }), make(simple))
}
