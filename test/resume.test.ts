// A session that goes on after its program was killed: the same continuation, and no effect twice.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveModel } from '../src/model/resolve.ts'
import { defaultConfig } from '../src/session/config.ts'
import { listSessions, readLog } from '../src/session/log.ts'
import { pastSession, type Past } from '../src/session/past.ts'
import type { Person } from '../src/session/person.ts'
import { createSession } from '../src/session/session.ts'
import { makeFolder, readText } from './help.ts'

const SCRIPT = {
  replies: [
    { text: 'Two small files.' },
    { text: 'I change both.', calls: [call('fs-edit', { path: 'a.txt', old: 'one', new: 'one!' }), call('exec', { argv: ['sh', '-c', 'echo first >> runs.txt'] })] },
    { calls: [call('fs-read', { path: 'a.txt' }), call('fs-read', { path: 'b.txt' })] },
    { calls: [call('fs-edit', { path: 'b.txt', edits: [{ old: 'two', new: 'two!' }, { old: 'three', new: 'three!' }] }), call('fs-edit', { path: 'gone.txt', old: 'x', new: 'y' })] },
    { calls: [call('exec', { argv: ['sh', '-c', 'echo second >> runs.txt'] })] },
    { text: 'Done.' },
  ],
}

/** A sub-context, fibers, a random number, then the usual loop. */
const STRATEGY = `
(define (run-task task)
  (let* ((about (complete (context-add (make-context "sub" "You sum up.") (person-message "Which files?"))))
         (sizes (parallel-map (lambda (path) (string-length (fs-read path))) '("a.txt" "b.txt")))
         (number (random-integer 1000000)))
    (note 'info (string-append "chose " (number->string number)))
    (let-values (((context reply)
                  (converse (context-add talk (person-message (string-append task ": " (reply-text about)))))))
      (set! talk context)
      (list reply 'none))))
`

function call(name: string, args: object): { name: string; arguments: object } {
  return { name, arguments: args }
}

const EVENTS = 42

interface Place {
  root: string
  state: string
  script: string
  strategy: string
}

function makePlace(): Place {
  const root = makeFolder({ 'a.txt': 'one\n', 'b.txt': 'two\nthree\n' })
  const own = makeFolder({ 'script.json': JSON.stringify(SCRIPT), 'strategy.scm': STRATEGY })
  return { root, state: makeFolder(), script: join(own, 'script.json'), strategy: join(own, 'strategy.scm') }
}

/** The session's id. */
async function run({ root, state, script, strategy }: Place, when: string, n: number): Promise<string> {
  const args = [join(import.meta.dirname, 'killed.ts'), root, state, script, strategy, when, String(n)]
  const signal = await new Promise((resolve) => execFile(process.execPath, args, (error) => resolve(error?.signal)))
  expect(signal).toBe(n < EVENTS ? 'SIGKILL' : undefined)
  return listSessions(join(state, 'sessions'))[0]!
}

async function resume({ root, state, script, strategy }: Place, past: Past) {
  const person: Person = { event() {}, passing() {}, confirm: () => Promise.resolve({ yes: true, reason: '' }), ask: () => Promise.resolve('') }
  const model = await resolveModel(`script:${script}`)
  try {
    const session = await createSession({ cwd: root, state, config: defaultConfig(), model, person, attended: true, consent: 'ask', strategy, past })
    const result = session.unfinished ? await session.goOn() : null
    session.close('done')
    return result
  } finally {
    await model.close?.()
  }
}

/** Kills the program at an event, resumes the session, and looks at what came of it. */
async function checkKilled(when: 'after' | 'before', n: number): Promise<void> {
  const place = makePlace()
  const id = await run(place, when, n)
  const past = pastSession(join(place.state, 'sessions'), id)
  const result = await resume(place, past)
  const hasInput = past.events.some(({ type }) => type === 'input')
  const isEnded = past.events.some(({ type }) => type === 'input.end')
  if (!hasInput || isEnded) return expect(result).toBeNull()
  expect(result).toMatchObject({ ending: 'answer', text: 'Done.' })
  const events = readLog(join(place.state, 'sessions', `${id}.jsonl`))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
  expect(events.filter(({ type }) => type === 'input.end')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'value')).toHaveLength(1)
  const results = events.filter((event) => event.type === 'tool.result')
  expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
  expect(results).toHaveLength(9)
  expect(events.filter((event) => event.type === 'llm.resp').map(({ text }) => text)).toEqual(SCRIPT.replies.map(({ text = '' }) => text))
  expect(readText(place.root, 'a.txt')).toBe('one!\n')
  expect(readText(place.root, 'b.txt')).toBe('two!\nthree!\n')
  const runs = existsSync(join(place.root, 'runs.txt')) ? readText(place.root, 'runs.txt') : ''
  const isUnknown = results.some(({ text }) => text.includes('nobody knows whether this was done'))
  expect(['first\nsecond\n', ...(isUnknown ? ['first\n', 'second\n'] : [])]).toContain(runs)
}

describe('a session whose program was killed', () => {
  it.each(Array.from({ length: EVENTS }, (_, n) => n))('after its event %i goes on', (n) => checkKilled('after', n))

  it('between an effect and its result does not have the effect twice', async () => {
    const whole = makePlace()
    const events = readLog(join(whole.state, 'sessions', `${await run(whole, 'after', EVENTS)}.jsonl`))
    expect(events).toHaveLength(EVENTS)
    for (const { seq, type } of events) if (type === 'tool.result') await checkKilled('before', seq)
  }, 60_000)
})
