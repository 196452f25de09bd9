// The one door: whoever uses a tool, model, person or strategy, comes through `invoke`. Find the Prim,
// bind the arguments, judge the call (and, of a tool that changes files, what it would write), ask where
// the verdict says so, run or commit, record. What is judged, shown and written are the same bytes.

import type { Guard, GuardedCall } from '../guard/guard.ts'
import { changedBetween, type ProtectedState } from '../guard/protected-state.ts'
import type { Hands } from '../guard/scenario.ts'
import { highest, type Finding, type Judgement, type Verdict } from '../guard/verdict.ts'
import type { Value } from '../engine/value.ts'
import { bindByName, bindByPosition, type Bound } from '../tool/bind.ts'
import { diffOf } from '../tool/diff.ts'
import { positionalForm } from '../tool/form.ts'
import { parseJson, toPlain, type Json } from '../tool/json.ts'
import { nearestWord } from '../tool/nearest-word.ts'
import { ToolError, type Arguments, type Change, type Plan, type Prim, type ToolContext, type ToolResult } from '../tool/prim.ts'
import type { ToolTable } from '../tool/tool-table.ts'
import type { Snapshot, Workspace } from '../tool/workspace.ts'
import { offersOf, type Approvals } from './approval.ts'
import { outcomeText, sha256 } from './context.ts'
import type { EventBody, Outcome, Passing } from './event.ts'
import type { Answer, Person } from './person.ts'
import type { Turns } from './turns.ts'

/** A tool as somebody wants to use it: nothing of it is known to be right. */
export interface Use {
  id: string
  ctx: string
  caller: GuardedCall['caller']
  name: string
  /** A model gives JSON text by name; a program gives values by position. */
  given: { by: 'name'; text: string } | { by: 'position'; values: Value[] }
  /** Of the context or the fiber that calls. */
  labels: ReadonlySet<string>
  signal: AbortSignal
}

/** What the log has of a call that was under way when the program ended. */
export type Logged = { verdict: Verdict | null; form: string }

/** The turn that judging takes; no path is called so. */
const JUDGING = ' judging'

/** Who answers an ordinary confirm. A security confirm is answered by a person or refused. */
export type Consent = 'ask' | 'yes'

export interface Door {
  session: string
  workspace: Workspace
  tools: ToolTable
  guard: Guard
  person: Person
  /** False: nobody can be asked anything. */
  attended: boolean
  consent: Consent
  turns: Turns
  approvals: Approvals
  record(ctx: string, body: EventBody): void
  passing(passing: Passing): void
  /** Puts what was recorded on the disk. */
  sync(): void
}

/** What came of a call. Rejects only for a bug of ours: every expected end is an outcome, and each is
 * recorded. Once the signal is aborted a call ends as `stopped`, within the moment. */
export async function invoke(use: Use, door: Door, logged: Logged | null = null): Promise<Outcome> {
  const began = performance.now()
  const call = new CallUnderWay(use, door, logged)
  const outcome = await call.attempt()
  call.recordUnjudged()
  door.record(use.ctx, {
    type: 'tool.result',
    id: use.id,
    ok: outcome.ok,
    text: outcomeText(outcome),
    error: outcome.ok ? null : { kind: outcome.error, message: outcome.message, ...call.place },
    ms: Math.round(performance.now() - began),
    labels: outcome.labels,
    ...(outcome.ok && outcome.value !== outcome.text ? { value: toPlain(outcome.value as Json) } : {}),
  })
  return outcome
}

/** The positional form of a call, whole; where its arguments cannot be bound, as they were given. */
export function formOf(use: Use, tools: ToolTable): string {
  const prim = tools.find(use.name)
  try {
    if (prim) return positionalForm(prim, bind(prim, use).args)
  } catch {
    // Why not is told when the call is made.
  }
  return use.given.by === 'name' ? `(${use.name} ${use.given.text})` : `(${use.name} …)`
}

class CallUnderWay {
  /** Of a list of edits: which one failed. */
  place: { edit?: number; of?: number } = {}
  private readonly use: Use
  private readonly door: Door
  private form: string
  private recorded = false
  private readonly logged: Logged | null
  constructor(use: Use, door: Door, logged: Logged | null) {
    this.use = use
    this.door = door
    this.logged = logged
    this.form = formOf(use, door.tools)
  }

  async attempt(): Promise<Outcome> {
    if (this.use.signal.aborted) return stopped(this.use.name)
    const { tools } = this.door
    const prim = tools.find(this.use.name)
    if (!prim) return unknownTool(this.use.name, tools)
    let bound: Bound
    try {
      bound = bind(prim, this.use)
    } catch (error) {
      return this.failure(prim, error)
    }
    const call: GuardedCall = {
      prim,
      args: bound.args,
      caller: this.use.caller,
      labels: this.use.labels,
      argumentLabels: bound.labels,
    }
    try {
      return await this.inTurn(call)
    } catch (error) {
      const failure = this.failure(prim, error)
      return { ...failure, labels: [...new Set([...failure.labels, ...(await this.labels(call))])] }
    }
  }

  /** A call that writes has its files to itself from the reading of them to the writing. */
  private async inTurn(call: GuardedCall): Promise<Outcome> {
    const files = call.prim.plan ? await this.files(call) : []
    const turn = this.door.turns.take(files)
    try {
      await untilStopped(turn, this.use.signal)
      return await this.judged(call)
    } finally {
      void turn.then((leave) => leave())
    }
  }

  private async files({ prim, args }: GuardedCall): Promise<string[]> {
    const files: string[] = []
    for (const { name, role } of prim.params) {
      const path = args.get(name)
      if (role !== 'path' || typeof path !== 'string') continue
      files.push((await this.door.workspace.resolve(path)).real)
    }
    return files
  }

  private async judged(call: GuardedCall): Promise<Outcome> {
    const { guard } = this.door
    const { verdict, findings } = await this.judgeInOrder(call)
    if (verdict === 'deny') return this.denied(findings)
    if (!call.prim.plan) {
      const refusal = await this.consent(call, verdict, findings, null)
      return refusal ?? (await this.run(call))
    }
    let plan: Plan
    try {
      plan = await untilStopped(call.prim.plan(call.args, this.toolContext(call)), this.use.signal)
    } catch (error) {
      // A failure may quote the file: whoever may not see that without a question is not told it so either.
      const refusal = verdict === 'security confirm' && error instanceof ToolError ? await this.consent(call, verdict, findings, null) : null
      if (refusal) return refusal
      this.recordCall(verdict, findings)
      throw error
    }
    const changes = await guard.judgeChanges(call, plan.changes)
    const all = [...withoutRepeats(findings, changes.findings), ...changes.findings]
    const worst = highest([verdict, changes.verdict])
    if (worst === 'deny') return this.denied(all)
    const refusal = await this.consent(call, worst, all, plan.changes)
    return refusal ?? (await this.commit(call, plan))
  }

  /** Calls that run side by side are judged, and stand in the log, in the order in which they were made. */
  private async judgeInOrder(call: GuardedCall): Promise<Judgement> {
    const leave = await this.door.turns.take([JUDGING])
    try {
      const judgement = await this.door.guard.judgeCall(call)
      if (!call.prim.plan) this.recordCall(judgement.verdict, judgement.findings)
      return judgement
    } finally {
      leave()
    }
  }

  private denied(findings: Finding[]): Outcome {
    this.recordCall('deny', findings)
    const finding = gravest(findings)
    return refused(this.use.name, `: ${finding?.reason ?? 'the guard denies it'}`)
  }

  /** Null where the call may go on. */
  private async consent(call: GuardedCall, verdict: Verdict, findings: Finding[], changes: Change[] | null): Promise<Outcome | null> {
    this.recordCall(verdict, findings)
    const diff = changes && (await diffOf(changes))
    if (diff !== null) this.door.passing({ type: 'diff', id: this.use.id, diff })
    if (verdict === 'allow') return null
    const kind = verdict === 'confirm' ? 'ordinary' : 'security'
    if (kind === 'ordinary' && this.use.caller === 'person') return this.answered(kind, { yes: true, reason: '' }, 'person')
    if (kind === 'ordinary' && this.door.consent === 'yes') return this.answered(kind, { yes: true, reason: '' }, 'policy')
    const reasons = findings.filter((finding) => finding.verdict !== 'allow').sort(byGravity)
    if (!this.door.attended) {
      this.recordAnswer(kind, { yes: false, reason: 'nobody is there to confirm it' }, 'policy')
      return refused(this.use.name, `: ${reasons[0]?.reason ?? `it needs ${kind === 'ordinary' ? 'a' : 'a security'} confirm`}, and nobody is there to confirm it`)
    }
    const { id, name, signal } = this.use
    const offers = kind === 'ordinary' ? await offersOf(call, this.door.workspace) : []
    const answer = await untilStopped(this.door.person.confirm({ id, name, kind, reasons, form: this.form, diff, offers }, signal), signal)
    const refusal = this.answered(kind, answer, 'person')
    if (refusal === null && answer.always && offers.includes(answer.always.offer)) this.approve(answer.always)
    return refusal
  }

  private approve({ offer, scope }: NonNullable<Answer['always']>): void {
    this.door.approvals.add(offer, scope)
    this.door.record(this.use.ctx, { type: 'note', level: 'info', text: `approved for the ${scope}: ${offer.text}` })
  }

  private answered(kind: 'ordinary' | 'security', answer: Answer, by: 'person' | 'policy'): Outcome | null {
    this.recordAnswer(kind, answer, by)
    if (answer.yes) return null
    return refused(this.use.name, ` by the person${answer.reason === '' ? '' : `: ${answer.reason}`}`)
  }

  private async run(call: GuardedCall): Promise<Outcome> {
    const before = call.prim.effect === 'exec' ? await untilStopped(this.lookBefore(), this.use.signal) : null
    const running = call.prim.run!(call.args, this.toolContext(call))
    try {
      const result = await untilStopped(running, this.use.signal)
      if (result.made) await this.door.guard.recordObjects(result.made, this.labelsGiven(call))
      const said = before ? await this.lookAfter(call, before) : ''
      return await this.success(call, said === '' ? result : { ...result, text: `${result.text.replace(/\n?$/, '\n')}${said}` })
    } catch (error) {
      // Stopped or failed: what it changed before can be undone.
      await running.catch(() => {})
      if (before) await this.lookAfter(call, before)
      throw error
    }
  }

  /** What there is before a program runs that may change anything. */
  private async lookBefore(): Promise<Before> {
    const { workspace, guard } = this.door
    const [snapshot, isProtected] = await Promise.all([workspace.snapshot(), guard.protectedState()])
    return { snapshot, isProtected }
  }

  /** Keeps and records what a program changed; what is said of it, in a line or two. */
  private async lookAfter(call: GuardedCall, { snapshot, isProtected }: Before): Promise<string> {
    const changes = snapshot ? await snapshot.keepChanges({ session: this.door.session, call: this.use.id }) : []
    await this.recordChanges(call, changes)
    const paths = changedBetween(isProtected, await this.door.guard.protectedState())
    if (paths.length > 0) this.door.record(this.use.ctx, { type: 'note', level: 'warning', text: `${this.use.name} changed what is protected: ${paths.join(', ')}` })
    return [changes.length > 0 ? `files changed: ${firstOf(changes.map(({ given }) => given))}` : '', paths.length > 0 ? `protected files changed: ${firstOf(paths)}` : ''].filter(Boolean).join('\n')
  }

  private async commit(call: GuardedCall, { changes, result, edits }: Plan): Promise<Outcome> {
    if (this.use.signal.aborted) return stopped(this.use.name)
    const { workspace, session } = this.door
    // Of the files that the call names: what it writes may come from them. Asked before they are moved away.
    const labels = await this.labels(call)
    await this.recordChanges(call, changes, edits, labels)
    this.door.sync()
    await workspace.commit(changes, { session, call: this.use.id })
    return this.success(call, result)
  }

  /** What a call changes, under which labels: `also` beside those of the call and its arguments. */
  private async recordChanges(call: GuardedCall, changes: Change[], edits = 0, also: string[] = []): Promise<void> {
    const labels = new Set([...this.labelsGiven(call), ...also])
    if (labels.size > 0) await this.door.guard.recordLabels(changes, labels)
    for (const { given, before, after } of changes)
      this.door.record(this.use.ctx, {
        type: 'edit',
        id: this.use.id,
        path: given,
        edits,
        before: before && sha256(before),
        after: after && sha256(after),
      })
  }

  /** Of the call and all of its arguments. */
  private labelsGiven({ argumentLabels }: GuardedCall): Set<string> {
    return new Set([...this.use.labels, ...[...argumentLabels.values()].flatMap((some) => [...some])])
  }

  private async success(call: GuardedCall, result: ToolResult): Promise<Outcome> {
    const found = await Promise.all((result.files ?? []).map((file) => this.door.guard.labelsOf(file)))
    const once = (result.objects ?? []).map((id) => this.door.guard.labelsOfObject(id))
    const labels = [...new Set([...(result.labels ?? []), ...(await this.labels(call)), ...found.flat(), ...once.flat()])]
    const value = result.value ?? result.text
    if (call.prim.readOnly) this.door.guard.rememberRead(typeof value === 'string' ? value : result.text, labels)
    return { ok: true, text: result.text, value, labels }
  }

  /** Of the files that the call names: a result, and a failure too, may quote them. */
  private async labels({ prim, args }: GuardedCall): Promise<string[]> {
    const labels: string[] = []
    for (const { name, role } of prim.params) {
      const path = args.get(name)
      if (role === 'path' && typeof path === 'string') labels.push(...(await this.door.guard.labelsOf(path)))
    }
    return labels
  }

  private failure(prim: Prim, error: unknown): Outcome {
    if (this.use.signal.aborted) return stopped(this.use.name)
    const failed = error instanceof ToolError ? error : systemError(error)
    if (!failed) throw error
    if (failed.edit !== null && failed.of !== null) this.place = { edit: failed.edit, of: failed.of }
    if (failed.kind === 'cancelled') return stopped(this.use.name)
    const kind = failed.kind === 'contract' ? 'misuse' : 'failed'
    return { ok: false, kind, error: failed.kind, message: named(prim.name, failed.message), help: failed.help, labels: [...failed.labels] }
  }

  private toolContext(call: GuardedCall): ToolContext {
    const { door, use } = this
    return {
      workspace: door.workspace,
      signal: use.signal,
      // What the call names was judged.
      mayRead: async (path) => (await this.files(call)).includes((await door.workspace.resolve(path)).real) || door.guard.mayRead(path),
      ask(question, choices) {
        if (door.attended) return door.person.ask(question, choices, use.signal)
        return Promise.reject(new ToolError('denied', 'nobody is there to answer', { help: 'decide by yourself, or say in the answer what is open' }))
      },
      progress: (text) => door.passing({ type: 'progress', id: use.id, text }),
    }
  }

  private recordCall(verdict: Verdict | null, findings: Finding[]): void {
    if (this.recorded) return
    this.recorded = true
    const { id, name, ctx } = this.use
    if (this.logged?.verdict === verdict && this.logged.form === this.form) return
    this.door.record(ctx, { type: 'tool.call', id, name, form: this.form, verdict, findings })
  }

  /** A call that never came before the guard is in the log too. */
  recordUnjudged(): void {
    this.recordCall(null, [])
  }

  private recordAnswer(kind: 'ordinary' | 'security', { yes, reason }: Answer, by: 'person' | 'policy'): void {
    this.door.record(this.use.ctx, {
      type: 'confirm',
      id: this.use.id,
      kind,
      answer: yes ? 'yes' : 'no',
      by,
      ...(reason === '' ? {} : { reason }),
    })
    this.door.sync()
  }
}

/** What carries out the steps of a guard's scenario, on folders made for it. */
export const scenarioHands: Omit<Hands, 'find'> = {
  async plan({ prim, args }, workspace) {
    if (!prim.plan) return []
    const refuse = () => Promise.reject(new ToolError('denied', 'nobody is there to answer'))
    return (await prim.plan(args, { workspace, signal: new AbortController().signal, mayRead: async () => true, ask: refuse, progress() {} })).changes
  },
  write: (changes, workspace) => workspace.commit(changes, { session: 'scenario', call: 'step' }),
}

function bind(prim: Prim, use: Use): Bound {
  if (use.given.by === 'position') return bindByPosition(prim, use.given.values)
  return bindByName(prim, parseJson(use.given.text))
}

const MOST_NAMED = 10

function firstOf(paths: string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`
}

interface Before {
  snapshot: Snapshot | null
  isProtected: ProtectedState
}

/** The promise's value; rejects at once when the signal is aborted, whatever the promise does later. */
function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** An error of the operating system that a tool did not put into words; null for anything else. */
function systemError(error: unknown): ToolError | null {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (!(error instanceof Error) || typeof code !== 'string' || typeof syscall !== 'string') return null
  return new ToolError('other', error.message.split('\n')[0]!)
}

/** The call's findings without those that the plan's say again, with the line. */
function withoutRepeats(findings: Finding[], later: Finding[]): Finding[] {
  return findings.filter((one) => !later.some(({ rule, argument, verdict }) => rule === one.rule && argument === one.argument && verdict === one.verdict))
}

function byGravity(a: Finding, b: Finding): number {
  return a.verdict === b.verdict ? 0 : highest([a.verdict, b.verdict]) === a.verdict ? -1 : 1
}

function gravest(findings: Finding[]): Finding | undefined {
  return [...findings].sort(byGravity)[0]
}

function named(name: string, message: string): string {
  return message.startsWith(`${name}: `) ? message : `${name}: ${message}`
}

function refused(name: string, why: string): Outcome {
  return { ok: false, kind: 'refused', error: 'denied', message: `${name}: refused${why}`, help: null, labels: [] }
}

function stopped(name: string): Outcome {
  return { ok: false, kind: 'stopped', error: 'cancelled', message: `${name}: stopped by the person`, help: null, labels: [] }
}

function unknownTool(name: string, { prims }: ToolTable): Outcome {
  const names = prims.map((prim) => prim.name)
  const near = nearestWord(name, names)
  const help = near === null ? `the tools are ${names.join(', ')}` : `did you mean ${near}`
  return { ok: false, kind: 'misuse', error: 'contract', message: `unknown tool ${name}`, help, labels: [] }
}

export type { Arguments }
