// The arguments of a call to its role-bearing texts, those inside list items too, each with its labels.
// Everything else of the guard judges these and never looks at a tool's name.

import { writeJson, type Json, type JsonObject } from '../tool/json.ts'
import type { Param, Role } from '../tool/prim.ts'
import type { GuardedCall } from './guard.ts'

export interface RoleUse {
  role: Role
  /** As a caller would write it: `edits[1].new`. */
  argument: string
  /** As a person would say it: "edit 2 of 3". */
  place: string
  text: string
  /** Of the call, of the argument, of the list and the element around it, and of what is inside it. */
  labels: ReadonlySet<string>
}

export interface UnknownArgument {
  argument: string
}

/** Every argument with its role, in order. What the Prim does not declare comes in `unknown`. */
export function eachRole(call: GuardedCall): { uses: RoleUse[]; unknown: UnknownArgument[] } {
  const uses: RoleUse[] = []
  const unknown: UnknownArgument[] = []
  const fields = (params: Param[], values: ReadonlyMap<string, Json>, prefix: string, place: string | null): void => {
    const known = new Map(params.map((param) => [param.name, param]))
    for (const [name, value] of values) {
      const argument = prefix + name
      const param = known.get(name)
      if (param) parameter(param, value, argument, place ?? name)
      else unknown.push({ argument })
    }
  }
  const parameter = (param: Param, value: Json, argument: string, place: string): void => {
    if (param.role !== 'plain' || !Array.isArray(value)) add(param, value, argument, place)
    if (!Array.isArray(value)) return
    value.forEach((item, i) => {
      const at = `${argument}[${i}]`
      if (param.items && item instanceof Map) fields(param.items, item as JsonObject, `${at}.`, itemPlace(param.name, i, value.length))
      else if (param.items) unknown.push({ argument: at })
    })
  }
  const add = (param: Param, value: Json, argument: string, place: string): void => {
    if (value === '' && param.optional && (param.role === 'path' || param.role === 'url')) return
    uses.push({ role: param.role, argument, place, text: textOf(param.role, value), labels: labelsAt(call, argument) })
  }
  fields(call.prim.params, call.args, '', null)
  return { uses, unknown }
}

function itemPlace(name: string, i: number, count: number): string {
  return `${name.replace(/s$/, '')} ${i + 1} of ${count}`
}

/** A list of strings is judged whole, since its pieces end up side by side; a command's keep their bounds. */
function textOf(role: Role, value: Json): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return writeJson(value)
  const pieces = value.map((item) => (typeof item === 'string' ? item : writeJson(item)))
  return role === 'command' ? pieces.map(quoteWord).join(' ') : pieces.join('\n')
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function labelsAt({ labels, argumentLabels }: GuardedCall, argument: string): Set<string> {
  const all = new Set(labels)
  for (const [at, some] of argumentLabels) if (encloses(at, argument) || encloses(argument, at)) for (const label of some) all.add(label)
  return all
}

/** `edits` and `edits[1]` enclose `edits[1].new`; `edits[1]` does not enclose `edits[10]`. */
function encloses(outer: string, inner: string): boolean {
  return inner === outer || (inner.startsWith(outer) && (inner[outer.length] === '.' || inner[outer.length] === '['))
}

export function labelsOfKind(use: Pick<RoleUse, 'labels'>, kind: 'untrusted' | 'secret'): string[] {
  return [...use.labels].filter((label) => label === kind || label.startsWith(`${kind}:`))
}
