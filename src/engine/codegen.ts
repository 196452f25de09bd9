// The normal form to JavaScript text. A procedure becomes a JavaScript function that calls others
// directly; after each call it asks whether the continuation is being captured, and if so leaves a
// frame with its live variables for the site of that call. What the rest of the body does from there
// is another function, made from the same tree with a hole where the call stood, when it is needed.
//
// Nothing of the source text is pasted into the code: names are numbered, constants stand in a table.

import { Variable, freeVariables, union, without, type Call, type Core, type Lambda, type Letrec } from './core.ts'
import type { Atom } from './inline.ts'
import { isSimple } from './normal.ts'
import { mangle } from './procedure-name.ts'
import { Cell, DEFAULT, NIL, UNSPECIFIED, type Value } from './value.ts'

/** An entry of a unit's table of constants. */
export type Constant =
  | { kind: 'value'; value: Value }
  | { kind: 'cell'; cell: Cell }
  | { kind: 'direct'; name: string }
  | { kind: 'signature'; signature: Signature }
  | { kind: 'site'; site: Site }

/** What an arity error has to know of a lambda. */
export interface Signature {
  name: string
  params: string[]
  rest: boolean
}

/** A place where a procedure waits: a call that is no tail call, or the turn of a loop. */
export interface Site {
  /** Offset in the source of the call. */
  at: number
  /** The variables that the rest of the body needs, in the order of a frame's values. */
  live: Variable[]
  hole: Variable
  /** The rest of the body, with the hole for the value of the call. */
  rest(): Core
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

/** Generated text and what it refers to. The text is an expression, a function of the arguments
 * `(R, K)`: the machine and the table's values. */
export interface Code {
  text: string
  constants: Constant[]
  /** Offset in the source of what stands on a line of the text, by line from 0; absent where none. */
  lines: (number | undefined)[]
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
  parent: Loop | null
}

type Destination = 'return' | 'none' | { slot: string }

const PRELUDE =
  '"use strict";const {CAPTURED,Pair,NIL,DEFAULT,UNSPECIFIED,L}=R.names,S=Number.isSafeInteger'

/** The code of a procedure without parameters whose body is `core` (a normal form). */
export function generateUnit(core: Core, name: string): Code {
  const generator = new Generator()
  const lambda: Lambda = { kind: 'lambda', params: [], rest: null, body: core, name, at: -1 }
  return generator.finish(generator.procedure(lambda, 'unit'))
}

/** The code of the procedure `(depth, value, live …)` that does the rest of a body from a site. */
export function generateRest(site: Site): Code {
  const generator = new Generator()
  const lambda: Lambda = { kind: 'lambda', params: [site.hole, ...site.live], rest: null, body: site.rest(), name: '', at: -1 }
  return generator.finish(generator.procedure(lambda, 'rest'))
}

class Generator {
  readonly constants: Constant[] = []
  private readonly indices = new Map<unknown, number>()
  private labels = 0

  finish(procedure: string): Code {
    const names = this.constants.map((_, i) => `K${i}`)
    const table = names.length === 0 ? '' : `,[${names.join(',')}]=K`
    const marked = `${PRELUDE}${table};return ${procedure}`
    const lines: (number | undefined)[] = []
    const text = marked
      .split('\u0001')
      .map((part, i) => {
        if (i === 0) return part
        const end = part.indexOf('\u0002')
        lines[i] = Number(part.slice(0, end))
        return part.slice(end + 1)
      })
      .join('\n')
    return { text, constants: this.constants, lines }
  }

  private constant(key: unknown, constant: Constant): string {
    let index = this.indices.get(key)
    if (index === undefined) {
      index = this.constants.push(constant) - 1
      this.indices.set(key, index)
    }
    return `K${index}`
  }

  value(value: Value): string {
    if (value === undefined || value === true || value === false) return String(value)
    if (typeof value === 'number') return `(${value})`
    if (value === NIL) return 'NIL'
    if (value === UNSPECIFIED) return 'UNSPECIFIED'
    if (value === DEFAULT) return 'DEFAULT'
    return this.constant(typeof value === 'string' ? `value ${value}` : value, { kind: 'value', value })
  }

  cell(cell: Cell): string {
    return this.constant(cell, { kind: 'cell', cell })
  }

  direct = (name: string): string => this.constant(`direct ${name}`, { kind: 'direct', name })

  signature(lambda: Lambda): string {
    const signature = { name: lambda.name, params: lambda.params.map((param) => param.name), rest: lambda.rest !== null }
    return this.constant(lambda, { kind: 'signature', signature })
  }

  site(site: Site): string {
    return this.constant(site, { kind: 'site', site })
  }

  label(): string {
    return `l${this.labels++}`
  }

  procedure(lambda: Lambda, kind: 'lambda' | 'unit' | 'rest'): string {
    return new Body(this, lambda, kind).text()
  }
}

export function jsName(variable: Variable): string {
  return `v${variable.id}`
}

/** Marks the start of a line of the text that stands for the source at this offset. */
function mark(at: number): string {
  return at < 0 ? '' : `\u0001${at}\u0002`
}

class Body {
  private readonly generator: Generator
  private readonly lambda: Lambda
  private readonly kind: 'lambda' | 'unit' | 'rest'
  private temps = 0
  private usedTemps = 0
  private locals = 0

  constructor(generator: Generator, lambda: Lambda, kind: 'lambda' | 'unit' | 'rest') {
    this.generator = generator
    this.lambda = lambda
    this.kind = kind
  }

  text(): string {
    const { params, rest, body } = this.lambda
    const self = mangle(this.lambda.name)
    const names = params.map(jsName)
    const list = ['d', ...names, ...(rest ? [`...${jsName(rest)}`] : [])].join(',')
    const statements = this.statement(body, 'return', null, new Set(), null)
    let entry = ''
    if (this.kind === 'lambda') {
      const count = params.length + 1
      const wrong = rest ? (params.length > 0 ? `arguments.length<${count}` : '') : `arguments.length!==${count}`
      if (wrong) entry += `if(${wrong})R.wrongArity(${this.generator.signature(this.lambda)},arguments.length-1);`
      const again = [...names, ...(rest ? [`...${jsName(rest)}`] : [])].join(',')
      entry += `if(d>R.limit||--R.fuel<0&&R.tick())return R.pause(${self},[${again}]);`
      if (rest) entry += `${jsName(rest)}=R.list(${jsName(rest)});`
      for (const variable of rest ? [...params, rest] : params)
        if (variable.assigned) entry += `${jsName(variable)}={v:${jsName(variable)}};`
    }
    const temps = Array.from({ length: this.usedTemps }, (_, i) => `,t${i}`).join('')
    return `(function ${self}(${list}){${entry}let T${temps};${statements}})`
  }

  /** What a call adds to the depth: about the size of this function's JavaScript frame. */
  private get weight(): number {
    return 1 + ((this.locals + this.lambda.params.length) >> 3)
  }

  private finishWith(destination: Destination, js: string): string {
    if (destination === 'return') return `return(${js});` // a line may begin inside
    if (destination === 'none') return `${js};`
    return `${destination.slot}=${js};`
  }

  /** Statements that evaluate `core` and put its value where `destination` says. `live`: what the
   * context still needs. */
  private statement(
    core: Core,
    destination: Destination,
    context: Context | null,
    live: ReadonlySet<Variable>,
    loop: Loop | null,
  ): string {
    if (isSimple(core) && core.kind !== 'if' && core.kind !== 'seq') return this.finishWith(destination, this.expression(core))
    switch (core.kind) {
      case 'if': {
        const then = this.statement(core.then, destination, context, live, loop)
        const otherwise = this.statement(core.else, destination, context, live, loop)
        return `if(${this.test(core.test)}){${then}}else{${otherwise}}`
      }
      case 'seq': {
        const rest: Context = { parent: context, wrap: (hole) => ({ kind: 'seq', first: hole, second: core.second }) }
        const first = this.statement(core.first, 'none', rest, union(freeVariables(core.second), live), null)
        return first + this.statement(core.second, destination, context, live, loop)
      }
      case 'let':
        return this.letStatement(core, destination, context, live, loop)
      case 'letrec':
        return this.letrecStatement(core, destination, context, live, loop)
      case 'call':
        return this.callStatement(core, destination, context, live, loop)
      default:
        return this.finishWith(destination, this.expression(core))
    }
  }

  private letStatement(
    core: Core & { kind: 'let' },
    destination: Destination,
    context: Context | null,
    live: ReadonlySet<Variable>,
    loop: Loop | null,
  ): string {
    this.locals++
    const name = jsName(core.variable)
    const body = this.statement(core.body, destination, context, live, loop)
    if (isSimple(core.init)) {
      const value = this.expression(core.init)
      return `let ${name}=${core.variable.assigned ? `{v:${value}}` : value};${body}`
    }
    const rest: Context = { parent: context, wrap: (hole) => ({ ...core, init: hole }) }
    const needed = union(without(freeVariables(core.body), [core.variable]), live)
    const init = this.statement(core.init, { slot: name }, rest, needed, null)
    return `let ${name};${init}${core.variable.assigned ? `${name}={v:${name}};` : ''}${body}`
  }

  private letrecStatement(
    core: Letrec,
    destination: Destination,
    context: Context | null,
    live: ReadonlySet<Variable>,
    loop: Loop | null,
  ): string {
    const inside: Context = { parent: context, wrap: (hole) => ({ ...core, body: hole }) }
    const ownFree = core.lambdas.reduce((set, lambda) => union(set, freeVariables(lambda)), new Set<Variable>() as ReadonlySet<Variable>)
    const needed = union(ownFree, live)
    if (isLoop(core)) return this.loopStatement(core, destination, inside, without(needed, core.variables), loop)
    this.locals += core.variables.length
    const functions = core.variables.map((variable, i) => `${jsName(variable)}=${this.expression(core.lambdas[i]!)}`)
    // The lambdas themselves are live in the body's frames, not what they close over.
    return `const ${functions.join(',')};${this.statement(core.body, destination, context, live, loop)}`
  }

  /** A named let whose name is only called in tail position: `for(;;)`. The body before the first turn
   * sets the slots and breaks out of a block; each turn copies them to fresh variables, which closures
   * made in it keep. */
  private loopStatement(
    core: Letrec,
    destination: Destination,
    inside: Context,
    live: ReadonlySet<Variable>,
    outer: Loop | null,
  ): string {
    const lambda = core.lambdas[0]!
    loopNames.add(core.variables[0]!)
    const label = this.generator.label()
    const slots = lambda.params.map((param) => `${jsName(param)}_`)
    this.locals += 2 * slots.length
    const loop = (entered: boolean): Loop => ({ variable: core.variables[0]!, label, slots, entered, parent: outer })
    const before = this.statement(core.body, destination, inside, live, loop(false))
    const turn = this.statement(lambda.body, destination, inside, live, loop(true))
    const leave = destination === 'return' ? '' : `break ${label}x;`
    const copies = lambda.params.map((param, i) => {
      const value = param.assigned ? `{v:${slots[i]}}` : slots[i]
      return `let ${jsName(param)}=${value};`
    })
    const site = this.loopSite(core, inside, live)
    const frame = [...slots, ...site.live.slice(slots.length).map(jsName)]
    const pause = `if(--R.fuel<0&&R.tick())return R.pauseLoop(${[this.generator.site(site), ...frame].join(',')});`
    const declared = slots.length === 0 ? '' : `let ${slots.join(',')};`
    return `${label}x:{${declared}${label}e:{${before}${leave}}${label}:for(;;){${pause}${copies.join('')}${turn}${leave}}}`
  }

  /** The site of a loop's turn: its rest is the loop entered anew with the values of the turn. */
  private loopSite(core: Letrec, inside: Context, live: ReadonlySet<Variable>): Site {
    const lambda = core.lambdas[0]!
    let site = sites.get(lambda)
    if (site) return site
    // Plain variables carry the slots' values; the loop's own may be boxes.
    const carried = lambda.params.map((param) => new Variable(param.name))
    const procedure: Core = { kind: 'local', variable: core.variables[0]!, at: -1 }
    const args = carried.map((variable): Core => ({ kind: 'local', variable, at: -1 }))
    const rest = () => plug(inside, { kind: 'call', procedure, args, at: -1 })
    const others = [...live].filter((variable) => !loopNames.has(variable))
    site = { at: lambda.at, live: [...carried, ...others], hole: new Variable('hole'), rest }
    sites.set(lambda, site)
    return site
  }

  private callStatement(
    core: Call,
    destination: Destination,
    context: Context | null,
    live: ReadonlySet<Variable>,
    loop: Loop | null,
  ): string {
    const target = this.loopOf(core, loop)
    if (target) return this.nextTurn(core, target)
    const call = this.call(core, destination === 'return')
    if (destination === 'return') return `return(${call});`
    const site = this.siteOf(core, context, live)
    const frame = [this.generator.site(site), ...site.live.map(jsName)].join(',')
    const slot = destination === 'none' ? 'T' : destination.slot
    return `if((${slot}=${call})===CAPTURED)return R.push${frameKind(site.live.length)}(${frame});`
  }

  private siteOf(core: Call, context: Context | null, live: ReadonlySet<Variable>): Site {
    let site = sites.get(core)
    if (!site) {
      const hole = new Variable('hole')
      const needed = [...live].filter((variable) => !loopNames.has(variable))
      site = { at: core.at, live: needed, hole, rest: () => plug(context, { kind: 'local', variable: hole, at: -1 }) }
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
    const values = core.args.map((arg) => this.expression(arg))
    const jump = loop.entered ? `continue ${loop.label};` : `break ${loop.label}e;`
    if (values.length === 1) return `${loop.slots[0]}=${values[0]};${jump}`
    const own = this.generator.label()
    const kept = values.map((value, i) => `const ${own}_${i}=${value};`).join('')
    return `{${kept}${loop.slots.map((slot, i) => `${slot}=${own}_${i};`).join('')}${jump}}`
  }

  private call(core: Call, isTail: boolean): string {
    const args = core.args.map((arg) => this.expression(arg))
    const depth = `d+${isTail ? 1 : this.weight}`
    if (core.procedure.kind === 'global') {
      const cell = this.generator.cell(core.procedure.cell)
      return `${mark(core.at)}(typeof ${cell}.value==='function'?${cell}.value:R.callee(${cell}.value,${cell}))(${[depth, ...args].join(',')})`
    }
    const procedure = core.procedure
    if (procedure.kind === 'local' && !procedure.variable.assigned) {
      const name = jsName(procedure.variable)
      return `${mark(core.at)}(typeof ${name}==='function'?${name}:R.callee(${name}))(${[depth, ...args].join(',')})`
    }
    return `${mark(core.at)}R.callee(${this.expression(procedure)})(${[depth, ...args].join(',')})`
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
        return core.cell.value === undefined
          ? `(${cell}.value!==undefined?${cell}.value:${mark(core.at)}R.unbound(${cell}))`
          : `${cell}.value`
      }
      case 'lambda':
        return this.generator.procedure(core, 'lambda')
      case 'set': {
        const name = jsName(core.variable)
        const value = this.expression(core.value)
        return `(${name}.v=${value},UNSPECIFIED)`
      }
      case 'global-set': {
        const cell = this.generator.cell(core.cell)
        const value = this.expression(core.value)
        if (core.define) return `(${cell}.value=${value},UNSPECIFIED)`
        return `(${mark(core.at)}R.assign(${cell},${value}),UNSPECIFIED)`
      }
      case 'if':
        return `(${this.test(core.test)}?${this.expression(core.then)}:${this.expression(core.else)})`
      case 'seq':
        return `(${this.expression(core.first)},${this.expression(core.second)})`
      case 'prim':
        return this.withAtoms(core.args, (atoms) => `${mark(core.at)}${core.op.value(atoms, this.generator.direct)}`)
      default:
        throw new Error(`not simple: ${core.kind}`)
    }
  }

  private localRef(variable: Variable, at: number): string {
    const name = jsName(variable)
    if (variable.checked) return `(${name}.v!==undefined?${name}.v:${mark(at)}R.undefinedYet(${this.generator.value(variable.name)}))`
    return variable.assigned ? `${name}.v` : name
  }

  /** A JavaScript condition for a simple core tree. */
  private test(core: Core): string {
    if (core.kind === 'const') return String(core.value !== false)
    if (core.kind === 'if') return `(${this.test(core.test)}?${this.test(core.then)}:${this.test(core.else)})`
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
    const atoms = operands.map((operand, i): Atom => {
      if (operand.kind === 'const') return { js: this.generator.value(operand.value), constant: operand.value }
      if (isAtom(operand) || (i > lastComplex && isPlainRef(operand))) return { js: this.expression(operand) }
      const js = this.expression(operand)
      const temp = `t${this.temps++}`
      this.usedTemps = Math.max(this.usedTemps, this.temps)
      before += `${temp}=${js},`
      return { js: temp }
    })
    const text = emit(atoms)
    this.temps = held
    return before === '' ? text : `(${before}${text})`
  }
}

function isAtom(core: Core): boolean {
  return core.kind === 'const' || (core.kind === 'local' && !core.variable.assigned)
}

/** An assigned variable can be written down twice where nothing runs in between. */
function isPlainRef(core: Core): boolean {
  return core.kind === 'local' && !core.variable.checked
}

function frameKind(count: number): string {
  return count <= 4 ? String(count) : 'Many'
}

/** Whether a letrec is a loop: one lambda, called by its name in tail position and nowhere else seen. */
function isLoop(core: Letrec): boolean {
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
