// Normal forms to units of JavaScript text: the text of a procedure (body.ts), the table of constants
// that it refers to, and the places in the source that its lines stand for.
//
// Nothing of the source text is pasted into the code: names are numbered, constants stand in a table.

import { Body, type Place } from './body.ts'
import type { Core, Lambda, Variable } from './core.ts'
import { Cell, DEFAULT, NIL, UNSPECIFIED, type Value } from './value.ts'

/** An entry of a unit's table of constants. */
export type Constant =
  | { kind: 'value'; value: Value }
  | { kind: 'cell'; cell: Cell }
  | { kind: 'direct'; name: string; way: Way }
  | { kind: 'signature'; signature: Signature }
  | { kind: 'site'; site: Site }

/** How a builtin is called: with any arguments, with two, or with two or any for the truth of its value. */
export type Way = 'plain' | 'two' | 'test' | 'test two'

/** What an arity error has to know of a lambda. */
export interface Signature {
  name: string
  params: string[]
  rest: boolean
}

/** A place where a procedure waits: a call that is no tail call, or the turn of a loop. */
export interface Site {
  /** Place in the source of the call. */
  at: number
  /** Name of the procedure that it stands in. */
  procedure: string
  /** The variables that the rest of the body needs, in the order of a frame's values. */
  live: Variable[]
  hole: Variable
  /** The rest of the body, with the hole for the value of the call. */
  rest(): Core
}

/** Generated text and what it refers to. The text is the body of a JavaScript function whose parameters
 * are `CODE_NAMES` and `params`, and which returns the procedure. That these are parameters matters: V8
 * knows that they are there, while it would ask whether a `const` is defined yet at each use. */
export interface Code {
  text: string
  /** Names of the table's values: one parameter each, or the table itself where there are too many. */
  params: string[]
  constants: Constant[]
  /** Offset in the source of what stands on a line of the text, by line from 0; absent where none. */
  lines: (number | undefined)[]
}

/** What every unit may use beside its table: R the machine, S `Number.isSafeInteger`, F the class Flonum,
 * L the switch of labelling, W how many turns a strip of a loop has, D the limit of depth, and others by
 * their own names. */
export const CODE_NAMES = ['R', 'S', 'CAPTURED', 'Pair', 'NIL', 'DEFAULT', 'UNSPECIFIED', 'F', 'Char', 'L', 'W', 'D'] as const

/** JavaScript takes some 65,000 parameters; far fewer are quick to pass. */
const MOST_PARAMS = 5000

/** The code of a procedure without parameters whose body is `core` (a normal form). */
export function generateUnit(core: Core, name: string, settled?: ReadonlySet<Cell>): Code {
  const generator = new Generator(settled)
  const lambda: Lambda = { kind: 'lambda', params: [], rest: null, body: core, name, at: -1 }
  return generator.finish(generator.procedure(lambda, { kind: 'unit' }))
}

/** The code of the procedure `(depth, value, live …)` that does the rest of a body from a site. */
export function generateRest(site: Site): Code {
  const generator = new Generator()
  const lambda: Lambda = { kind: 'lambda', params: [site.hole, ...site.live], rest: null, body: site.rest(), name: site.procedure, at: -1 }
  return generator.finish(generator.procedure(lambda, { kind: 'rest' }))
}

export class Generator {
  /** Variables that hold procedures of this unit, whose definitions the code at hand can see. */
  readonly known = new Set<Variable>()
  private readonly settled: ReadonlySet<Cell>
  readonly constants: Constant[] = []
  private readonly indices = new Map<unknown, number>()
  private labels = 0

  constructor(settled: ReadonlySet<Cell> = new Set()) {
    this.settled = settled
  }

  /** Whether a variable is sure to have a value when the code runs. */
  isSettled(cell: Cell): boolean {
    return cell.value !== undefined || this.settled.has(cell)
  }

  finish(procedure: string): Code {
    const names = this.constants.map((_, i) => `K${i}`)
    const few = names.length <= MOST_PARAMS
    const marked = `"use strict";${few ? '' : `const [${names.join(',')}]=K;`}return ${procedure}`
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
    return { text, params: few ? names : ['K'], constants: this.constants, lines }
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

  direct = (name: string, way: Way = 'plain'): string => this.constant(`direct ${way} ${name}`, { kind: 'direct', name, way })

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

  procedure(lambda: Lambda, place: Place): string {
    return new Body(this, lambda, place).text()
  }
}
