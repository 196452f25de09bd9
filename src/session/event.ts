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
      /** SESSION@SEQ: a fork. The events of that session up to that one stand before this log's own. */
      from?: string
    }
  | { type: 'session.resume'; strategy: string; model: string; version: string }
  /** What a person gave: a task, a text of Scheme (from `file`, where it was loaded), one tool call. */
  | { type: 'input'; text: string; kind: 'task' | 'scheme' | 'call'; file?: string }
  /** What a person typed while it worked, for the next request; `at_once`: what ran was cut short for it. */
  | { type: 'steer'; text: string; at_once: boolean }
  /** The input is done with. Where it is missing, the program was ended before. */
  | { type: 'input.end'; ending: 'done' | 'failed' | 'stopped' }
  | { type: 'llm.req'; req: string; model: string; messages: number; tools_sha256: string; prefix_sha256: string }
  | {
      type: 'llm.resp'
      req: string
      text: string
      thinking: string
      /** `text`: the arguments as the model wrote them, where `arguments` would be written otherwise. */
      tool_calls: { id: string; name: string; arguments: unknown; text?: string }[]
      usage: { prompt_tokens: number; cached_tokens: number | null; completion_tokens: number }
      prompt_eval_ms: number | null
      eval_ms: number | null
      stop: string
      problem?: Problem
    }
  /** A model was to be asked, and was not: stopped before, a limit reached, no model. */
  | { type: 'llm.none'; ending: 'stopped' | 'limit' | 'failed'; problem: Problem | null }
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
      /** What a program gets, where that is not the text. */
      value?: unknown
    }
  /** A change, before it is made; of a program that was run, after it. Hashes are SHA-256, null: no file. */
  | { type: 'edit'; id: string; path: string; edits: number; before: string | null; after: string | null }
  | { type: 'context'; what: string; why: string }
  /** What a primitive gave that depends on the world: the time, a random number. */
  | { type: 'value'; name: string; value: unknown }
  | { type: 'note'; level: 'info' | 'warning' | 'error'; text: string }
  | { type: 'session.end'; reason: string; totals: Record<string, number | null> }

export type Event = EventHead & EventBody

/** What kept a model from answering, for a person: one line, and what to do. */
export interface Problem {
  message: string
  help: string | null
}

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
