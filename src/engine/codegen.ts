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
  | { kind: 'direct'; name: string; count: number }
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

/** Generated text and what it refers to. The text is an expression, a function of the arguments
 * `(R, K)`: the machine and the table's values. */
export interface Code {
  text: string
  constants: Constant[]
  /** Offset in the source of what stands on a line of the text, by line from 0; absent where none. */
  lines: (number | undefined)[]
}

const PRELUDE =
  '"use strict";const {CAPTURED,Pair,NIL,DEFAULT,UNSPECIFIED,F,Char,L,W}=R.names,S=Number.isSafeInteger'

/** The code of a procedure without parameters whose body is `core` (a normal form). */
export function generateUnit(core: Core, name: string): Code {
  const generator = new Generator()
  const lambda: Lambda = { kind: 'lambda', params: [], rest: null, body: core, name, at: -1 }
  return generator.finish(generator.procedure(lambda, { kind: 'unit' }))
}

/** The code of the procedure `(depth, value, live …)` that does the rest of a body from a site. */
export function generateRest(site: Site): Code {
  const generator = new Generator()
  const lambda: Lambda = { kind: 'lambda', params: [site.hole, ...site.live], rest: null, body: site.rest(), name: '', at: -1 }
  return generator.finish(generator.procedure(lambda, { kind: 'rest', procedure: site.procedure }))
}

export class Generator {
  /** Variables that hold procedures of this unit, whose definitions the code at hand can see. */
  readonly known = new Set<Variable>()
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

  direct = (name: string, count = 0): string => this.constant(`direct ${count} ${name}`, { kind: 'direct', name, count })

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
