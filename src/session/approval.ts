// Standing approvals: what a person said "always" to, for a session or for a project. Each is bound to
// what they saw: the tool as it was declared, and a path, a host, or a command with the files that say
// what it does. Those of a project lie in the program's state folder, never in the workspace, and no tool
// can write there.

import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bindGrant, exactArguments, plainWords } from '../guard/grant.ts'
import type { Grant, GuardedCall } from '../guard/guard.ts'
import { urlOf } from '../guard/check-url.ts'
import { eachRole } from '../guard/role.ts'
import { hostOf } from '../tool/address.ts'
import type { Param, Prim } from '../tool/prim.ts'
import { declarationHash } from '../tool/served.ts'
import type { ToolTable } from '../tool/tool-table.ts'
import type { Workspace } from '../tool/workspace.ts'

export type Scope = 'session' | 'project'

/** What a card offers to say always to. */
export interface Offer {
  grant: Grant
  /** As a person reads it: "fs-edit on src/**". */
  text: string
}

export interface Approval extends Offer {
  scope: Scope
  /** ISO time. */
  time: string
  /** Hash of the tool's declaration: where that has changed, the approval has ended. */
  definition: string
}

export class Approvals {
  /** The grants that hold, those of the configuration first: the guard reads this very list. */
  readonly grants: Grant[]
  private readonly file: string
  private readonly root: string
  private readonly tools: ToolTable
  private readonly list: Approval[]

  constructor(state: string, root: string, configured: readonly Grant[], tools: ToolTable) {
    this.root = root
    this.tools = tools
    this.file = join(state, 'approvals', `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.json`)
    this.list = this.read().filter(({ grant, definition }) => definition === this.definitionOf(grant))
    this.grants = [...configured, ...this.list.map(({ grant }) => grant)]
  }

  /** In the order in which they were given. */
  all(): readonly Approval[] {
    return this.list
  }

  add({ grant, text }: Offer, scope: Scope): void {
    this.list.push({ grant, text, scope, time: new Date().toISOString(), definition: this.definitionOf(grant) })
    this.grants.push(grant)
    if (scope === 'project') this.write()
  }

  /** The n-th, from 1, ends; null where there is none. */
  revoke(n: number): Approval | null {
    const [gone] = this.list.splice(n - 1, 1)
    if (!gone) return null
    const at = this.grants.indexOf(gone.grant)
    if (at >= 0) this.grants.splice(at, 1)
    if (gone.scope === 'project') this.write()
    return gone
  }

  private definitionOf(grant: Grant): string {
    const name = grant.kind === 'exec' ? 'exec' : grant.tool
    const prim = this.tools.find(name)
    return prim ? declarationHash(prim) : name
  }

  private read(): Approval[] {
    try {
      const { root, approvals } = JSON.parse(readFileSync(this.file, 'utf8')) as { root?: string; approvals?: Approval[] }
      return root === this.root && Array.isArray(approvals) ? approvals.filter(isApproval) : []
    } catch {
      // None yet, or none that can be read: then each call is asked about again.
      return []
    }
  }

  private write(): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    const part = `${this.file}.${randomBytes(4).toString('hex')}`
    const approvals = this.list.filter(({ scope }) => scope === 'project')
    writeFileSync(part, `${JSON.stringify({ root: this.root, approvals }, null, 2)}\n`, { mode: 0o600 })
    renameSync(part, this.file)
  }
}

function isApproval({ grant, text, definition }: Partial<Approval>): boolean {
  return typeof text === 'string' && typeof definition === 'string' && typeof grant === 'object' && grant !== null
}

/** What may be approved of such calls from now on; nothing for one that is each time another. */
export async function offersOf(call: GuardedCall, workspace: Workspace): Promise<Offer[]> {
  const { prim, args } = call
  switch (prim.effect) {
    case 'write':
      return hasPayload(prim.params) ? ofWriting(prim, String(args.get('path')), workspace) : []
    case 'exec':
      return Promise.all(ofCommand(call).map(async ({ grant, text }) => ({ grant: await bindGrant(grant, workspace), text })))
    case 'network':
      if (prim.schema) return ofServed(call)
      return prim.params.every(({ role }) => role === 'url' || role === 'plain') ? ofHost(prim, String(args.get('url'))) : []
    default:
      return []
  }
}

async function ofWriting(prim: Prim, given: string, workspace: Workspace): Promise<Offer[]> {
  const { real } = await workspace.resolve(given)
  const path = relative(workspace.root, real)
  // A name with the signs of a glob in it would be another one.
  if (path.startsWith('..') || /[*?[\]{}()!@+\\]/.test(path)) return []
  const folder = dirname(path)
  const globs = folder === '.' ? [path, '**'] : [path, `${folder}/**`]
  return globs.map((glob) => ({ grant: { kind: 'write', tool: prim.name, path: glob }, text: `${prim.name} on ${glob === '**' ? 'all files here' : glob}` }))
}

function ofCommand(call: GuardedCall): Offer[] {
  const words = plainWords(eachRole(call).uses)
  if (words === null || words.length === 0) return []
  const exact: Offer = { grant: { kind: 'exact', tool: call.prim.name, arguments: exactArguments(call) }, text: `exactly this: ${words.join(' ')}` }
  const start = words.slice(0, 2)
  return [exact, { grant: { kind: 'exec', argv: start }, text: `${start.join(' ')} …, with any plain arguments` }]
}

function ofHost(prim: Prim, text: string): Offer[] {
  const url = urlOf(text)
  return url ? [{ grant: { kind: 'network', tool: prim.name, host: hostOf(url) }, text: `${prim.name} from ${hostOf(url)}` }] : []
}

function ofServed(call: GuardedCall): Offer[] {
  const tool = call.prim.name
  return [
    { grant: { kind: 'exact', tool, arguments: exactArguments(call) }, text: `${tool} with exactly these arguments` },
    { grant: { kind: 'tool', tool }, text: `${tool} with any arguments` },
  ]
}

function hasPayload(params: Param[]): boolean {
  return params.some(({ role, items }) => role === 'payload' || (items !== undefined && hasPayload(items)))
}
