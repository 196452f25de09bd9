// Standing approvals: a call to the grant that answers its ordinary confirm, if there is one.

import picomatch from 'picomatch'
import { writeJson } from '../tool/json.ts'
import { parseCommand } from './command.ts'
import { hostOf } from '../tool/address.ts'
import { bindingOf, stillHolds } from './binding.ts'
import { isPlainCommand, staysInside } from './check-command.ts'
import { isNamed, matchesHost, urlOf } from './check-url.ts'
import type { Judging } from './check.ts'
import type { Workspace } from '../tool/workspace.ts'
import type { Grant, GuardedCall } from './guard.ts'

/** A sentence naming the grant; null where none covers the call. */
export async function findGrant(judging: Judging): Promise<string | null> {
  const { net } = judging.policy
  if (net && judging.call.prim.effect === 'network' && net.some((host) => coversHosts({ kind: 'network', tool: '*', host }, judging))) return 'the host is among those that may be reached'
  for (const grant of judging.policy.grants) if (await covers(grant, judging)) return describe(grant)
  return null
}

async function covers(grant: Grant, judging: Judging): Promise<boolean> {
  const { prim } = judging.call
  switch (grant.kind) {
    case 'exact':
      return grant.tool === prim.name && grant.arguments === exactArguments(judging.call) && (await isPlainCall(judging)) && (await stillHolds(grant.bound ?? {}, judging.workspace))
    case 'write':
      return prim.effect === 'write' && isNamed(grant.tool, prim.name) && (await coversPaths(grant.path, judging))
    case 'network':
      return prim.effect === 'network' && isNamed(grant.tool, prim.name) && coversHosts(grant, judging)
    case 'tool':
      return prim.schema !== undefined && isNamed(grant.tool, prim.name)
    case 'exec':
      return prim.effect === 'exec' && (await coversCommands(grant.argv, judging)) && (await stillHolds(grant.bound ?? {}, judging.workspace))
  }
}

/** The arguments of a call as an exact grant has them: canonical JSON, without those that stand at their
 * defaults; of a command without what does not bear on what it does. */
export function exactArguments({ prim, args }: Pick<GuardedCall, 'prim' | 'args'>): string {
  const counting = [...args].filter(([name, value]) => {
    const param = prim.params.find((one) => one.name === name)
    return value !== param?.default && value !== '' && !(prim.effect === 'exec' && param?.role === 'plain')
  })
  return writeJson(new Map(counting.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** Binds what is approved of a command to the files as they are. */
export async function bindGrant(grant: Grant, workspace: Workspace): Promise<Grant> {
  if ((grant.kind !== 'exec' && grant.kind !== 'exact') || grant.bound) return grant
  return { ...grant, bound: await bindingOf(grant.kind === 'exec' ? grant.argv : wordsIn(grant.arguments), workspace) }
}

function wordsIn(text: string): string[] {
  try {
    const { argv, command } = JSON.parse(text) as { argv?: string[]; command?: string }
    return argv ?? parseCommand(command ?? '')?.[0]?.words ?? []
  } catch {
    return []
  }
}

/** What cannot be told before it runs is asked about each time. */
async function isPlainCall({ uses, workspace, call }: Judging): Promise<boolean> {
  if (call.prim.effect !== 'exec') return true
  const words = plainWords(uses)
  return words !== null && (await staysInside({ words, redirects: [], expands: false }, workspace))
}

/** The words of a call that runs one plain command; null for any other. */
export function plainWords(uses: Judging['uses']): string[] | null {
  const commands = uses.filter(({ role, text }) => role === 'command' && text !== '').flatMap(({ text }) => parseCommand(text) ?? [null])
  const [command] = commands
  return commands.length === 1 && command && isPlainCommand(command) ? command.words : null
}

/** WritePath: a call that has a path and a payload, those of list items counted, and nothing that runs or
 * leaves. The glob is anchored at the root, and matched where the path really lies. */
async function coversPaths(glob: string, { uses, workspace, call }: Judging): Promise<boolean> {
  const paths = uses.filter(({ role }) => role === 'path')
  if (paths.length === 0 || !hasPayload(call.prim.params)) return false
  if (uses.some(({ role }) => role === 'command' || role === 'url' || role === 'ref')) return false
  const matches = picomatch(glob.replace(/^\.?\//, ''), { dot: true, nonegate: true })
  for (const { text } of paths) {
    const { relative } = await workspace.resolve(text)
    if (relative === null || !matches(relative)) return false
  }
  return true
}

/** Nothing but addresses of this host; a branch or a message is not what was approved. */
function coversHosts({ host, query }: Extract<Grant, { kind: 'network' }>, { uses }: Judging): boolean {
  const addresses = uses.filter(({ role }) => role === 'url')
  if (addresses.length === 0 || uses.some(({ role }) => role !== 'url' && role !== 'plain')) return false
  return addresses.every(({ text }) => {
    const url = urlOf(text)
    return url !== null && matchesHost(host, hostOf(url)) && (query !== false || url.search === '')
  })
}

function hasPayload(params: Judging['call']['prim']['params']): boolean {
  return params.some(({ role, items }) => role === 'payload' || (items !== undefined && hasPayload(items)))
}

/** In the workspace's root alone: elsewhere the same words run something else. */
async function coversCommands(argv: string[], { uses, workspace }: Judging): Promise<boolean> {
  for (const { role, text } of uses) if (role === 'path' && (await workspace.resolve(text)).relative !== '') return false
  const commands = uses.filter(({ role, text }) => role === 'command' && text !== '').flatMap(({ text }) => parseCommand(text) ?? [null])
  if (argv.length === 0 || commands.length === 0) return false
  for (const command of commands) {
    if (command === null || !isPlainCommand(command) || !argv.every((word, i) => command.words[i] === word)) return false
    if (!(await staysInside(command, workspace))) return false
  }
  return true
}

function describe(grant: Grant): string {
  if (grant.kind === 'write') return `a standing approval of ${grant.tool} on ${grant.path} answers it`
  if (grant.kind === 'network') return `a standing approval of ${grant.tool} on ${grant.host} answers it`
  if (grant.kind === 'tool') return `a standing approval of ${grant.tool} answers it`
  if (grant.kind === 'exec') return `a standing approval of ${grant.argv.join(' ')} answers it`
  return `a standing approval of this very call answers it`
}
