// A context to a reply: one request to the model, with its two events. What keeps a model from
// answering (the person stopped it, a limit, no server) is a reply too, with its ending and its reason.

import { ModelError, type Call, type Delta, type Model, type Reply, type ToolSchema } from '../model/talk.ts'
import type { Limits } from './config.ts'
import { Context, ModelReply, prefixHash, sha256, type Ending } from './context.ts'
import type { Event, EventBody, Passing, Problem } from './event.ts'
import type { PastReply } from './replay.ts'

/** The reason of an abort by which a person turns the work, and does not end it. */
export const STEERED = new Error('stopped by the person, who says what is to be done instead')

/** What one task has used of its limits. Sub-contexts count too. */
export interface Spent {
  requests: number
  promptTokens: number
  /** Null while no provider reported them. */
  cachedTokens: number | null
  completionTokens: number
  /** Milliseconds since the epoch. */
  began: number
}

export function makeSpent(): Spent {
  return { requests: 0, promptTokens: 0, cachedTokens: null, completionTokens: 0, began: Date.now() }
}

export interface Completing {
  session: string
  model: Model | null
  tools: readonly ToolSchema[]
  limits: Limits
  /** Of the running task, and of the whole session. */
  spent: Spent
  total: Spent
  /** The context of the last request under each name. */
  asked: Map<string, Context>
  record(ctx: string, body: EventBody): void
  passing(passing: Passing): void
  /** The reply that the log has for the context's next request, while a session is being resumed. */
  past(ctx: string): Promise<PastReply | null>
}

export async function complete(context: Context, host: Completing, signal: AbortSignal): Promise<ModelReply> {
  const past = await host.past(context.name)
  if (past) return completeAgain(past, context, host)
  if (signal.aborted) return unasked(context, host, 'stopped', null)
  const limit = limitReached(host)
  if (limit !== null) return unasked(context, host, 'limit', { message: limit, help: null })
  if (!host.model)
    return unasked(context, host, 'failed', { message: 'no model is set', help: 'give one with --model ollama:NAME, or set model in the configuration' })
  const req = `${host.session}-${host.total.requests}`
  recordRequest(context, host, req)
  const heard = { text: '', thinking: '' }
  const hear = (delta: Delta): void => {
    if (delta.kind !== 'call') heard[delta.kind] += delta.text
    host.passing({ type: 'delta', ctx: context.name, kind: delta.kind, text: delta.kind === 'call' ? delta.name : delta.text })
  }
  const tools = context.tools ? host.tools : []
  try {
    const reply = uniqueIds(await host.model.complete({ messages: context.messages, tools }, hear, signal), req)
    count(reply, host)
    recordReply(context, host, req, reply)
    for (const warning of reply.warnings) host.record(context.name, { type: 'note', level: 'warning', text: warning })
    return new ModelReply(reply, context, reply.calls.length > 0 ? 'calls' : 'answer')
  } catch (error) {
    return cutShort(error, context, host, req, heard, signal)
  }
}

/** What the log has of a request, as if it were made now. */
function completeAgain(past: PastReply, context: Context, host: Completing): ModelReply {
  if (past.type === 'llm.none') return ended(context, past.ending, past.problem)
  host.asked.set(context.name, context)
  host.spent.requests++
  host.total.requests++
  const reply = replyOf(past)
  count(reply, host)
  return new ModelReply(reply, context, endingOf(reply, past.problem ?? null), past.problem)
}

/** The reply that stands in the log. */
export function replyOf({ text, thinking, tool_calls, usage, prompt_eval_ms, eval_ms, stop }: Extract<Event, { type: 'llm.resp' }>): Reply {
  return {
    text,
    thinking,
    calls: tool_calls.map((call) => ({ id: call.id, name: call.name, argumentsText: argumentsOf(call) })),
    usage: { promptTokens: usage.prompt_tokens, cachedTokens: usage.cached_tokens, completionTokens: usage.completion_tokens },
    promptEvalMs: prompt_eval_ms,
    evalMs: eval_ms,
    stop,
    warnings: [],
  }
}

function endingOf({ calls, stop }: Reply, problem: Problem | null): Ending {
  if (problem || stop === 'failed') return 'failed'
  return stop === 'stopped' || stop === 'steered' ? stop : calls.length > 0 ? 'calls' : 'answer'
}

function argumentsOf(call: { arguments: unknown; text?: string }): string {
  return call.text ?? (typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments))
}

function cutShort(
  error: unknown,
  context: Context,
  host: Completing,
  req: string,
  heard: { text: string; thinking: string },
  signal: AbortSignal,
): ModelReply {
  if (!signal.aborted && !(error instanceof ModelError)) throw error
  const ending = !signal.aborted ? 'failed' : signal.reason === STEERED ? 'steered' : 'stopped'
  const reply = emptyReply(heard, ending)
  const problem = signal.aborted ? null : { message: (error as ModelError).message, help: (error as ModelError).help }
  recordReply(context, host, req, reply, problem)
  return new ModelReply(reply, context, ending, problem)
}

function recordRequest(context: Context, host: Completing, req: string): void {
  const tools = context.tools ? host.tools : []
  const before = host.asked.get(context.name)
  if (before && !before.messages.every((message, i) => context.messages[i] === message))
    host.record(context.name, {
      type: 'note',
      level: 'warning',
      text: `the request of context ${context.name} does not begin as the one before, so the provider's cache is lost`,
    })
  host.asked.set(context.name, context)
  host.spent.requests++
  host.total.requests++
  host.record(context.name, {
    type: 'llm.req',
    req,
    model: host.model!.name,
    messages: context.messages.length,
    tools_sha256: sha256(JSON.stringify(tools)),
    prefix_sha256: prefixHash(tools, context.messages),
  })
}

function recordReply(context: Context, host: Completing, req: string, reply: Reply, problem: Problem | null = null): void {
  host.record(context.name, {
    type: 'llm.resp',
    req,
    text: reply.text,
    thinking: reply.thinking,
    tool_calls: reply.calls.map(loggedCall),
    usage: {
      prompt_tokens: reply.usage.promptTokens,
      cached_tokens: reply.usage.cachedTokens,
      completion_tokens: reply.usage.completionTokens,
    },
    prompt_eval_ms: reply.promptEvalMs,
    eval_ms: reply.evalMs,
    stop: reply.stop,
    ...(problem ? { problem } : {}),
  })
}

/** The arguments as the object that the model gave; as the text, where that is no JSON. */
function loggedCall({ id, name, argumentsText }: Call): { id: string; name: string; arguments: unknown; text?: string } {
  let given: unknown = argumentsText
  try {
    given = JSON.parse(argumentsText) as unknown
  } catch {
    // A model may write anything.
  }
  const isSame = given === argumentsText || JSON.stringify(given) === argumentsText
  return { id, name, arguments: given, ...(isSame ? {} : { text: argumentsText }) }
}

/** Calls are told apart by id in talk and log; a provider that gives none, or one twice, gets ours. */
function uniqueIds(reply: Reply, req: string): Reply {
  const seen = new Set<string>()
  const calls = reply.calls.map((call, i) => {
    const id = call.id === '' || seen.has(call.id) ? `${req}-${i}` : call.id
    seen.add(id)
    return { ...call, id }
  })
  return { ...reply, calls }
}

function count(reply: Reply, { spent, total }: Completing): void {
  for (const sum of [spent, total]) {
    sum.promptTokens += reply.usage.promptTokens
    if (reply.usage.cachedTokens !== null) sum.cachedTokens = (sum.cachedTokens ?? 0) + reply.usage.cachedTokens
    sum.completionTokens += reply.usage.completionTokens
  }
}

function limitReached({ limits, spent }: Completing): string | null {
  if (spent.requests >= limits.requests) return `the limit of ${limits.requests} requests is reached`
  if (spent.promptTokens + spent.completionTokens >= limits.tokens) return `the limit of ${limits.tokens} tokens is reached`
  if (Date.now() - spent.began >= limits.seconds * 1000) return `the limit of ${limits.seconds} seconds is reached`
  return null
}

function unasked(context: Context, host: Completing, ending: 'stopped' | 'limit' | 'failed', problem: Problem | null): ModelReply {
  host.record(context.name, { type: 'llm.none', ending, problem })
  return ended(context, ending, problem)
}

function ended(context: Context, ending: Ending, problem: Problem | null): ModelReply {
  return new ModelReply(emptyReply({ text: '', thinking: '' }, ending), context, ending, problem)
}

function emptyReply({ text, thinking }: { text: string; thinking: string }, stop: string): Reply {
  const usage = { promptTokens: 0, cachedTokens: null, completionTokens: 0 }
  return { text, thinking, calls: [], usage, promptEvalMs: null, evalMs: null, stop, warnings: [] }
}
