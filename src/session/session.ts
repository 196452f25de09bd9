// A strategy to events. A session owns an engine with the tools and the host's primitives, a workspace
// under its guard, a model and a log. It runs one thing at a time: a task through the strategy, or a
// text that a person typed. Interrupting ends what runs and leaves the session ready for the next.

import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { NIL, Pair, SchemeError, SchemeSymbol, createEngine, list, listItems, type Engine, type HostCall, type Value } from '../engine/index.ts'
import { print, show } from '../engine/printer.ts'
import { readDatum, readSource } from '../engine/reader.ts'
import type { Policy } from '../guard/guard.ts'
import { openGuard } from '../guard/open.ts'
import type { Model } from '../model/talk.ts'
import { toolSchema, type ToolSchema } from '../tool/schema.ts'
import { openWorkspace } from '../tool/open.ts'
import { toolTable } from '../tool/tool-table.ts'
import { Approvals, type Approval } from './approval.ts'
import { formOf, invoke, type Consent, type Door, type Use } from './call.ts'
import { invokeAgain, rememberRead } from './call-again.ts'
import { detectCheck } from './check-command.ts'
import { STEERED, complete, makeSpent, type Completing, type Spent } from './complete.ts'
import type { Config } from './config.ts'
import { ModelReply, type ToolUse } from './context.ts'
import type { EventBody, Outcome } from './event.ts'
import { defineLanguage } from './language.ts'
import { Log, makeSessionId } from './log.ts'
import { saidIn, type Past } from './past.ts'
import type { Person } from './person.ts'
import { configFolder, packageRoot, sessionsFolder, stateFolder, version } from './place.ts'
import { definePrimitives } from './primitives.ts'
import { defineTools } from './procedures.ts'
import { Replay } from './replay.ts'
import { STOPPED } from './report.ts'
import { openServers, type OpenServers } from './servers.ts'
import { Turns } from './turns.ts'

export interface SessionOptions {
  cwd: string
  config: Config
  /** Null: a session that asks no model (single calls, Scheme). */
  model: Model | null
  person: Person
  /** False: nobody can be asked; ordinary confirms then need `consent`. */
  attended: boolean
  /** `yes`: ordinary confirms are answered by policy. Security confirms never are. */
  consent: Consent
  /** A file in Scheme, or the name of one in the person's strategies folder, loaded after the loop. */
  strategy: string | null
  /** Where the program keeps its logs and versions. Default: the person's state folder. */
  state?: string
  /** An earlier session to go on with; `cwd` must be its own. */
  past?: Past
}

/** How a task ended. */
export interface TaskResult {
  ending: ModelReply['ending']
  text: string
  check: 'passed' | 'failed' | 'none'
  problem: ModelReply['problem']
}

/** A model, with what ends a server that it brought along. */
export type SessionModel = Model & { close?(): Promise<void> }

/** What a program is given before it is ended in the middle. */
const GRACE_MS = 250

export async function createSession(options: SessionOptions): Promise<Session> {
  const state = options.state ?? stateFolder()
  const workspace = await openWorkspace(resolve(options.cwd), { state })
  const { grants, denylist, protect, net } = options.config
  const servers = await openServers(options.config.servers, { root: workspace.root, state })
  const tools = toolTable(servers.prims)
  const approvals = new Approvals(state, workspace.root, grants, tools)
  const policy: Policy = { attended: options.attended, grants: approvals.grants, denylist, protect, ...(net ? { net } : {}) }
  const guard = await openGuard({ workspace, policy, ownFolders: [state, configFolder()] })
  const { past } = options
  const log = new Log(sessionsFolder(state), past?.session ?? makeSessionId())
  const session = new Session(options, log, { workspace, tools, guard, approvals }, servers)
  try {
    await session.load()
    if (past) await session.resume(past)
    return session
  } catch (error) {
    session.leave()
    throw error
  }
}

export class Session {
  readonly id: string
  readonly root: string
  private readonly engine: Engine
  readonly model: Model | null
  readonly servers: OpenServers
  readonly tools: readonly ToolSchema[]
  readonly total: Spent = makeSpent()
  private readonly options: SessionOptions
  private readonly log: Log
  private readonly door: Door
  private readonly completing: Completing
  private calls = 0
  private running: { soft: AbortController; hard: AbortController; caller: Use['caller'] } | null = null
  private replay: Replay | null = null
  /** What ends the calls of a reply: a person who turns the work after it ends those not yet made. */
  private readonly madeUnder = new WeakMap<ToolUse, AbortSignal>()
  /** What was typed and no strategy has taken; and how often the running one has asked. */
  private typed: string[] = []
  private timesAsked = 0
  private unfinishedRun: { kind: 'task' | 'scheme'; run: Promise<Value> } | null = null
  private namesBefore = new Set<string>()
  private started = false
  private closed = false

  constructor(options: SessionOptions, log: Log, parts: Pick<Door, 'workspace' | 'tools' | 'guard' | 'approvals'>, servers: OpenServers) {
    this.options = options
    this.log = log
    this.id = log.session
    this.root = parts.workspace.root
    this.tools = parts.tools.prims.map(toolSchema)
    this.servers = servers
    this.model = options.model
    const { person, attended, consent, config } = options
    const record = (ctx: string, body: EventBody): void => void this.record(ctx, body)
    const passing: Door['passing'] = (event) => person.passing(event)
    this.door = { ...parts, session: this.id, person, attended, consent, turns: new Turns(), record, passing, sync: () => log.sync() }
    this.completing = {
      session: this.id,
      model: this.model,
      tools: this.tools,
      limits: config.limits,
      spent: makeSpent(),
      total: this.total,
      asked: new Map(),
      record,
      passing,
      past: async (ctx) => (await this.replay?.reply(ctx)) ?? null,
    }
    this.engine = createEngine({ onOutput: (text) => void (this.isReplaying || passing({ type: 'output', text })) })
  }

  /** The words and the strategies, before anything runs. */
  async load(): Promise<void> {
    const folder = packageRoot()
    const prompts = await readPrompts(join(folder, 'prompts.scm'))
    definePrimitives(this.engine, {
      root: this.root,
      tools: this.door.tools,
      checkRounds: this.options.config.limits.checkRounds,
      prompts,
      complete: async (context, signal) => {
        const soft = this.softSignal(signal)
        const reply = await complete(context, this.completing, soft)
        for (const use of reply.calls) this.madeUnder.set(use, soft)
        return reply
      },
      perform: (use, signal) => {
        const made = this.madeUnder.get(use)
        const soft = this.softSignal(signal)
        return this.invoke({ ...use, caller: 'model', given: { by: 'name', text: use.argumentsText }, signal: made ? AbortSignal.any([made, soft]) : soft })
      },
      typed: () => this.takeTyped(),
      attempt: (name, values, call) => this.callByPosition(name, values, call),
      projectCheck: async () => {
        const past = this.replay?.value('project-check')
        if (past) return past.value as string[] | null
        const detected = this.options.config.check ?? detectCheck(this.root)
        const check = await (this.replay ? this.replay.during(Promise.resolve(detected)) : detected)
        this.record('main', { type: 'value', name: 'project-check', value: check })
        return check
      },
      record: (body) => this.record('main', body),
      value: (name, make) => this.given(name, make),
    })
    defineLanguage(this.engine)
    defineTools(this.engine, this.door.tools.prims, (name, values, call) => this.callByPosition(name, values, call))
    for (const name of ['check.scm', 'loop.scm']) await this.loadOwn(join(folder, 'scheme', name))
    if (this.options.strategy !== null) await this.loadOwn(strategyFile(this.options.strategy))
    this.namesBefore = new Set(this.engine.ownNames())
  }

  private async loadOwn(file: string): Promise<void> {
    await this.engine.evaluate(await readFile(file, 'utf8'), { file: basename(file) })
  }

  /** Evaluates a file of the person's. */
  async loadFile(file: string): Promise<Value> {
    return this.evaluateAs('strategy', await readFile(file, 'utf8'), basename(file))
  }

  /** Does a task through the strategy's `run-task`. */
  async runTask(task: string): Promise<TaskResult> {
    this.start(task)
    this.record('main', { type: 'input', text: task, kind: 'task' })
    return taskResult(await this.doTask(task))
  }

  private doTask(task: string): Promise<Value> {
    Object.assign(this.completing.spent, makeSpent())
    return this.run('strategy', async (signal) => {
      const procedure = this.engine.lookup('run-task')
      if (procedure === undefined) throw new SchemeError('unbound variable run-task', { help: 'a strategy defines (run-task task)' })
      return this.engine.call(procedure, [task], { signal })
    })
  }

  /** Evaluates what a person typed: the value of its last form; `onValue` gets that of each. */
  evaluate(text: string, onValue?: (value: Value) => void): Promise<Value> {
    return this.evaluateAs('person', text, 'repl', onValue)
  }

  /** As `evaluate`; `caller` says for whom the tools in it are called: a program that a person did not
   * type here has nobody's yes yet. */
  async evaluateAs(caller: Use['caller'], text: string, file: string, onValue?: (value: Value) => void): Promise<Value> {
    this.start(null)
    this.record('main', { type: 'input', text, kind: 'scheme', ...(file === 'repl' ? {} : { file }) })
    return this.doScheme(caller, text, file, onValue)
  }

  private doScheme(caller: Use['caller'], text: string, file: string, onValue?: (value: Value) => void): Promise<Value> {
    return this.run(caller, (signal) => this.engine.evaluate(text, { file, signal, ...(onValue ? { onValue } : {}) }))
  }

  /** One tool call as a model would make it, its arguments as JSON text. */
  callAsModel(name: string, argumentsText: string): Promise<Outcome> {
    return this.callByName('model', name, argumentsText)
  }

  callAsPerson(name: string, argumentsText: string): Promise<Outcome> {
    return this.callByName('person', name, argumentsText)
  }

  private callByName(caller: Use['caller'], name: string, argumentsText: string): Promise<Outcome> {
    this.start(null)
    this.record('main', { type: 'input', text: `${name} ${argumentsText}`, kind: 'call' })
    return this.run(caller, () => {
      const signal = this.softSignal(undefined)
      const use: Use = { id: this.nextCall(), ctx: 'main', caller, name, given: { by: 'name', text: argumentsText }, labels: new Set(), signal }
      this.calls++
      return invoke(use, this.door)
    })
  }

  /** Runs the inputs of an earlier session again, answered from its log. Afterwards the session stands where that one
   * ended, or waits in the middle of its last input for `goOn`. Rejects with ToolError where the strategy has changed. */
  async resume(past: Past): Promise<void> {
    this.started = true
    if (past.from !== null) this.recordStart(null, past.from)
    const replay = (this.replay = new Replay(past.events, () => this.engine.isBusy))
    if (past.messagesOnly) await this.takeUp(past)
    else for (const part of replay.inputs.keys()) await this.again(replay, part)
    this.model?.resumed?.(past.events.filter((event) => event.type === 'llm.resp').map(({ text, tool_calls }) => ({ text, calls: tool_calls.map(({ name }) => name) })))
    this.calls = past.events.filter(({ type }) => type === 'tool.call').length
    if (!this.unfinishedRun) replay.goOn()
    if (past.from === null) this.log.append('main', { type: 'session.resume', strategy: this.strategyName, model: this.model?.name ?? 'none', version: version() })
  }

  private async again(replay: Replay, part: number): Promise<void> {
    const { event } = replay.inputs[part]!
    if (event.kind === 'call') {
      for (const { call, result } of replay.skip(part)) if (result && this.door.tools.find(call.name)?.readOnly) rememberRead(result, this.door)
      return
    }
    const { kind, text, file } = event
    let run: Promise<Value> | null = null
    const start = (): Promise<Value> => (run = kind === 'task' ? this.doTask(text) : this.doScheme(file === undefined ? 'person' : 'strategy', text, file ?? 'repl'))
    const isDone = await replay.follow(part, start, () => this.running?.hard.abort(new Error(STOPPED)))
    if (!isDone) this.unfinishedRun = { kind, run: run! }
    else if (replay.inputs[part]!.ending === null) this.record('main', { type: 'input.end', ending: 'done' })
  }

  /** Without running anything again: the strategy gets what was said. */
  private async takeUp({ events }: Past): Promise<void> {
    const procedure = this.engine.lookup('take-up')
    if (procedure === undefined) throw new SchemeError('unbound variable take-up', { help: 'a strategy defines (take-up said)' })
    await this.engine.call(procedure, [list(saidIn(events) as unknown as Value[])])
  }

  /** What the session was in the middle of when it was resumed. */
  get unfinished(): 'task' | 'scheme' | null {
    return this.unfinishedRun?.kind ?? null
  }

  /** Goes on with that, to its end: how a task ended, null for Scheme. */
  async goOn(): Promise<TaskResult | null> {
    const unfinished = this.unfinishedRun
    if (!unfinished) throw new Error('nothing is unfinished')
    this.unfinishedRun = null
    this.completing.spent.began = Date.now()
    this.replay?.goOn()
    const value = await unfinished.run
    return unfinished.kind === 'task' ? taskResult(value) : null
  }

  /** Stops what runs: the model's stream and the tool under way at once, and shortly after the program
   * itself, where it does not come to its end. False where nothing runs, or what runs is being stopped already. */
  interrupt(): boolean {
    const running = this.running
    if (!running || running.soft.signal.aborted) return false
    running.soft.abort(new Error(STOPPED))
    // What a person typed needs no time to tell a model of it.
    setTimeout(() => running.hard.abort(new Error(STOPPED)), running.caller === 'person' ? 0 : GRACE_MS).unref()
    return true
  }

  /** What a person types while a task is done: the strategy gets it for its next request. `atOnce`: the request or
   * call under way is cut short. False where no task is done. */
  steer(text: string, atOnce = false): boolean {
    const { running } = this
    if (!running || running.caller !== 'strategy' || this.isReplaying || running.soft.signal.aborted) return false
    this.typed.push(text)
    this.record('main', { type: 'steer', text, at_once: atOnce })
    if (!atOnce) return true
    const { soft } = running
    running.soft = new AbortController()
    soft.abort(STEERED)
    return true
  }

  /** What was typed during a task that ended without taking it. */
  untaken(): string[] {
    return this.typed.splice(0)
  }

  /** Only what there was is logged, with the number of the asking, so that it comes at the same place again. */
  private takeTyped(): string[] {
    const nth = ++this.timesAsked
    const past = this.replay?.value('typed', (value) => (value as { nth: number }).nth === nth)
    if (past) return (past.value as { texts: string[] }).texts
    const texts = this.isReplaying ? [] : this.untaken()
    if (texts.length > 0) this.record('main', { type: 'value', name: 'typed', value: { nth, texts } })
    return texts
  }

  /** The standing approvals that hold here. */
  approvals(): readonly Approval[] {
    return this.door.approvals.all()
  }

  /** The n-th of them, from 1, ends; null where there is none. */
  revoke(n: number): Approval | null {
    const gone = this.door.approvals.revoke(n)
    if (gone) this.record('main', { type: 'note', level: 'info', text: `no longer approved: ${gone.text}` })
    return gone
  }

  /** Usage and sentence of a procedure, tool or syntax; null where nothing is known. */
  describe(name: string): { usage: string; doc: string } | null {
    return this.engine.describe(name)
  }

  /** The names that were defined or imported since the session was made ready. */
  ownNames(): string[] {
    return this.engine.ownNames().filter((name) => !this.namesBefore.has(name) && !name.startsWith('%'))
  }

  /** A global variable's value as text; null where there is none, or for syntax. */
  shownValue(name: string): string | null {
    const value = this.engine.lookup(name)
    return value === undefined ? null : show(value)
  }

  /** What a macro use expands to, as text. */
  expand(text: string): string {
    return print(this.engine.expand(text))
  }

  /** The names that a person may type. */
  names(): string[] {
    return this.engine.names().filter((name) => !name.startsWith('%'))
  }

  /** What is wrong with a text as Scheme, before any of it is evaluated; null where it can be read. */
  readProblem(text: string): unknown {
    try {
      readSource(text, 'repl')
      return null
    } catch (error) {
      return error
    }
  }

  /** Whether it has a log. */
  get hasBegun(): boolean {
    return this.started
  }

  get isRunning(): boolean {
    return this.running !== null
  }

  /** Ends the log. A session in which nothing happened leaves one too once it was started. */
  close(reason: string): void {
    if (this.closed) return
    this.closed = true
    if (this.started)
      this.record('main', {
        type: 'session.end',
        reason,
        totals: {
          requests: this.total.requests,
          prompt_tokens: this.total.promptTokens,
          cached_tokens: this.total.cachedTokens,
          completion_tokens: this.total.completionTokens,
          calls: this.calls,
        },
      })
    this.log.close()
    void this.servers.close()
  }

  /** Ends it as it stands: what is unfinished stays so, for a later program to go on with. */
  leave(): void {
    this.closed = true
    this.log.close()
    void this.servers.close()
  }

  /** A bug of ours, for the log: its reader may need the stack, a person does not. */
  recordBug(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.record('main', { type: 'note', level: 'error', text: `internal error: ${text}` })
  }

  /** What stands in the log of a session that is being resumed is not recorded again. */
  private record(ctx: string, body: EventBody): void {
    if (this.replay?.wasRecorded(body)) return
    this.options.person.event(this.log.append(ctx, body))
  }

  private get isReplaying(): boolean {
    return this.replay?.isOver === false
  }

  private given<T>(name: string, make: () => T): T {
    const past = this.replay?.value(name)
    if (past) return past.value as T
    const value = make()
    this.record('main', { type: 'value', name, value })
    return value
  }

  private start(task: string | null): void {
    if (this.started) return
    this.started = true
    this.recordStart(task)
  }

  /** A file is found again from any directory. */
  private get strategyName(): string {
    const { strategy } = this.options
    return strategy === null ? 'loop' : isFile(strategy) ? resolve(strategy) : strategy
  }

  private recordStart(task: string | null, from?: string): void {
    this.record('main', {
      type: 'session.start',
      cwd: this.root,
      strategy: this.strategyName,
      model: this.model?.name ?? 'none',
      version: version(),
      task,
      ...(from === undefined ? {} : { from }),
    })
    for (const text of [...this.options.config.warnings, ...this.servers.warnings]) this.record('main', { type: 'note', level: 'warning', text })
  }

  private async run<T>(caller: Use['caller'], what: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.running) throw new Error('a session runs one thing at a time')
    const running = (this.running = { soft: new AbortController(), hard: new AbortController(), caller })
    let ending: 'done' | 'failed' = 'failed'
    this.timesAsked = 0
    try {
      const value = await what(running.hard.signal)
      ending = 'done'
      return value
    } finally {
      this.running = null
      if (!this.closed && !this.isReplaying) this.record('main', { type: 'input.end', ending: running.soft.signal.aborted || running.hard.signal.aborted ? 'stopped' : ending })
    }
  }

  private callByPosition(name: string, values: Value[], { labels, signal }: HostCall): Promise<Outcome> {
    return this.invoke({
      id: this.nextCall(),
      ctx: 'main',
      caller: this.running?.caller ?? 'strategy',
      name,
      given: { by: 'position', values },
      labels,
      signal: this.softSignal(signal),
    })
  }

  private async invoke(use: Use): Promise<Outcome> {
    this.calls++
    const past = await (use.given.by === 'name' ? this.replay?.callById(use.ctx, use.id) : this.replay?.callByForm(use.ctx, formOf(use, this.door.tools)))
    return past ? invokeAgain(use, past, this.door) : invoke(use, this.door)
  }

  private nextCall(): string {
    return `${this.id}-call-${this.calls}`
  }

  /** The signal that ends a request or a call: the interrupt's, and that of the fiber around it. */
  private softSignal(signal: AbortSignal | undefined): AbortSignal {
    const soft = this.running?.soft.signal
    if (soft && signal) return AbortSignal.any([soft, signal])
    return soft ?? signal ?? new AbortController().signal
  }

  private signalOption(): { signal?: AbortSignal } {
    return this.running ? { signal: this.running.hard.signal } : {}
  }
}

/** The texts of prompts.scm by name: a list of pairs of a symbol and a string. */
async function readPrompts(file: string): Promise<Map<string, string>> {
  const entries = listItems(readDatum(await readFile(file, 'utf8'))?.datum ?? NIL) ?? []
  const texts = entries.map((entry) => (entry instanceof Pair ? ([show(entry.car), entry.cdr] as const) : null))
  return new Map(texts.filter((text): text is [string, string] => typeof text?.[1] === 'string'))
}

function isFile(strategy: string): boolean {
  return /[/.]/.test(strategy)
}

function strategyFile(strategy: string): string {
  return isFile(strategy) ? resolve(strategy) : join(configFolder(), 'strategies', `${strategy}.scm`)
}

/** What `run-task` gives: a list of the last reply and how the check went, or the reply alone. */
function taskResult(value: Value): TaskResult {
  const [reply, check] = listItems(value) ?? [value]
  if (!(reply instanceof ModelReply)) throw new SchemeError('run-task: expected a reply, or a list of a reply and how the check went')
  const word = check instanceof SchemeSymbol ? check.name : 'none'
  return {
    ending: reply.ending,
    text: reply.reply.text,
    check: word === 'passed' || word === 'failed' ? word : 'none',
    problem: reply.problem,
  }
}
