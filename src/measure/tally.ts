// Events to figures, in one pass: sums by group (all, each model, each instance), and of each session only what
// later events are told apart by.

import { percentile } from './percentile.ts'
import type { Figures } from './figure.ts'

/** An fs-edit call as a reply holds it. */
interface EditCall {
  path: string | null
  /** Each edit as text, to be found again; null for the form of one edit. */
  edits: string[] | null
  /** What it sends, in either form. */
  sent: string[]
}

/** A failed list call, until the context calls fs-edit on that path again. */
interface Failed {
  path: string
  others: string[]
  groups: Group[]
}

interface ContextState {
  /** What the previous reply called fs-edit on. */
  previous: Set<string>
  failed: Failed[]
}

class SessionState {
  model = 'unknown'
  instance: string | null = null
  requests = 0
  lone = 0
  first = Infinity
  last = -Infinity
  /** The paths that fs-edit was called on. */
  readonly edited = new Set<string>()
  readonly contexts = new Map<string, ContextState>()
  /** Requests without a response, and fs-edit calls without a result. */
  readonly asked = new Map<string, { model: string; t: number }>()
  readonly open = new Map<string, { call: EditCall; ctx: string; groups: Group[] }>()
}

/** What one group of events comes to so far. */
class Group {
  requests = 0
  requestsMain = 0
  promptTokens = 0
  cachedTokens = 0
  /** Prompt tokens of the responses that report cached ones; none did: null. */
  promptOfCached: number | null = null
  promptEvalMs: number | null = null
  withCalls = 0
  twoOrMore = 0
  twoToSix = 0
  editCalls = 0
  editFiles = 0
  reedits = 0
  sameFile = 0
  twoFiles = 0
  readonly lone: number[] = []
  readonly failures = new Map<string, number>()
  listFailures = 0
  resent = 0
  readonly listSizes: number[] = []
  listCalls = 0
  toolMs = 0
  modelMs = 0
  wallMs = 0
  cost: number | null = null
  readonly instances = new Set<string>()
}

/** What plots need beside the figures. */
export interface Shape {
  /** Mean prompt tokens of each session's first request, second, …; as far as any session goes, 500 at most. */
  prompts: number[]
  /** Sessions with replies, in the order in which they were read. */
  sessions: { session: string; requests: number; lone: number }[]
}

const MOST_REQUESTS = 500

type Json = Record<string, unknown>

export interface Measured {
  total: Figures
  by_model: Record<string, Figures>
  by_instance: Record<string, Figures>
}

export class Tally {
  private readonly sessions = new Map<string, SessionState>()
  private readonly all = new Group()
  private readonly models = new Map<string, Group>()
  private readonly instances = new Map<string, Group>()
  /** Distinct (session, path) by group that is not the session's own. */
  private readonly filesOf = new Map<Group, Set<string>>()
  /** Prompt tokens and sessions by the number of the request. */
  private readonly prompts: { sum: number; n: number }[] = []

  /** Takes an event; what is no event of a known type only counts for the session's time. */
  add(event: Json): void {
    const session = this.session(text(event['session']) ?? '')
    const t = Date.parse(text(event['t']) ?? '')
    if (!Number.isNaN(t)) {
      session.first = Math.min(session.first, t)
      session.last = Math.max(session.last, t)
    }
    switch (event['type']) {
      case 'session.start':
        session.model = text(event['model']) ?? session.model
        session.instance = text(event['instance']) ?? session.instance
        return
      case 'llm.req': {
        const req = text(event['req'])
        if (req !== null) session.asked.set(req, { model: text(event['model']) ?? session.model, t })
        return
      }
      case 'llm.resp':
        return this.response(event, session, t)
      case 'tool.result':
        return this.result(event, session)
      case 'session.end': {
        const cost = number(object(event['totals'])?.['cost'])
        if (cost !== null) for (const group of this.groups(session, session.model)) group.cost = (group.cost ?? 0) + cost
      }
    }
  }

  private response(event: Json, session: SessionState, t: number): void {
    const req = text(event['req']) ?? ''
    const asked = session.asked.get(req)
    session.asked.delete(req)
    const ctx = text(event['ctx']) ?? 'main'
    const groups = this.groups(session, asked?.model ?? session.model)
    const usage = object(event['usage']) ?? {}
    const prompt = number(usage['prompt_tokens']) ?? 0
    const cached = number(usage['cached_tokens'])
    const evaluated = number(event['prompt_eval_ms'])
    if (session.requests < MOST_REQUESTS) {
      const at = (this.prompts[session.requests] ??= { sum: 0, n: 0 })
      at.sum += prompt
      at.n++
    }
    session.requests++
    const calls = Array.isArray(event['tool_calls']) ? event['tool_calls'].map((call) => object(call) ?? {}) : []
    for (const group of groups) {
      group.requests++
      if (ctx === 'main') group.requestsMain++
      group.promptTokens += prompt
      if (cached !== null) {
        group.cachedTokens += cached
        group.promptOfCached = (group.promptOfCached ?? 0) + prompt
      }
      if (evaluated !== null) group.promptEvalMs = (group.promptEvalMs ?? 0) + evaluated
      if (asked && !Number.isNaN(t - asked.t)) group.modelMs += t - asked.t
      if (calls.length >= 1) group.withCalls++
      if (calls.length >= 2) group.twoOrMore++
      if (calls.length >= 2 && calls.length <= 6) group.twoToSix++
    }
    this.edits(calls, ctx, session, groups, prompt)
  }

  private edits(calls: Json[], ctx: string, session: SessionState, groups: Group[], prompt: number): void {
    const context = contextOf(session, ctx)
    const edits: EditCall[] = []
    for (const call of calls) {
      if (call['name'] !== 'fs-edit') continue
      const edit = editCallOf(call['arguments'])
      edits.push(edit)
      const id = text(call['id'])
      if (id !== null) session.open.set(id, { call: edit, ctx, groups })
      this.editCall(edit, session, groups)
    }
    const paths = edits.flatMap(({ path }) => (path === null ? [] : [path]))
    const distinct = new Set(paths)
    const isLone = calls.length === 1 && paths.length === 1 && context.previous.has(paths[0]!)
    if (isLone) session.lone++
    for (const group of groups) {
      if (distinct.size < paths.length) group.sameFile++
      if (distinct.size >= 2) group.twoFiles++
      if (isLone) group.lone.push(prompt)
    }
    context.previous = distinct
    context.failed = context.failed.filter((failed) => {
      if (!distinct.has(failed.path)) return true
      const again = countCommon(failed.others, edits.filter(({ path }) => path === failed.path).flatMap(({ sent }) => sent))
      for (const group of failed.groups) group.resent += again
      return false
    })
  }

  private editCall({ path, edits }: EditCall, session: SessionState, groups: Group[]): void {
    const isAgain = path !== null && session.edited.has(path)
    if (path !== null) session.edited.add(path)
    for (const group of groups) {
      group.editCalls++
      if (isAgain) group.reedits++
      if (path !== null && this.isNewFile(group, session, path, isAgain)) group.editFiles++
      if (edits !== null) {
        group.listCalls++
        group.listSizes.push(edits.length)
      }
    }
  }

  /** A session asks one model as a rule, and then its own set tells. */
  private isNewFile(group: Group, session: SessionState, path: string, isAgain: boolean): boolean {
    if (group === this.all) return !isAgain
    const files = this.filesOf.get(group) ?? new Set()
    this.filesOf.set(group, files)
    const key = `${this.numberOf(session)} ${path}`
    const isNew = !files.has(key)
    files.add(key)
    return isNew
  }

  private readonly numbers = new Map<SessionState, number>()
  private numberOf(session: SessionState): number {
    const n = this.numbers.get(session) ?? this.numbers.size
    this.numbers.set(session, n)
    return n
  }

  private result(event: Json, session: SessionState): void {
    const ms = number(event['ms'])
    const id = text(event['id']) ?? ''
    const open = session.open.get(id)
    session.open.delete(id)
    if (ms !== null) for (const group of open?.groups ?? this.groups(session, session.model)) group.toolMs += ms
    if (!open || event['ok'] !== false) return
    const error = object(event['error']) ?? {}
    const kind = text(error['kind']) ?? 'other'
    const failing = number(error['edit'])
    for (const group of open.groups) {
      group.failures.set(kind, (group.failures.get(kind) ?? 0) + 1)
      if (failing !== null) group.listFailures++
    }
    const { path, edits } = open.call
    if (edits === null || path === null) return
    contextOf(session, open.ctx).failed.push({ path, others: edits.filter((_, i) => i + 1 !== failing), groups: open.groups })
  }

  private session(id: string): SessionState {
    let session = this.sessions.get(id)
    if (!session) this.sessions.set(id, (session = new SessionState()))
    return session
  }

  private groups({ instance }: SessionState, model: string): Group[] {
    return [this.all, groupOf(this.models, model), ...(instance === null ? [] : [groupOf(this.instances, instance)])]
  }

  shape(): Shape {
    const sessions = [...this.sessions].flatMap(([session, { requests, lone }]) => (requests > 0 ? [{ session, requests, lone }] : []))
    return { prompts: this.prompts.map(({ sum, n }) => sum / n), sessions }
  }

  /** `resolved`: the ids of the instances that were resolved; null where no report was given. */
  figures(resolved: ReadonlySet<string> | null): Measured {
    for (const group of [this.all, ...this.models.values(), ...this.instances.values()]) group.wallMs = 0
    for (const session of this.sessions.values())
      for (const group of this.groups(session, session.model)) {
        group.wallMs += Math.max(0, session.last - session.first)
        if (session.instance !== null) group.instances.add(session.instance)
      }
    const solved = (group: Group): number => [...group.instances].filter((instance) => resolved!.has(instance)).length
    const of = (group: Group): Figures => figuresOf(group, resolved && (group === this.all ? resolved.size : solved(group)))
    const table = (groups: Map<string, Group>): Record<string, Figures> => Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => [name, of(group)]))
    return { total: of(this.all), by_model: table(this.models), by_instance: table(this.instances) }
  }
}

function figuresOf(group: Group, resolved: number | null): Figures {
  const { requests, promptTokens, promptOfCached, editCalls, lone } = group
  const failures = [...group.failures.values()].reduce((sum, n) => sum + n, 0)
  const sorted = Float64Array.from(lone).sort()
  const sizes = Float64Array.from(group.listSizes).sort()
  return {
    requests,
    requests_main: group.requestsMain,
    prompt_tokens: promptTokens,
    cached_tokens: promptOfCached === null ? null : group.cachedTokens,
    cached_share: promptOfCached === null ? null : share(group.cachedTokens, promptOfCached),
    reporting_prompt_tokens: promptOfCached,
    prompt_eval_ms: group.promptEvalMs,
    replies_with_calls: group.withCalls,
    replies_2plus: group.twoOrMore,
    replies_2to6: group.twoToSix,
    replies_2to6_share: share(group.twoToSix, requests),
    edit_calls: editCalls,
    edit_files: group.editFiles,
    reedits: group.reedits,
    reedits_share: share(group.reedits, editCalls),
    same_file_replies: group.sameFile,
    two_file_replies: group.twoFiles,
    lone_reedits: lone.length,
    lone_reedits_share: share(lone.length, requests),
    lone_reedit_prompt_tokens:
      lone.length === 0 ? null : { median: percentile(sorted, 0.5), p10: percentile(sorted, 0.1), p90: percentile(sorted, 0.9), sum: lone.reduce((sum, n) => sum + n, 0) },
    edit_failures: Object.fromEntries([...group.failures].sort(([a], [b]) => (a < b ? -1 : 1))),
    edit_failure_count: failures,
    edit_failure_rate: share(failures, editCalls),
    list_edit_failures: group.listFailures,
    resent_edits: group.resent,
    list_calls: group.listCalls,
    edits_per_list_call: sizes.length === 0 ? null : { median: percentile(sizes, 0.5), max: sizes.at(-1)! },
    resolved,
    wall_ms: group.wallMs,
    tool_ms: group.toolMs,
    model_ms: group.modelMs,
    cost: group.cost,
  }
}

function editCallOf(given: unknown): EditCall {
  const args = object(typeof given === 'string' ? parse(given) : given) ?? {}
  const path = text(args['path'])
  const one = (edit: unknown): string => {
    const { old, new: replacement, replace_all: all } = object(edit) ?? {}
    return JSON.stringify([old ?? null, replacement ?? null, all === true])
  }
  if (Array.isArray(args['edits'])) {
    const edits = args['edits'].map(one)
    return { path, edits, sent: edits }
  }
  return { path, edits: 'edits' in args ? [] : null, sent: [one(args)] }
}

function parse(given: string): unknown {
  try {
    return JSON.parse(given) as unknown
  } catch {
    return null
  }
}

/** How many of `wanted` are among `given`, each of these counted once. */
function countCommon(wanted: string[], given: string[]): number {
  const left = [...given]
  let n = 0
  for (const one of wanted) {
    const at = left.indexOf(one)
    if (at < 0) continue
    left.splice(at, 1)
    n++
  }
  return n
}

function contextOf(session: SessionState, ctx: string): ContextState {
  let context = session.contexts.get(ctx)
  if (!context) session.contexts.set(ctx, (context = { previous: new Set(), failed: [] }))
  return context
}

function groupOf(groups: Map<string, Group>, name: string): Group {
  let group = groups.get(name)
  if (!group) groups.set(name, (group = new Group()))
  return group
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}
