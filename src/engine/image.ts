// Compiled Scheme of the engine's own as data, so that start-up does not read, expand and compile it
// again. Packed when the program is built; unpacked for each engine. What is rarely needed, the rest of a body at a
// site, is made from the prelude's text when it is.

import { CODE_NAMES, type Code, type Constant, type Way } from './codegen.ts'
import { makeChar, intern, Char, Flonum, SchemeSymbol, type Cell, type Value } from './value.ts'

/** A constant of a packed unit: its kind in one letter, and what it takes to make it again. */
export type PackedConstant =
  | ['symbol' | 'cell' | 'text' | 'bigint', string]
  | ['direct', string, Way]
  | ['char' | 'flonum' | 'site', number]
  | ['signature', string, string[], boolean]

export interface Image {
  text: string
  constants: PackedConstant[]
  /** The Scheme text that it was compiled from. */
  source: string
  docs: Record<string, { usage: string; doc: string }>
}

export function packConstants(constants: Constant[]): PackedConstant[] {
  return constants.map((constant, i): PackedConstant => {
    switch (constant.kind) {
      case 'cell':
        return ['cell', constant.cell.name]
      case 'direct':
        return ['direct', constant.name, constant.way]
      case 'signature':
        return ['signature', constant.signature.name, constant.signature.params, constant.signature.rest]
      case 'site':
        return ['site', i]
      case 'value':
        return packValue(constant.value)
    }
  })
}

function packValue(value: Value): PackedConstant {
  if (typeof value === 'string') return ['text', value]
  if (typeof value === 'bigint') return ['bigint', String(value)]
  if (value instanceof SchemeSymbol) return ['symbol', value.name]
  if (value instanceof Char) return ['char', value.code]
  if (value instanceof Flonum) return ['flonum', value.value]
  throw new Error('the prelude may quote atoms only')
}

/** The table of constants of a packed unit. `site` makes the resumption of the nth constant. */
export function unpackConstants(
  packed: PackedConstant[],
  cell: (name: string) => Cell,
  direct: (name: string, way: Way) => unknown,
  site: (index: number) => unknown,
): unknown[] {
  return packed.map((constant) => {
    const [kind, data] = constant
    switch (kind) {
      case 'cell':
        return cell(data)
      case 'direct':
        return direct(data, constant[2])
      case 'site':
        return site(data)
      case 'symbol':
        return intern(data)
      case 'text':
        return data
      case 'bigint':
        return BigInt(data)
      case 'char':
        return makeChar(data)
      case 'flonum':
        return new Flonum(data)
      case 'signature':
        return { name: data, params: constant[2], rest: constant[3] }
    }
  })
}

/** What the build writes: the code as real JavaScript, so that V8 can cache and lazily compile it. */
export function imageModule(name: string, code: Code, source: string, docs: Image['docs']): string {
  return [
    `// Made by build.ts from scheme/${name}.scm.`,
    `export const constants = ${JSON.stringify(packConstants(code.constants))}`,
    `export const source = ${JSON.stringify(source)}`,
    `export const docs = ${JSON.stringify(docs)}`,
    `export function make(${[...CODE_NAMES, ...code.params].join()}) {${code.text}}`,
    '',
  ].join('\n')
}
