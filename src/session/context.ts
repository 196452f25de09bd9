// What a strategy holds in its hands, as values of the engine: contexts, replies, calls and outcomes.
// A context never changes; adding to it gives a new one that shares its messages, so that forking is
// free and a request begins as the one before it began.

import { createHash } from 'node:crypto'
import type { Message, Reply, ToolSchema } from '../model/talk.ts'
import type { Outcome, Problem } from './event.ts'

/** A message list under a name. Its labels are those of all that it has seen, and what its model says
 * carries them. */
export class Context {
  readonly name: string
  readonly messages: readonly Message[]
  /** False: the model is shown no tools. */
  readonly tools: boolean
  readonly labels: ReadonlySet<string>
  /** The calls performed in it that went well, in order. */
  readonly done: readonly ToolUse[]
  constructor(
    name: string,
    messages: readonly Message[] = [],
    { tools = true, labels = new Set<string>() as ReadonlySet<string>, done = [] as readonly ToolUse[] } = {},
  ) {
    this.name = name
    this.messages = messages
    this.tools = tools
    this.labels = labels
    this.done = done
  }

  with(message: Message, labels: Iterable<string> = [], done: readonly ToolUse[] = []): Context {
    return new Context(this.name, [...this.messages, message], {
      tools: this.tools,
      labels: new Set([...this.labels, ...labels]),
      done: [...this.done, ...done],
    })
  }

  named(name: string): Context {
    return new Context(name, this.messages, this)
  }

  withoutTools(): Context {
    return new Context(this.name, this.messages, { ...this, tools: false })
  }

  labelled(labels: Iterable<string>): Context {
    return new Context(this.name, this.messages, { ...this, labels: new Set([...this.labels, ...labels]) })
  }
}

/** A call of a reply: what the model asked for, with the context it asked in. */
export class ToolUse {
  readonly id: string
  readonly name: string
  readonly argumentsText: string
  readonly ctx: string
  readonly labels: ReadonlySet<string>
  constructor(call: { id: string; name: string; argumentsText: string }, ctx: string, labels: ReadonlySet<string>) {
    this.id = call.id
    this.name = call.name
    this.argumentsText = call.argumentsText
    this.ctx = ctx
    this.labels = labels
  }
}

/** Why a reply is the last one: the model answered, or what kept it from going on. */
export type Ending = 'answer' | 'calls' | 'stopped' | 'steered' | 'failed' | 'limit'

export class ModelReply {
  readonly reply: Reply
  readonly calls: readonly ToolUse[]
  readonly labels: ReadonlySet<string>
  readonly ending: Ending
  /** What kept it from an answer, for a person: one line, and what to do. */
  readonly problem: Problem | null
  constructor(reply: Reply, context: Context, ending: Ending, problem: ModelReply['problem'] = null) {
    this.reply = reply
    this.labels = context.labels
    this.calls = reply.calls.map((call) => new ToolUse(call, context.name, context.labels))
    this.ending = ending
    this.problem = problem
  }
}

/** A message in the place of the person. */
export class SaidByPerson {
  readonly text: string
  readonly labels: readonly string[]
  constructor(text: string, labels: readonly string[]) {
    this.text = text
    this.labels = labels
  }
}

/** What came of a call, beside the call. */
export class Performed {
  readonly use: ToolUse
  readonly outcome: Outcome
  /** How often this call has now had this result, nothing having changed in between. */
  readonly times: number
  constructor(use: ToolUse, outcome: Outcome, times = 1) {
    this.use = use
    this.outcome = outcome
    this.times = times
  }
}

/** What a model, and a reader of the log, is told of an outcome. */
export function outcomeText(outcome: Outcome): string {
  if (outcome.ok) return outcome.text
  return outcome.help === null ? outcome.message : `${outcome.message}\nhelp: ${outcome.help}`
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The hash of what stands before the talk in every request: the tools and the host's first words. */
export function prefixHash(tools: readonly ToolSchema[], messages: readonly Message[]): string {
  const first = messages[0]
  return sha256(JSON.stringify([tools, first?.from === 'host' ? first.text : null]))
}
