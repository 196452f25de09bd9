// The only shared helper of the tests: real temporary folders, and a session over the scripted model.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Model, Request } from '../src/model/talk.ts'
import { defaultConfig } from '../src/session/config.ts'
import type { Scope } from '../src/session/approval.ts'
import type { Event, Passing } from '../src/session/event.ts'
import type { Card, Person } from '../src/session/person.ts'
import { createSession, type Session, type SessionOptions } from '../src/session/session.ts'

/** A fresh folder with these files, removed after the test. */
export function makeFolder(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodwyn-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export function readText(...path: string[]): string {
  return readFileSync(join(...path), 'utf8')
}

/** A reply of the scripted model: what it says, and its calls as names and arguments. */
export interface ScriptedReply {
  text?: string
  calls?: [name: string, args: unknown][]
}

export interface Played {
  session: Session
  root: string
  /** The folder of the session's logs and versions. */
  state: string
  events: Event[]
  passing: Passing[]
  cards: Card[]
  /** What the model was sent, request by request. */
  requests: Request[]
}

/** A session in a fresh folder whose model gives these replies, one a request. `answers` are given to
 * confirms in turn; none left: the test fails. */
export async function play(
  files: Record<string, string>,
  replies: ScriptedReply[],
  { answers = [], model, ...options }: Partial<SessionOptions> & { answers?: (boolean | string | { always: number; scope: Scope })[] } = {},
): Promise<Played> {
  const root = makeFolder(files)
  const state = makeFolder()
  const played: Omit<Played, 'session'> = { root, state, events: [], passing: [], cards: [], requests: [] }
  const person: Person = {
    event: (event) => void played.events.push(event),
    passing: (passing) => void played.passing.push(passing),
    confirm(card) {
      played.cards.push(card)
      const answer = answers[played.cards.length - 1]
      if (answer === undefined) throw new Error(`asked more often than expected: ${card.form}`)
      if (typeof answer === 'object') return Promise.resolve({ yes: true, reason: '', always: { offer: card.offers[answer.always]!, scope: answer.scope } })
      return Promise.resolve(typeof answer === 'string' ? { yes: false, reason: answer } : { yes: answer, reason: '' })
    },
    ask: (_question, choices) => Promise.resolve(choices[0] ?? ''),
  }
  const session = await createSession({
    cwd: root,
    config: defaultConfig(),
    model: model === undefined ? scriptedModel(replies, played.requests) : model,
    person,
    attended: true,
    consent: 'ask',
    strategy: null,
    state,
    ...options,
  })
  onTestFinished(() => session.close('test'))
  return { ...played, session }
}

function scriptedModel(replies: ScriptedReply[], requests: Request[]): Model {
  return {
    name: 'script:test',
    window: null,
    complete(request, onDelta) {
      const { text = '', calls = [] } = replies[requests.length] ?? {}
      requests.push({ messages: [...request.messages], tools: request.tools })
      onDelta({ kind: 'text', text })
      return Promise.resolve({
        text,
        thinking: '',
        calls: calls.map(([name, args], i) => ({ id: `c${requests.length}${i}`, name, argumentsText: typeof args === 'string' ? args : JSON.stringify(args) })),
        usage: { promptTokens: 10, cachedTokens: null, completionTokens: 1 },
        promptEvalMs: null,
        evalMs: null,
        stop: 'stop',
        warnings: [],
      })
    },
  }
}
