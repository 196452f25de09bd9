// A procedure's body, in normal form, to the text of a JavaScript function that calls others directly.
// After each call it asks whether the continuation is being captured, and if so leaves a frame with its
// live variables for the site of that call. What the rest of the body does from there is another
// function, made from the same tree with a hole where the call stood, when it is needed.

import type { Generator, Site } from './codegen.ts'
import { Variable, freeVariables, longWay, otherWay, union, without, type Call, type Core, type Lambda, type Letrec } from './core.ts'
import { planFloats, type FloatPlan } from './float-plan.ts'
import { floatLiteral, type Atom } from './inline.ts'
import { isSimple } from './normal.ts'
import { mangle } from './procedure-name.ts'
import { countLocals, hasLeaf, hasTailCall, isLoop, isOnlyCalled, makesClosure } from './shape.ts'
import { Flonum, type Cell } from './value.ts'

/** Where a procedure's text will stand. */
export interface Place {
  kind: 'lambda' | 'unit' | 'rest'
  /** What the procedure is known by inside itself. */
  self?: Cell | Variable
  /** True where every call is known to have the right number of arguments. */
  trusted?: boolean
  /** Variables from around it that hold bare JavaScript numbers, and their names. */
  floats?: ReadonlyMap<Variable, string>
}

/** The enclosing expressions of a place in a body, innermost first. */
interface Context {
  parent: Context | null
  wrap(hole: Core): Core
}

function plug(context: Context | null, core: Core): Core {
  for (; context; context = context.parent) core = context.wrap(core)
  return core
}

// A site belongs to a call node (or to the lambda of a loop): the same node compiled again, as part of
// the rest of another site, has the same continuation.
const sites = new WeakMap<object, Site>()

// The name of a loop is no JavaScript variable, so no frame holds it: the rest of a body inside a loop
// has the loop around it again.
const loopNames = new WeakSet<Variable>()

/** Loops that a tail call can go on with, innermost first. */
interface Loop {
  variable: Variable
  label: string
  slots: string[]
  /** In the loop's own body `continue`, before it `break`. */
  entered: boolean
  /** In the version for floats: the names of the slots that hold bare numbers, null for others. */
  floats: (string | null)[] | null
  parent: Loop | null
}

const FUEL = '--R.fuel<0&&R.tick()'

/** Some turns of a loop, to be gone on with by `continue` and to be repeated. Before them stands the
 * check, which may leave: inside nothing is called for it, so that V8 keeps variables in registers. Slow
 * turns, which call builtins that may go through much, are fewer. */
function strip(label: string, check: string, turn: string, isSlow: boolean): string {
  return `${check}${label}:for(let m=${isSlow ? 'W+15>>4' : 'W'};m>0;m--){${turn}}`
}

type Destination = 'return' | 'none' | { slot: string }
type Variables = ReadonlySet<Variable>
const NONE: Variables = new Set()

export function jsName(variable: Variable): string {
  return `v${variable.id}`
}

/** Marks the start of a line of the text that stands for the source at this offset. */
function mark(at: number): string {
  return at < 0 ? '' : `\u0001${at}\u0002`
}

export class Body {
  private readonly generator: Generator
  private readonly lambda: Lambda
  private readonly place: Place
  private readonly self: string
  private temps = 0
  private usedTemps = 0
  /** How many calls of builtins that are no quick operations were written. */
  private builtins = 0
  /** Local variables of the body, about. */
  private readonly locals: number
  /** Variables that hold bare numbers here, and their names. */
  private floats: ReadonlyMap<Variable, string>
  /** The slots of the procedure's own loop: what its tail calls of itself assign. */
  private slots: string[] = []

  constructor(generator: Generator, lambda: Lambda, place: Place) {
    this.generator = generator
    this.lambda = lambda
    this.place = place
    this.self = mangle(lambda.name)
    this.floats = place.floats ?? new Map()
    this.locals = countLocals(lambda.body) + lambda.params.length
  }

  text(): string {
    const { params, rest } = this.lambda
    const inner = this.place.kind === 'lambda' ? this.procedureText() : { params: params.map(jsName), text: this.statement(this.lambda.body, 'return', null, NONE, null) }
    const list = ['d', ...inner.params, ...(rest ? [`...${jsName(rest)}`] : [])].join(',')
    const temps = Array.from({ length: this.usedTemps }, (_, i) => `,t${i}`).join('')
    return `(function ${this.self}(${list}){var T${temps};${inner.text}})`
  }

  /** The names of the parameters, and what checks arguments, depth and fuel and does the body. */
  private procedureText(): { params: string[]; text: string } {
    const { params, rest, body } = this.lambda
    const names = params.map(jsName)
    const variables = rest ? [...params, rest] : params
    const isAssigned = variables.some((variable) => variable.assigned)
    const loops = rest === null && hasTailCall(body, (call) => this.callsItself(call))
    // Closures made in a turn keep that turn's variables, so these are fresh ones in each.
    const copied = loops && (isAssigned || makesClosure(body))
    this.slots = copied ? names.map((name) => `${name}_`) : names
    const boxes = variables.filter((variable) => variable.assigned || copied).map((variable) => {
      const from = copied ? `${jsName(variable)}_` : jsName(variable)
      return `${copied ? 'let ' : ''}${jsName(variable)}=${variable.assigned ? `{v:${from}}` : from};`
    })
    const again = [...this.slots, ...(rest ? [`...${jsName(rest)}`] : [])].join(',')
    const check = `if(d>D||${FUEL})return R.pause(${this.self},[${again}]);`
    const list = rest ? `${jsName(rest)}=R.list(${jsName(rest)});` : ''
    const arity = this.arityCheck()
    const late = !rest && (copied || !isAssigned) && hasLeaf(body)
    const builtins = this.builtins
    const turn = boxes.join('') + (late ? this.checkedLate(body, check) : this.statement(body, 'return', null, NONE, null))
    const first = late ? '' : check
    const next = `return R.again(${this.self},d+1,[${again}]);`
    const text = loops ? strip('S', first, turn, this.builtins > builtins) + next : first + list + turn
    return { params: this.slots, text: arity + text }
  }

  private arityCheck(): string {
    const { params, rest } = this.lambda
    if (this.place.trusted || (rest && params.length === 0)) return ''
    const wrong = `arguments.length${rest ? '<' : '!=='}${params.length + 1}`
    return `if(${wrong})R.wrongArity(${this.generator.signature(this.lambda)},arguments.length-1);`
  }

  /** The body with the check on those ways alone that call something else than the next turn. */
  private checkedLate(core: Core, check: string): string {
    let before = ''
    for (; core.kind === 'if' && hasLeaf(core); core = core[longWay(core)]) {
      const way = longWay(core)
      before += `if(${way === 'then' ? '!' : ''}${this.test(core.test)}){${this.checkedLate(core[otherWay[way]], check)}}`
    }
    const isLeaf = isSimple(core) || (core.kind === 'call' && this.callsItself(core) && this.lambda.rest === null)
    return before + (isLeaf ? '' : check) + this.statement(core, 'return', null, NONE, null)
  }

  private callsItself({ procedure, args }: Call): boolean {
    const { self } = this.place
    if (self === undefined || args.length !== this.lambda.params.length) return false
    return procedure.kind === 'global' ? procedure.cell === self : procedure.kind === 'local' && procedure.variable === self
  }

  /** What a call adds to the depth: about the size of this function's JavaScript frame. */
  private get weight(): number {
    return 1 + (this.locals >> 3)
  }

  private finishWith(destination: Destination, js: string): string {
    if (destination === 'return') return `return(${js});` // a line may begin inside
    if (destination === 'none') return `${js};`
    return `${destination.slot}=${js};`
  }

  /** Statements that evaluate `core` and put its value where `destination` says. `live`: what the
   * context still needs. What follows one after the other is gone through in a loop: programs have
   * sequences and lets longer than JavaScript's stack is deep. */
  private statement(core: Core, destination: Destination, context: Context | null, live: Variables, loop: Loop | null): string {
    const outer = this.floats
    let before = ''
    /** The label of the block that the ways of a long row of conditionals leave. */
    let block: string | null = null
    for (;;) {
      if (core.kind === 'let') {
        before += this.letBinding(core, context, live)
        core = core.body
      } else if (core.kind === 'seq') {
        const { first, second } = core
        const rest: Context = { parent: context, wrap: (hole) => ({ kind: 'seq', first: hole, second }) }
        before += this.statement(first, 'none', rest, union(freeVariables(second), live), null)
        core = second
      } else if (core.kind === 'if' && !isSimple(core) && (destination === 'return' || block !== null || isLong(core))) {
        // The one way ends in a return or a jump, so that the other need not be nested.
        const way = longWay(core)
        if (destination !== 'return') block ??= this.generator.label()
        const leave = destination === 'return' ? '' : `break ${block};`
        before += `if(${way === 'then' ? '!' : ''}${this.test(core.test)}){${this.statement(core[otherWay[way]], destination, context, live, loop)}${leave}}`
        core = core[way]
      } else {
        before += this.single(core, destination, context, live, loop)
        break
      }
    }
    this.floats = outer
    return block === null ? before : `${block}:{${before}}`
  }

  private single(core: Core, destination: Destination, context: Context | null, live: Variables, loop: Loop | null): string {
    switch (core.kind) {
      case 'if': {
        const then = this.statement(core.then, destination, context, live, loop)
        const otherwise = this.statement(core.else, destination, context, live, loop)
        return `if(${this.test(core.test)}){${then}}else{${otherwise}}`
      }
      case 'letrec':
        return this.letrecStatement(core, destination, context, live, loop)
      case 'call':
        return this.callStatement(core, destination, context, live, loop)
      default:
        return this.finishWith(destination, this.expression(core))
    }
  }

  /** The variable of a let gets its value; one that is sure to be inexact is a bare number from here on. */
  private letBinding(core: Core & { kind: 'let' }, context: Context | null, live: Variables): string {
    const { variable, init } = core
    const name = jsName(variable)
    const float = variable.assigned || init.kind === 'const' ? null : this.float(init)
    if (float !== null) {
      this.floats = new Map([...this.floats, [variable, name]])
      return `let ${name}=${float};`
    }
    if (isSimple(init)) {
      const value = this.expression(init)
      return `let ${name}=${variable.assigned ? `{v:${value}}` : value};`
    }
    const rest: Context = { parent: context, wrap: (hole) => ({ ...core, init: hole }) }
    const needed = union(without(freeVariables(core.body), [variable]), live)
    const value = this.statement(init, { slot: name }, rest, needed, null)
    return `let ${name};${value}${variable.assigned ? `${name}={v:${name}};` : ''}`
  }

  private withFloats<T>(floats: [Variable, string][], step: () => T): T {
    const outer = this.floats
    this.floats = new Map([...outer, ...floats])
    const result = step()
    this.floats = outer
    return result
  }

  private letrecStatement(core: Letrec, destination: Destination, context: Context | null, live: Variables, loop: Loop | null): string {
    const inside: Context = { parent: context, wrap: (hole) => ({ ...core, body: hole }) }
    const ownFree = core.lambdas.reduce((set, lambda) => union(set, freeVariables(lambda)), NONE)
    const needed = union(ownFree, live)
    if (isLoop(core)) return this.loopStatement(core, destination, inside, without(needed, core.variables), loop)
    for (const variable of core.variables) this.generator.known.add(variable)
    const functions = core.lambdas.map((lambda, i) => {
      const self = core.variables[i]!
      const trusted = lambda.rest === null && isOnlyCalled(core, self, lambda)
      return `${jsName(self)}=${this.closure(lambda, { self, trusted })}`
    })
    // The lambdas themselves are live in the body's frames, not what they close over.
    return `const ${functions.join(',')};${this.statement(core.body, destination, context, live, loop)}`
  }

  private closure(lambda: Lambda, place: Omit<Place, 'kind'>): string {
    return this.generator.procedure(lambda, { kind: 'lambda', floats: this.floats, ...place })
  }

  /** A named let whose name is only called in tail position: `for(;;)`. The body before the first turn
   * sets the slots and breaks out of a block; each turn copies them to fresh variables, which closures
   * made in it keep. Where its variables seem to be inexact there is a second version of the turn in
   * which they are bare numbers, gone on with as long as they are. */
  private loopStatement(core: Letrec, destination: Destination, inside: Context, live: Variables, outer: Loop | null): string {
    const lambda = core.lambdas[0]!
    loopNames.add(core.variables[0]!)
    const label = this.generator.label()
    const slots = lambda.params.map((param) => `${jsName(param)}_`)
    const base = { variable: core.variables[0]!, label, slots, floats: null, parent: outer }
    const before = this.statement(core.body, destination, inside, live, { ...base, entered: false })
    const plan = planFloats(core, (variable) => this.floats.has(variable))
    const leave = destination === 'return' ? '' : `break ${label}x;`
    const turn = (loop: Loop) => this.turn(core, loop, inside, live, (body) => this.statement(body, destination, inside, live, loop) + leave)
    const declared = slots.length === 0 ? '' : `let ${slots.join(',')};`
    const plain = turn({ ...base, entered: true })
    const floats = plan ? this.floatVersion(core, plan, { ...base, entered: true }, turn) : ''
    return `${label}x:{${declared}${label}e:{${before}${leave}}${label}o:for(;;){${floats}${plain}}}`
  }

  /** The turns: the check of fuel, and in each the copies of the slots and the body. */
  private turn(core: Letrec, loop: Loop, inside: Context, live: Variables, body: (core: Core) => string): string {
    const lambda = core.lambdas[0]!
    const site = this.loopSite(core, inside, live)
    const values = loop.slots.map((slot, i) => (loop.floats?.[i] ? `new F(${loop.floats[i]})` : slot))
    const frame = [...values, ...site.live.slice(loop.slots.length).map((variable) => this.carried(variable))]
    const pause = `if(${FUEL})return R.pauseLoop(${[this.generator.site(site), ...frame].join(',')});`
    const floats: [Variable, string][] = []
    const copies = lambda.params.map((param, i) => {
      const float = loop.floats?.[i]
      if (float) floats.push([param, jsName(param)])
      const slot = float ?? loop.slots[i]
      return `let ${jsName(param)}=${param.assigned ? `{v:${slot}}` : slot};`
    })
    const builtins = this.builtins
    const turn = copies.join('') + this.withFloats(floats, () => body(lambda.body))
    return strip(loop.label, pause, turn, this.builtins > builtins)
  }

  private floatVersion(core: Letrec, plan: FloatPlan, loop: Loop, turn: (loop: Loop) => string): string {
    const { params } = core.lambdas[0]!
    const bare = (name: string) => `${name}$${loop.label}`
    const floats = params.map((param, i) => (plan.params.has(param) ? bare(loop.slots[i]!) : null))
    const free = plan.free.map((variable): [Variable, string] => [variable, bare(jsName(variable))])
    const boxed = [...params.flatMap((param, i) => (plan.params.has(param) ? [loop.slots[i]!] : [])), ...plan.free.map(jsName)]
    const unboxed = boxed.map((name) => `${bare(name)}=${name}.value`).join(',')
    const label = `${loop.label}f`
    const inner = this.withFloats(free, () => turn({ ...loop, label, floats }))
    return `if(${boxed.map((name) => `${name} instanceof F`).join('&&')}){let ${unboxed};for(;;){${inner}}}`
  }

  /** The site of a loop's turn: its rest is the loop entered anew with the values of the turn. */
  private loopSite(core: Letrec, inside: Context, live: Variables): Site {
    const lambda = core.lambdas[0]!
    let site = sites.get(lambda)
    if (site) return site
    // Plain variables carry the slots' values; the loop's own may be boxes.
    const carried = lambda.params.map((param) => new Variable(param.name))
    const procedure: Core = { kind: 'local', variable: core.variables[0]!, at: -1 }
    const args = carried.map((variable): Core => ({ kind: 'local', variable, at: -1 }))
    const rest = () => plug(inside, { kind: 'call', procedure, args, at: -1 })
    const others = [...live].filter((variable) => !loopNames.has(variable))
    site = { at: lambda.at, procedure: this.lambda.name, live: [...carried, ...others], hole: new Variable('hole'), rest }
    sites.set(lambda, site)
    return site
  }

  private callStatement(core: Call, destination: Destination, context: Context | null, live: Variables, loop: Loop | null): string {
    const target = this.loopOf(core, loop)
    if (target) return this.nextTurn(core, target)
    if (destination === 'return') return this.callsItself(core) && this.lambda.rest === null ? this.selfTailCall(core) : `return(${this.call(core, true)});`
    const site = this.siteOf(core, context, live)
    const frame = [this.generator.site(site), ...site.live.map((variable) => this.carried(variable))].join(',')
    const slot = destination === 'none' ? 'T' : destination.slot
    return `if((${slot}=${this.call(core, false)})===CAPTURED)return R.push${frameKind(site.live.length)}(${frame});`
  }

  /** A variable as a frame holds it: an assigned one by its box. */
  private carried(variable: Variable): string {
    const float = this.floats.get(variable)
    return float === undefined ? jsName(variable) : `new F(${float})`
  }

  private siteOf(core: Call, context: Context | null, live: Variables): Site {
    let site = sites.get(core)
    if (!site) {
      const hole = new Variable('hole')
      const needed = [...live].filter((variable) => !loopNames.has(variable))
      site = { at: core.at, procedure: this.lambda.name, live: needed, hole, rest: () => plug(context, { kind: 'local', variable: hole, at: -1 }) }
      sites.set(core, site)
    }
    return site
  }

  private loopOf(core: Call, loop: Loop | null): Loop | null {
    if (core.procedure.kind !== 'local') return null
    while (loop && loop.variable !== core.procedure.variable) loop = loop.parent
    return loop
  }

  private nextTurn(core: Call, loop: Loop): string {
    const own = this.generator.label()
    const { floats, slots } = loop
    const jump = loop.entered ? `continue ${loop.label};` : `break ${loop.label}e;`
    if (!floats) return this.assign(slots, core.args.map((arg) => this.expression(arg)), own) + jump
    // A value that has to be asked whether it is inexact; where one is not, the turn is the plain one.
    const known = core.args.map((arg, i) => (floats[i] ? this.float(arg) : null))
    const kept = core.args.map((arg, i) => `const ${own}_${i}=${known[i] ?? this.expression(arg)};`).join('')
    const asked = core.args.flatMap((_, i) => (floats[i] && known[i] === null ? [i] : []))
    const plain = slots.map((slot, i) => `${slot}=${known[i] === null ? `${own}_${i}` : `new F(${own}_${i})`};`).join('')
    const test = asked.map((i) => `${own}_${i} instanceof F`).join('&&')
    const leave = test === '' ? '' : `if(!(${test})){${plain}continue ${loop.label.slice(0, -1)}o;}`
    const next = slots.map((slot, i) => (floats[i] ? `${floats[i]}=${own}_${i}${known[i] === null ? '.value' : ''};` : `${slot}=${own}_${i};`)).join('')
    return `{${kept}${leave}${next}${jump}}`
  }

  /** Statements that give the slots their values all at once. */
  private assign(slots: string[], values: string[], own: string): string {
    const changed = slots.flatMap((slot, i) => (slot === values[i] ? [] : [i]))
    if (changed.length === 1) return `${slots[changed[0]!]}=${values[changed[0]!]};`
    return changed.map((i) => `const ${own}_${i}=${values[i]};`).join('') + changed.map((i) => `${slots[i]}=${own}_${i};`).join('')
  }

  /** A tail call of the procedure by itself is its next turn; a global name is asked what it stands for. */
  private selfTailCall(core: Call): string {
    const own = this.generator.label()
    const values = core.args.map((arg) => this.expression(arg))
    if (core.procedure.kind !== 'global') return `{${this.assign(this.slots, values, own)}continue S;}`
    const cell = this.generator.cell(core.procedure.cell)
    const names = values.map((value, i) => (value === this.slots[i] ? value : `${own}_${i}`))
    const changed = values.flatMap((value, i) => (names[i] === value ? [] : [i]))
    const kept = changed.map((i) => `const ${names[i]}=${values[i]};`).join('')
    const next = changed.map((i) => `${this.slots[i]}=${names[i]};`).join('')
    return `{${kept}if(${cell}.value===${this.self}){${next}continue S;}return(${mark(core.at)}R.callee(${cell}.value,${cell})(${['d+1', ...names].join(',')}));}`
  }

  private call(core: Call, isTail: boolean): string {
    const args = core.args.map((arg) => this.expression(arg))
    return this.called(core.procedure, core.at, [`d+${isTail ? 1 : this.weight}`, ...args])
  }

  private called(procedure: Core, at: number, args: string[]): string {
    if (procedure.kind === 'global') {
      const cell = this.generator.cell(procedure.cell)
      // To V8 a function's own name is one function, while what a cell holds can be any.
      const isSelf = procedure.cell === this.place.self ? `(T=${cell}.value)===${this.self}?${this.self}:typeof T` : `typeof(T=${cell}.value)`
      return `${mark(at)}(${isSelf}==='function'?T:R.callee(T,${cell}))(${args.join(',')})`
    }
    if (procedure.kind === 'local' && !procedure.variable.assigned) {
      const name = jsName(procedure.variable)
      if (this.generator.known.has(procedure.variable)) return `${mark(at)}${name}(${args.join(',')})`
      return `${mark(at)}(typeof ${name}==='function'?${name}:R.callee(${name}))(${args.join(',')})`
    }
    return `${mark(at)}R.callee(${this.expression(procedure)})(${args.join(',')})`
  }

  /** A JavaScript expression for a simple core tree. */
  private expression(core: Core): string {
    switch (core.kind) {
      case 'const':
        return this.generator.value(core.value)
      case 'local':
        return this.localRef(core.variable, core.at)
      case 'global': {
        const cell = this.generator.cell(core.cell)
        return this.generator.isSettled(core.cell) ? `${cell}.value` : `(${cell}.value!==undefined?${cell}.value:${mark(core.at)}R.unbound(${cell}))`
      }
      case 'lambda':
        return this.closure(core, {})
      case 'set':
        return `(${jsName(core.variable)}.v=${this.expression(core.value)},UNSPECIFIED)`
      case 'global-set': {
        const cell = this.generator.cell(core.cell)
        const value = core.value.kind === 'lambda' ? this.closure(core.value, { self: core.cell }) : this.expression(core.value)
        if (core.define) return `(${cell}.value=${value},UNSPECIFIED)`
        return `(${mark(core.at)}R.assign(${cell},${value}),UNSPECIFIED)`
      }
      case 'if':
        return `(${this.test(core.test)}?${this.expression(core.then)}:${this.expression(core.else)})`
      case 'seq':
        return `(${this.expression(core.first)},${this.expression(core.second)})`
      case 'prim': {
        const float = this.isFloat(core) ? this.float(core) : null
        if (float !== null) return `new F(${float})`
        if (!core.op.isQuick) this.builtins++
        return this.withAtoms(core.args, (atoms) => `${mark(core.at)}${core.op.value(atoms, this.generator.direct)}`)
      }
      default:
        throw new Error(`not simple: ${core.kind}`)
    }
  }

  /** The bare number that a simple tree yields, where it is sure to yield an inexact real; else null. */
  private float(core: Core): string | null {
    switch (core.kind) {
      case 'const':
        return core.value instanceof Flonum ? floatLiteral(core.value.value) : null
      case 'local':
        return this.floats.get(core.variable) ?? null
      case 'prim':
        return core.op.float(core.args.map((arg) => ({ float: this.float(arg), literal: exactLiteral(arg), value: () => this.expression(arg) })))
      default:
        return null
    }
  }

  /** Whether it yields an inexact real without anything being asked. */
  private isFloat(core: Core): boolean {
    if (core.kind === 'prim') return core.args.every((arg) => this.isFloat(arg))
    return (core.kind === 'const' && core.value instanceof Flonum) || (core.kind === 'local' && this.floats.has(core.variable))
  }

  private localRef(variable: Variable, at: number): string {
    const float = this.floats.get(variable)
    if (float !== undefined) return `new F(${float})`
    const name = jsName(variable)
    if (variable.checked) return `(${name}.v!==undefined?${name}.v:${mark(at)}R.undefinedYet(${this.generator.value(variable.name)}))`
    return variable.assigned ? `${name}.v` : name
  }

  /** A JavaScript condition for a simple core tree. */
  private test(core: Core): string {
    if (core.kind === 'const') return String(core.value !== false)
    if (core.kind === 'if') return `(${this.test(core.test)}?${this.test(core.then)}:${this.test(core.else)})`
    if (core.kind === 'prim' && core.op.name === 'not' && core.args.length === 1) return `!${this.test(core.args[0]!)}`
    if (core.kind === 'prim') {
      let test: string | null = null
      const text = this.withAtoms(core.args, (atoms) => {
        test = core.op.test(atoms, this.generator.direct)
        return `${mark(core.at)}${test ?? ''}`
      })
      if (test !== null) return text
    }
    return this.withAtoms([core], ([atom]) => `(${atom!.js}!==false&&(!L.on||R.isTrue(${atom!.js})))`)
  }

  /** `emit` of operands that may be written twice; others get a temporary first. */
  private withAtoms(operands: Core[], emit: (atoms: Atom[]) => string): string {
    const held = this.temps
    let lastComplex = operands.length - 1
    while (lastComplex >= 0 && isAtom(operands[lastComplex]!)) lastComplex--
    let before = ''
    const hold = (js: string): string => {
      const temp = `t${this.temps++}`
      this.usedTemps = Math.max(this.usedTemps, this.temps)
      before += `${temp}=${js},`
      return temp
    }
    const atoms = operands.map((operand, i): Atom => {
      const float = this.float(operand)
      if (operand.kind === 'const') return { js: this.generator.value(operand.value), constant: operand.value, float }
      if (float !== null) {
        const name = operand.kind === 'local' ? float : hold(float)
        return { js: `new F(${name})`, float: name }
      }
      if (isAtom(operand) || (i > lastComplex && isPlainRef(operand))) return { js: this.expression(operand), float }
      return { js: hold(this.expression(operand)), float }
    })
    const text = emit(atoms)
    this.temps = held
    return before === '' ? text : `(${before}${text})`
  }
}

/** An exact integer literal that is not 0, which division asks for. */
/** Whether conditionals follow each other for long. */
function isLong(core: Core): boolean {
  for (let length = 0; length < 50; length++) {
    while (core.kind === 'let') core = core.body
    if (core.kind !== 'if') return false
    core = core[longWay(core)]
  }
  return true
}

function exactLiteral(core: Core): string | null {
  return core.kind === 'const' && typeof core.value === 'number' && core.value !== 0 ? `(${core.value})` : null
}

function isAtom(core: Core): boolean {
  return core.kind === 'const' || (core.kind === 'local' && !core.variable.assigned)
}

/** An assigned variable can be written down twice where nothing runs in between. */
function isPlainRef(core: Core): boolean {
  return core.kind === 'local' && !core.variable.checked
}

function frameKind(count: number): string {
  return count <= 2 ? String(count) : 'Many'
}
