// Core trees to procedures that run: normal form, JavaScript text, and the function that JavaScript
// makes of it. Keeps the units, so that a line of generated code can be traced to its source.

import { CODE_NAMES, generateRest, generateUnit, type Code, type Constant, type Site, type Way } from './codegen.ts'
import type { Core } from './core.ts'
import type { Position } from './error.ts'
import type { Sources } from './source.ts'
import type { Machine, Resumption } from './machine.ts'
import { normalize } from './normal.ts'
import type { Cell, Procedure } from './value.ts'

// `new Function` puts two lines before the text that it is given.
const LINES_BEFORE = 2

export class Compiler {
  private readonly machine: Machine
  private readonly direct: (name: string, way: Way) => unknown
  private readonly sources: Sources
  private readonly units: Code[] = []
  private readonly resumptions = new WeakMap<Site, Resumption>()

  constructor(machine: Machine, direct: (name: string, way: Way) => unknown, sources: Sources) {
    this.sources = sources
    this.machine = machine
    this.direct = direct
    machine.locate = (url, line) => this.locate(url, line)
  }

  /** The procedure without arguments that evaluates `core`. `settled`: variables that have their value
   * before anything of the program runs. */
  compile(core: Core, settled?: ReadonlySet<Cell>): Procedure {
    return this.load(generateUnit(normalize(core), '', settled))
  }

  private load(code: Code): Procedure {
    const url = `scheme:${this.units.push(code) - 1}`
    const make = new Function(...CODE_NAMES, ...code.params, `${code.text}\n//# sourceURL=${url}`)
    const table = code.constants.map((constant) => this.constant(constant))
    return make(...this.machine.values, ...(code.params.length === table.length ? table : [table])) as Procedure
  }

  /** The procedure that does the rest of a body from a site. */
  resume(site: Site): Resumption['run'] {
    return this.load(generateRest(site)) as Resumption['run']
  }

  private constant(constant: Constant): unknown {
    switch (constant.kind) {
      case 'value':
        return constant.value
      case 'cell':
        return constant.cell
      case 'signature':
        return constant.signature
      case 'direct':
        return this.direct(constant.name, constant.way)
      case 'site':
        return this.resumption(constant.site)
    }
  }

  private resumption(site: Site): Resumption {
    let resumption = this.resumptions.get(site)
    if (!resumption) {
      resumption = makeResumption(
        () => this.resume(site),
        () => this.sources.position(site.at),
        site.procedure,
      )
      this.resumptions.set(site, resumption)
    }
    return resumption
  }

  private locate(url: string, line: number): Position | null {
    const at = this.units[Number(url.slice('scheme:'.length))]?.lines[line - 1 - LINES_BEFORE]
    return at === undefined ? null : this.sources.position(at)
  }
}

/** A resumption that compiles its code when it is first run. */
export function makeResumption(compile: () => Resumption['run'], position: () => Position | null, procedure: string): Resumption {
  const resumption: Resumption = {
    position,
    procedure,
    run: (depth, value, ...live) => {
      resumption.run = compile()
      return resumption.run(depth, value, ...live)
    },
  }
  return resumption
}
