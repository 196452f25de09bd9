// A context to a reply: one request to the model, with its two events. What keeps a model from
// answering (the person stopped it, a limit, no server) is a reply too, with its ending and its reason.

import { ModelError, type Delta, type Model, type Reply, type ToolSchema } from '../model/talk.ts'
import type { Limits } from './config.ts'
import { Context, ModelReply, prefixHash, sha256, type Ending } from './context.ts'
import type { EventBody, Passing } from './event.ts'

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
}

export async function complete(context: Context, host: Completing, signal: AbortSignal): Promise<ModelReply> {
  if (signal.aborted) return ended(context, 'stopped')
  const limit = limitReached(host)
  if (limit !== null) return ended(context, 'limit', limit)
  if (!host.model) return ended(context, 'failed', 'no model is set', 'give one with --model ollama:NAME, or set model in the configuration')
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

function cutShort(
  error: unknown,
  context: Context,
  host: Completing,
  req: string,
  heard: { text: string; thinking: string },
  signal: AbortSignal,
): ModelReply {
  const stopped = signal.aborted
  if (!stopped && !(error instanceof ModelError)) throw error
  const reply = emptyReply(heard, stopped ? 'stopped' : 'failed')
  recordReply(context, host, req, reply)
  if (stopped) return new ModelReply(reply, context, 'stopped')
  const { message, help } = error as ModelError
  return new ModelReply(reply, context, 'failed', { message, help })
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

function recordReply(context: Context, host: Completing, req: string, reply: Reply): void {
  host.record(context.name, {
    type: 'llm.resp',
    req,
    text: reply.text,
    thinking: reply.thinking,
    tool_calls: reply.calls.map(({ id, name, argumentsText }) => ({ id, name, arguments: asObject(argumentsText) })),
    usage: {
      prompt_tokens: reply.usage.promptTokens,
      cached_tokens: reply.usage.cachedTokens,
      completion_tokens: reply.usage.completionTokens,
    },
    prompt_eval_ms: reply.promptEvalMs,
    eval_ms: reply.evalMs,
    stop: reply.stop,
  })
}

/** The arguments as the object that the model gave; as the text, where that is no JSON. */
function asObject(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
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

function ended(context: Context, ending: Ending, message?: string, help: string | null = null): ModelReply {
  const problem = message === undefined ? null : { message, help }
  return new ModelReply(emptyReply({ text: '', thinking: '' }, ending), context, ending, problem)
}

function emptyReply({ text, thinking }: { text: string; thinking: string }, stop: string): Reply {
  const usage = { promptTokens: 0, cachedTokens: null, completionTokens: 0 }
  return { text, thinking, calls: [], usage, promptEvalMs: null, evalMs: null, stop, warnings: [] }
}
