// All that can happen in a session, as it stands in the event log: one JSON object a line.
// This union is the contract between sessions, clients and measure.

import type { Finding, Verdict } from '../guard/verdict.ts'
import type { Call } from '../model/talk.ts'

export interface EventHead {
  v: 1
  /** ISO time. */
  t: string
  session: string
  /** From 0, no gaps. */
  seq: number
  /** `main`, or the name of a sub-context. */
  ctx: string
}

export type EventBody =
  | {
      type: 'session.start'
      cwd: string
      strategy: string
      model: string
      version: string
      task: string | null
      run?: string
      instance?: string
    }
  | { type: 'input'; text: string; kind: 'task' | 'scheme' }
  | { type: 'llm.req'; req: string; model: string; messages: number; tools_sha256: string; prefix_sha256: string }
  | {
      type: 'llm.resp'
      req: string
      text: string
      thinking: string
      tool_calls: { id: string; name: string; arguments: unknown }[]
      usage: { prompt_tokens: number; cached_tokens: number | null; completion_tokens: number }
      prompt_eval_ms: number | null
      eval_ms: number | null
      stop: string
    }
  | {
      type: 'tool.call'
      id: string
      name: string
      /** The positional form, whole; where the arguments could not be bound, as they were given. */
      form: string
      /** Null where the call never came before the guard: no such tool, wrong arguments, stopped. */
      verdict: Verdict | null
      findings: Finding[]
    }
  | {
      type: 'confirm'
      id: string
      kind: 'ordinary' | 'security'
      answer: 'yes' | 'no'
      by: 'person' | 'standing approval' | 'policy'
      /** Why, in the person's words. */
      reason?: string
    }
  | {
      type: 'tool.result'
      id: string
      ok: boolean
      text: string
      error: { kind: string; message: string; edit?: number; of?: number } | null
      ms: number
      labels: string[]
    }
  | { type: 'edit'; id: string; path: string; edits: number; before: string | null; after: string | null }
  | { type: 'context'; what: string; why: string }
  | { type: 'note'; level: 'info' | 'warning' | 'error'; text: string }
  | { type: 'session.end'; reason: string; totals: Record<string, number | null> }

export type Event = EventHead & EventBody

/** What clients see go by and no log keeps. */
export type Passing =
  | { type: 'delta'; ctx: string; kind: 'text' | 'thinking' | 'call'; text: string }
  | { type: 'progress'; id: string; text: string }
  /** What a call is about to write, as a unified diff, before anybody is asked. */
  | { type: 'diff'; id: string; diff: string }
  /** What a program wrote to its output port. */
  | { type: 'output'; text: string }

/** How a call ended. The kind is for programs, the message for readers; nobody parses a message. */
export type Outcome =
  | { ok: true; text: string; value: unknown; labels: string[] }
  | {
      ok: false
      kind: 'misuse' | 'refused' | 'failed' | 'stopped'
      /** The event log's error kind: not-found, not-unique, contract, … */
      error: string
      message: string
      help: string | null
      labels: string[]
    }

export type { Call, Finding, Verdict }
