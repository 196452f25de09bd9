// Opens a guard: the table of which checks judge which role, and the rule that nothing fails open.

import { createHash } from 'node:crypto'
import { join, relative, resolve } from 'node:path'
import { isMoved } from '../tool/change.ts'
import { ToolError, type Change, type Prim, type Role } from '../tool/prim.ts'
import { checkBuried } from './check-buried.ts'
import { finding, type ChangeCheck, type Check, type Judging } from './check.ts'
import { checkCommand } from './check-command.ts'
import { checkDeniedCommand, checkDeniedHost, checkDeniedPath } from './check-denylist.ts'
import { checkHidden, checkHiddenChange } from './check-hidden.ts'
import { checkOutwardLabel, checkPathLabel, checkPayloadLabel } from './check-label.ts'
import { checkPath, isUnder } from './check-path.ts'
import { checkDependencies, checkManifest, checkProtected } from './check-protected.ts'
import { checkSecret, checkSecretChange } from './check-secret.ts'
import { checkSent } from './check-sent.ts'
import { checkUrl } from './check-url.ts'
import { bindGrant, findGrant } from './grant.ts'
import type { Guard, GuardedCall, GuardOptions } from './guard.ts'
import { checkKnownChange, checkKnownValue, KnownValues } from './known-value.ts'
import { LabelStore } from './label-store.ts'
import { classify } from './protected-name.ts'
import { protectedState, type ProtectedState } from './protected-state.ts'
import { eachRole } from './role.ts'
import { highest, type Finding, type Judgement } from './verdict.ts'

/** ORDER of roles. A role that is missing here is a refusal. */
const CHECKS: ReadonlyMap<string, Check[]> = new Map<Role, Check[]>([
  ['path', [checkPath, checkProtected, checkPathLabel, checkDeniedPath]],
  ['payload', [checkSecret, checkHidden, checkPayloadLabel]],
  ['url', [checkUrl, checkKnownValue, checkSecret, checkHidden, checkOutwardLabel, checkDeniedHost]],
  ['sent', [checkSent, checkKnownValue, checkSecret, checkHidden, checkOutwardLabel]],
  ['command', [checkCommand, checkDeniedCommand, checkKnownValue, checkSecret, checkHidden, checkOutwardLabel]],
  ['ref', [checkKnownValue, checkSecret, checkHidden, checkOutwardLabel]],
  ['message', [checkKnownValue, checkSecret, checkHidden, checkPayloadLabel]],
  ['plain', []],
])
/** Of a change whose content is new only at its place. */
const NAME_CHECKS: ChangeCheck[] = [checkManifest, checkDependencies]
const CHANGE_CHECKS: ChangeCheck[] = [...NAME_CHECKS, checkSecretChange, checkHiddenChange, checkKnownChange, checkBuried]

/** What a call needs where nothing speaks against it. A tool of an effect that is missing here is refused. */
const EFFECTS: ReadonlyMap<string, string | null> = new Map<Prim['effect'], string | null>([
  ['read', null],
  ['none', null],
  ['write', 'it changes files'],
  ['exec', 'it runs a command'],
  ['network', 'it reaches the network'],
  ['history', 'it changes the repository’s history'],
])

/** A tool that reads a file and does nothing else. */
const READING: Prim = { name: 'reading', doc: '', params: [], readOnly: true, effect: 'read' }

export async function openGuard({ workspace, policy, ownFolders }: GuardOptions): Promise<Guard> {
  const name = createHash('sha256').update(workspace.root).digest('hex').slice(0, 16)
  const labels = await LabelStore.open(ownFolders[0] === undefined ? null : join(ownFolders[0], 'labels', `${name}.jsonl`))
  const own = new Set<string>()
  for (const folder of ownFolders) {
    own.add(resolve(folder))
    own.add((await workspace.resolve(resolve(folder))).real)
  }
  for (const [i, grant] of policy.grants.entries()) policy.grants[i] = await bindGrant(grant, workspace)
  return new RoleGuard({ workspace, policy, own: [...own], labels, known: new KnownValues() })
}

class RoleGuard implements Guard {
  private readonly world: Omit<Judging, 'call' | 'uses'>

  constructor(world: Omit<Judging, 'call' | 'uses'>) {
    this.world = world
  }

  async judgeCall(call: GuardedCall): Promise<Judgement> {
    const { uses, unknown } = eachRole(call)
    const judging: Judging = { ...this.world, call, uses }
    const findings: Finding[] = unknown.map(({ argument }) => finding('role', 'deny', { role: 'plain', argument }, `${argument} is no parameter of ${call.prim.name}`))
    for (const use of uses) {
      const checks = CHECKS.get(use.role)
      if (!checks) findings.push(finding('role', 'deny', use, `${use.argument} has the role ${String(use.role)}, for which there is no rule`))
      for (const check of checks ?? []) findings.push(...(await settled(use, () => check(use, judging))))
    }
    findings.push(...(await settled(null, () => judgeEffect(judging))))
    return judgement(findings)
  }

  async judgeChanges(call: GuardedCall, changes: Change[]): Promise<Judgement> {
    const judging: Judging = { ...this.world, call, uses: eachRole(call).uses }
    const findings: Finding[] = []
    for (const change of changes) {
      const checks = isMoved(change, changes) ? NAME_CHECKS : CHANGE_CHECKS
      for (const check of checks) findings.push(...(await settled(null, () => check(change, judging))))
      findings.push(...(await settled(null, () => this.judgePlace(change, judging))))
    }
    return judgement(findings)
  }

  /** A plan may touch other files than the call names: each is judged as a path argument is. */
  private async judgePlace({ path, given }: Change, judging: Judging): Promise<Finding[]> {
    for (const { role, text } of judging.uses) if (role === 'path' && (await this.realPath(text)) === path) return []
    const { root } = this.world.workspace
    const text = isUnder(root, path) ? relative(root, path) : path
    const use = { role: 'path' as const, argument: 'path', place: given, text, labels: new Set<string>() }
    const findings: Finding[] = []
    for (const check of CHECKS.get('path')!) findings.push(...(await check(use, judging)))
    return findings
  }

  private async realPath(path: string): Promise<string | null> {
    try {
      return (await this.world.workspace.resolve(path)).real
    } catch (error) {
      if (error instanceof ToolError) return null
      throw error
    }
  }

  protectedState(): Promise<ProtectedState> {
    return protectedState(this.world.workspace.root)
  }

  async mayRead(path: string): Promise<boolean> {
    const use = { role: 'path' as const, argument: 'path', place: path, text: path, labels: new Set<string>() }
    const call: GuardedCall = { prim: READING, args: new Map(), caller: 'model', labels: new Set(), argumentLabels: new Map() }
    const judging: Judging = { ...this.world, call, uses: [use] }
    for (const check of CHECKS.get('path')!) if ((await settled(use, () => check(use, judging))).some(({ verdict }) => verdict !== 'allow')) return false
    return true
  }

  async labelsOf(path: string): Promise<string[]> {
    const { workspace, labels } = this.world
    const found = new Set<string>()
    try {
      const { real, relative, kind } = await workspace.resolve(path)
      const name = relative ?? real
      if (classify(name) === 'secret' || classify(path) === 'secret') found.add(`secret:${name}`)
      if (kind !== 'file' || relative === null) return [...found]
      for (const label of labels.labelsAt(real)) found.add(label)
      for (const label of labels.labelsOf((await workspace.read(path)).bytes)) found.add(label)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error // else nothing of it can be read by anybody
    }
    return [...found]
  }

  labelsOfObject(id: string): string[] {
    return this.world.labels.labelsOfObject(id)
  }

  rememberRead(text: string, labels: Iterable<string>): void {
    for (const label of labels) if (label.startsWith('secret:')) this.world.known.remember(text, label)
  }

  async recordLabels(changes: Change[], labels: ReadonlySet<string>): Promise<void> {
    if (labels.size === 0) return
    for (const { path, after } of changes) if (after) await this.world.labels.record(path, after, labels)
  }

  async recordObjects(ids: string[], labels: ReadonlySet<string>): Promise<void> {
    if (labels.size === 0) return
    for (const id of ids) await this.world.labels.recordObject(id, labels)
  }
}

async function judgeEffect(judging: Judging): Promise<Finding[]> {
  const { effect, name } = judging.call.prim
  const reason = EFFECTS.get(effect)
  if (reason === undefined) return [finding('effect', 'deny', null, `${name} has the effect ${String(effect)}, for which there is no rule`)]
  if (reason === null) return []
  const grant = await findGrant(judging)
  return grant === null ? [finding('effect', 'confirm', null, reason)] : [finding('grant', 'allow', null, grant)]
}

/** Nothing fails open. */
async function settled(use: Parameters<typeof finding>[2], check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    const what = use ? `${use.argument} could not be judged` : 'the call could not be judged'
    return [finding('guard', 'security confirm', use, `${what}: ${error instanceof Error ? error.message : String(error)}`)]
  }
}

/** The same reason about several arguments is given once, for the first. */
function judgement(findings: Finding[]): Judgement {
  const seen = new Set<string>()
  const distinct = findings.filter(({ rule, verdict, reason }) => {
    const key = `${rule}\n${verdict}\n${reason}`
    return !seen.has(key) && seen.add(key)
  })
  return { verdict: highest(distinct.map(({ verdict }) => verdict)), findings: distinct }
}
