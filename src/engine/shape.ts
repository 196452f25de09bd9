// What the code generator asks of a tree before it writes code for it: which letrecs are loops, which
// variables closures hold, which procedures nobody but their own callers can see. All of it is about
// normal forms, which do not change, so answers are kept.

import { freeVariables, type Call, type Core, type Lambda, type Letrec, type Variable } from './core.ts'
import { isSimple } from './normal.ts'

const loops = new WeakMap<Letrec, boolean>()

/** Whether a letrec is a loop: one lambda, called by its name in tail position and nowhere else seen. */
export function isLoop(core: Letrec): boolean {
  let answer = loops.get(core)
  if (answer === undefined) loops.set(core, (answer = computeIsLoop(core)))
  return answer
}

function computeIsLoop(core: Letrec): boolean {
  const [variable] = core.variables
  const [lambda] = core.lambdas
  if (core.lambdas.length !== 1 || lambda!.rest || variable!.assigned) return false
  return onlyInTail(lambda!.body, variable!, lambda!.params.length) && onlyInTail(core.body, variable!, lambda!.params.length)
}

function onlyInTail(core: Core, variable: Variable, arity: number): boolean {
  if (!freeVariables(core).has(variable)) return true
  switch (core.kind) {
    case 'call':
      return (
        core.procedure.kind === 'local' &&
        core.procedure.variable === variable &&
        core.args.length === arity &&
        core.args.every((arg) => !freeVariables(arg).has(variable))
      )
    case 'if':
      return !freeVariables(core.test).has(variable) && onlyInTail(core.then, variable, arity) && onlyInTail(core.else, variable, arity)
    case 'seq':
      return !freeVariables(core.first).has(variable) && onlyInTail(core.second, variable, arity)
    case 'let':
      return !freeVariables(core.init).has(variable) && onlyInTail(core.body, variable, arity)
    case 'letrec':
      // An inner loop's own tail calls may go on with an outer loop; a plain letrec's lambdas may not.
      if (core.lambdas.every((lambda) => !freeVariables(lambda).has(variable))) return onlyInTail(core.body, variable, arity)
      return isLoop(core) && onlyInTail(core.lambdas[0]!.body, variable, arity) && onlyInTail(core.body, variable, arity)
    default:
      return false
  }
}

/** Whether every use of `variable` is a call with as many arguments as `lambda` takes. */
export function isOnlyCalled(core: Core, variable: Variable, lambda: Lambda): boolean {
  if (!freeVariables(core).has(variable)) return true
  const all = (...parts: Core[]) => parts.every((part) => isOnlyCalled(part, variable, lambda))
  switch (core.kind) {
    case 'local':
      return false
    case 'call':
      if (core.procedure.kind === 'local' && core.procedure.variable === variable)
        return core.args.length === lambda.params.length && all(...core.args)
      return all(core.procedure, ...core.args)
    case 'prim':
      return all(...core.args)
    case 'if':
      return all(core.test, core.then, core.else)
    case 'seq':
      return all(core.first, core.second)
    case 'let':
      return all(core.init, core.body)
    case 'letrec':
      return all(...core.lambdas, core.body)
    case 'lambda':
      return all(core.body)
    case 'set':
    case 'global-set':
      return all(core.value)
    default:
      return true
  }
}

const captures = new WeakMap<Core, boolean>()

/** Whether a JavaScript closure is made in the code of a tree: a lambda that is no loop. */
export function makesClosure(core: Core): boolean {
  let answer = captures.get(core)
  if (answer === undefined) captures.set(core, (answer = computeMakesClosure(core)))
  return answer
}

function computeMakesClosure(core: Core): boolean {
  switch (core.kind) {
    case 'lambda':
      return true
    case 'letrec':
      return !isLoop(core) || makesClosure(core.lambdas[0]!.body) || makesClosure(core.body)
    case 'if':
      return makesClosure(core.test) || makesClosure(core.then) || makesClosure(core.else)
    case 'seq':
      return makesClosure(core.first) || makesClosure(core.second)
    case 'let':
      return makesClosure(core.init) || makesClosure(core.body)
    case 'call':
      return makesClosure(core.procedure) || core.args.some(makesClosure)
    case 'prim':
      return core.args.some(makesClosure)
    case 'set':
    case 'global-set':
      return makesClosure(core.value)
    default:
      return false
  }
}

/** Whether some tail call of a body is one that `fits`. */
export function hasTailCall(core: Core, fits: (call: Call) => boolean): boolean {
  switch (core.kind) {
    case 'call':
      return fits(core)
    case 'if':
      return hasTailCall(core.then, fits) || hasTailCall(core.else, fits)
    case 'seq':
      return hasTailCall(core.second, fits)
    case 'let':
      return hasTailCall(core.body, fits)
    case 'letrec':
      return hasTailCall(core.body, fits) || (isLoop(core) && hasTailCall(core.lambdas[0]!.body, fits))
    default:
      return false
  }
}

/** How many JavaScript variables a body has, closures apart. */
export function countLocals(core: Core): number {
  let count = 0
  const open: Core[] = [core]
  for (let next = open.pop(); next; next = open.pop()) {
    switch (next.kind) {
      case 'let':
        count++
        open.push(next.init, next.body)
        break
      case 'letrec':
        if (isLoop(next)) {
          count += 2 * next.lambdas[0]!.params.length
          open.push(next.lambdas[0]!.body)
        }
        count += next.variables.length
        open.push(next.body)
        break
      case 'if':
        open.push(next.then, next.else)
        break
      case 'seq':
        open.push(next.first, next.second)
        break
    }
  }
  return count
}

/** Whether a body begins with tests after which, on some way, nothing is called: then the check of depth
 * and fuel can wait until a way is taken that calls something. */
export function hasLeaf(core: Core): boolean {
  if (core.kind !== 'if' || !isPure(core.test)) return false
  return isSimple(core.then) || isSimple(core.else) || hasLeaf(core.then) || hasLeaf(core.else)
}

/** Whether it can be evaluated twice without a difference. */
function isPure(core: Core): boolean {
  switch (core.kind) {
    case 'const':
    case 'local':
    case 'global':
      return true
    case 'prim':
      return core.op.isPure && core.args.every(isPure)
    case 'if':
      return isPure(core.test) && isPure(core.then) && isPure(core.else)
    default:
      return false
  }
}
