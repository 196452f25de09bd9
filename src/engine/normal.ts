// The core tree to its normal form: a call stands only as the init of a let, as the first of a
// sequence, or in tail position. What is left inside an expression is simple: it cannot capture.
// Operands are evaluated from left to right.

import { Variable, freeVariables, type Core, type Lambda } from './core.ts'

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

function isSimpleWhole(core: Core): boolean {
  switch (core.kind) {
    case 'set':
    case 'global-set':
      return isSimple(core.value)
    case 'if':
      return isSimple(core.test) && isSimple(core.then) && isSimple(core.else)
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
      return withOperands([asTest(core.test)], ([test]) => ({
        kind: 'if',
        test: test!,
        then: normalize(core.then),
        else: normalize(core.else),
      }))
    case 'seq':
      return normalizeSequence(core)
    case 'let':
      return normalizeLets(core)
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

/** Without a call for each item of a long sequence. */
function normalizeSequence(core: Core): Core {
  const firsts: Core[] = []
  for (; core.kind === 'seq'; core = core.second) firsts.push(normalize(core.first))
  return firsts.reduceRight((second, first) => ({ kind: 'seq', first, second }), normalize(core))
}

/** Nested lets without a call for each; a variable that stands for a constant is not kept. */
function normalizeLets(core: Core): Core {
  const lets: { variable: Variable; init: Core }[] = []
  for (; core.kind === 'let'; core = core.body) {
    const { variable, init } = core
    if (init.kind === 'const' && !variable.assigned) variable.stands = init
    else lets.push({ variable, init: normalize(init) })
  }
  return lets.reduceRight<Core>((body, { variable, init }) => ({ kind: 'let', variable, init, body }), normalize(core))
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
