// A scenario (one line of a .jsonl file) to the verdicts that a real guard gives its steps, on real
// folders made for it and removed afterwards. Planning and writing are lent by whoever may.

import { mkdir, mkdtemp, link, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { bindByName } from '../tool/bind.ts'
import { fromPlain, writeJson, type Json } from '../tool/json.ts'
import { openWorkspace } from '../tool/open.ts'
import { ToolError, type Change, type Prim } from '../tool/prim.ts'
import type { Workspace } from '../tool/workspace.ts'
import type { Grant, Guard, GuardedCall } from './guard.ts'
import { openGuard } from './open.ts'
import { highest, type Finding, type Verdict } from './verdict.ts'

/** `taint` labels a whole call, `labels` the places named. */
export interface Scenario {
  id: string
  files: Record<string, string>
  steps: { tool: string; args: Record<string, unknown>; taint?: string; labels?: Record<string, string>; verdict: Verdict }[]
  given?: {
    mode?: 'attended' | 'unattended'
    grants?: { tool: string; path?: string; effect?: string; prefix?: string; exact?: string; host?: string; query?: boolean }[]
    net?: string[]
    denylist?: string[]
    race?: { after: string; do: string }
  }
}

/** What carries a step out. */
export interface Hands {
  /** The tool of that name. Throws ToolError where one was refused; null where there is none. */
  find(name: string): Prim | null
  plan(call: GuardedCall, workspace: Workspace): Promise<Change[]>
  write(changes: Change[], workspace: Workspace): Promise<void>
}

/** What came of a step. Skipped: there is no such tool. */
export type StepResult = { kind: 'judged'; expected: Verdict; got: Verdict; findings: Finding[] } | { kind: 'skipped'; tool: string }

interface Place {
  root: string
  beside: string
}

export async function runScenario(scenario: Scenario, hands: Hands): Promise<StepResult[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nodwyn-scenario-')))
  try {
    const place = { root: join(folder, 'root'), beside: join(folder, 'beside') }
    await layOut(scenario.files, place)
    return await judgeSteps(scenario, hands, place)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function judgeSteps({ steps, given = {} }: Scenario, hands: Hands, place: Place): Promise<StepResult[]> {
  const state = join(place.beside, 'state')
  const workspace = await openWorkspace(place.root, { state })
  const attended = given.mode !== 'unattended'
  const policy = { attended, grants: (given.grants ?? []).flatMap(toGrant), denylist: given.denylist ?? [], protect: [] }
  const guard = await openGuard({ workspace, policy: given.net ? { ...policy, net: given.net } : policy, ownFolders: [state] })
  const results: StepResult[] = []
  for (const { tool, args, taint, labels = {}, verdict: expected } of steps) {
    const add = (got: Verdict, findings: Finding[]): void => {
      results.push({ kind: 'judged', expected, got: got === 'security confirm' && !attended ? 'deny' : got, findings })
    }
    try {
      const prim = hands.find(tool)
      if (!prim) {
        results.push({ kind: 'skipped', tool })
        continue
      }
      const bound = bindByName(prim, mapPaths(prim, fromPlain(withoutVia(args)), place))
      const call: GuardedCall = { prim, args: bound.args, caller: 'model', labels: labelsFrom(taint), argumentLabels: new Map(Object.entries(labels).map(([at, some]) => [at, labelsFrom(some)])) }
      const first = await guard.judgeCall(call)
      const changes = prim.plan && first.verdict !== 'deny' ? await hands.plan(call, workspace) : []
      const second = await guard.judgeChanges(call, changes)
      const verdict = highest([first.verdict, second.verdict])
      if (given.race) await runRace(given.race.do, place)
      if (verdict !== 'deny') {
        await hands.write(changes, workspace)
        await guard.recordLabels(changes, call.labels)
        if (prim.readOnly) {
          if (verdict === 'allow') await mustBeThere(call, workspace)
          await rememberRead(call, guard, workspace)
        }
      }
      add(verdict, [...first.findings, ...second.findings])
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      add('deny', [{ rule: 'tool', verdict: 'deny', role: null, argument: null, reason: error.message }])
    }
  }
  return results
}

/** A step that goes on is carried out: one that names what is not there comes to nothing. */
async function mustBeThere({ prim, args }: GuardedCall, workspace: Workspace): Promise<void> {
  for (const { name, role, optional } of prim.params) {
    const path = args.get(name)
    if (role !== 'path' || optional || typeof path !== 'string') continue
    if ((await workspace.resolve(path)).kind === 'missing') throw new ToolError('other', `there is no file ${path}`)
  }
}

/** What reading the files that the call names would have shown. */
async function rememberRead({ prim, args }: GuardedCall, guard: Guard, workspace: Workspace): Promise<void> {
  for (const { name, role } of prim.params) {
    const path = args.get(name)
    if (role !== 'path' || typeof path !== 'string') continue
    const read = await workspace.read(path).catch(() => null)
    if (read) guard.rememberRead(new TextDecoder().decode(read.bytes), await guard.labelsOf(path))
  }
}

/** How a call came about is no argument of it: "via": "redirect". */
function withoutVia({ via: _via, ...args }: Record<string, unknown>): Record<string, unknown> {
  return args
}

/** "untrusted:web (by file)" */
function labelsFrom(taint = ''): Set<string> {
  return new Set(taint.replace(/\([^)]*\)/g, '').split(/[\s,]+/).filter(Boolean))
}

function toGrant({ tool, path, effect = 'write', prefix, exact, host, query }: NonNullable<NonNullable<Scenario['given']>['grants']>[number]): Grant[] {
  if (host !== undefined) return [{ kind: 'network', tool, host, ...(query === undefined ? {} : { query }) }]
  if (prefix !== undefined) return [{ kind: 'exec', argv: prefix.split(' ') }]
  if (exact !== undefined) return [{ kind: 'exact', tool, arguments: writeJson(fromPlain({ command: exact })) }]
  return path !== undefined && effect === 'write' ? [{ kind: 'write', tool, path }] : []
}

/** Absolute paths lie beside the root, so that a scenario can touch nothing else. */
function mapPaths({ params }: Prim, args: Json, place: Place): Json {
  if (!(args instanceof Map)) return args
  return new Map([...args].map(([name, value]) => {
    const isPath = params.some((param) => param.name === name && param.role === 'path')
    return [name, isPath && typeof value === 'string' ? locate(value, place) : value]
  }))
}

/** What the kernel makes up stays where it is. */
function locate(path: string, { beside }: Place): string {
  return isAbsolute(path) && !/^\/(proc|dev|sys)\//.test(path) ? join(beside, path) : path
}

async function layOut(files: Record<string, string>, place: Place): Promise<void> {
  await mkdir(place.root, { recursive: true })
  await mkdir(place.beside, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = isAbsolute(name) ? locate(name, place) : join(place.root, name)
    await mkdir(dirname(path), { recursive: true })
    const [, kind, target] = /^@(symlink|hardlink):(.*)$/s.exec(content) ?? []
    if (kind === 'symlink') await symlink(locate(target!, place), path)
    else if (kind === 'hardlink') await link(isAbsolute(target!) ? locate(target!, place) : join(place.root, target!), path)
    else await writeFile(path, content)
  }
}

/** "replace src/gen by @symlink:/home/dev", which another process does between check and use. */
async function runRace(what: string, place: Place): Promise<void> {
  const [, name, target] = /^replace (\S+) by @symlink:(\S+)$/.exec(what) ?? []
  if (name === undefined) throw new Error(`this race is not known: ${what}`)
  const path = join(place.root, name)
  await rename(path, `${path}.away`)
  await mkdir(locate(target!, place), { recursive: true })
  await symlink(locate(target!, place), path)
}
