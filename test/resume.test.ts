// A session that goes on after its program was killed: the same continuation, and no effect twice.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { resolveModel } from '../src/model/resolve.ts'
import { defaultConfig } from '../src/session/config.ts'
import { listSessions, readLog } from '../src/session/log.ts'
import type { Event } from '../src/session/event.ts'
import { forkSession, pastSession, readSession, type Past } from '../src/session/past.ts'
import type { Person } from '../src/session/person.ts'
import { makeReplaying } from '../src/session/replay-model.ts'
import { filesBack, pointsOf } from '../src/session/rewind.ts'
import { createSession } from '../src/session/session.ts'
import { makeFolder, play, readText, type Played, type ScriptedReply } from './help.ts'
import { typeAt } from './terminal.ts'

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
  // With the last reply in the log nothing is left to do.
  if (n < EVENTS - 3) expect(result).toMatchObject({ ending: 'answer', text: 'Done.' })
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

/** Two tasks, each an edit, over the test's own model. */
const TWO_TASKS: ScriptedReply[] = [
  { text: 'I edit.', calls: [['fs-edit', { path: 'a.txt', old: 'one', new: '1' }]] },
  { text: 'First done.' },
  { calls: [['fs-edit', { path: 'a.txt', old: 'two', new: '2' }]] },
  { text: 'Second done.' },
]

async function playTwo() {
  const played = await play({ 'a.txt': 'one\ntwo\n' }, TWO_TASKS, { answers: [true, true] })
  await played.session.runTask('do one')
  await played.session.evaluate('(define chosen (random-integer 1000000000))')
  await played.session.runTask('do two')
  played.session.close('done')
  return { ...played, folder: join(played.state, 'sessions') }
}

/** A session that goes on from `past`, over the same workspace; a model with these replies. */
async function goOn({ root, state }: Pick<Played, 'root' | 'state'>, past: Past, replies: ScriptedReply[], options: Parameters<typeof play>[2] = {}) {
  return play({}, replies, { cwd: root, state, past, ...options })
}

describe('a session that ended', () => {
  it('goes on with all that was said and defined', async () => {
    const before = await playTwo()
    const { session, requests, events } = await goOn(before, pastSession(before.folder, before.session.id), [{ text: 'Third done.' }])
    expect(session.unfinished).toBeNull()
    expect(before.session.shownValue('chosen')).toBe(session.shownValue('chosen'))
    expect(await session.runTask('and now')).toMatchObject({ text: 'Third done.' })
    expect(requests[0]!.messages.slice(0, -1)).toEqual([...before.requests.at(-1)!.messages, { from: 'model', text: 'Second done.', thinking: '', calls: [] }])
    expect(events[0]).toMatchObject({ type: 'input', seq: before.events.length + 1 })
    expect(session.total.requests).toBe(5)
  })

  it('opens from a log of the version before, which kept less', async () => {
    const before = await playTwo()
    const past = pastSession(before.folder, before.session.id)
    const kept = past.events.filter(({ type }) => type !== 'input.end' && type !== 'value')
    const events = kept.map((event, seq) => ({ ...event, seq, ...('value' in event ? { value: undefined } : {}) })) as Event[]
    const { session } = await goOn(before, { ...past, events }, [{ text: 'Third done.' }])
    expect(await session.runTask('and now')).toMatchObject({ text: 'Third done.' })
  })

  it('says where a strategy asks for something else, and goes on from what was said', async () => {
    const before = await playTwo()
    const own = makeFolder({ 's.scm': '(define (run-task task) (fs-read "a.txt") (list (complete (context-add talk (person-message task))) (quote none)))' })
    const past = pastSession(before.folder, before.session.id)
    const strategy = join(own, 's.scm')
    await expect(goOn(before, past, [], { strategy })).rejects.toThrow(/the strategy has changed since: at event 3 of \w+ the log has a reply in context main, and the strategy asks for the call \(fs-read "a.txt"\)/)
    const { session, requests } = await goOn(before, { ...past, messagesOnly: true }, [{ text: 'Third done.' }], { strategy })
    expect(await session.runTask('and now')).toMatchObject({ text: 'Third done.' })
    expect(requests[0]!.messages.slice(0, -1)).toEqual([...before.requests.at(-1)!.messages, { from: 'model', text: 'Second done.', thinking: '', calls: [] }])
  })

  it('is not opened by two programs', async () => {
    const before = await playTwo()
    const past = pastSession(before.folder, before.session.id)
    await goOn(before, past, [])
    await expect(goOn(before, past, [])).rejects.toThrow(/session \w+ is open in another program \(process \d+/)
  })

  it('had a run that was stopped while it computed', async () => {
    const before = await play({}, [])
    const endless = before.session.evaluate('(define n 0) (let loop () (set! n 1) (loop))')
    setTimeout(() => before.session.interrupt(), 30)
    await expect(endless).rejects.toThrow('stopped')
    await before.session.evaluate('(define m 2)')
    before.session.close('done')
    const { session } = await goOn(before, pastSession(join(before.state, 'sessions'), before.session.id), [])
    expect([session.shownValue('n'), session.shownValue('m')]).toEqual(['1', '2'])
  })
})

describe('a fork', () => {
  it('stands where the session stood, and the files can follow', async () => {
    const before = await playTwo()
    const events = readSession(before.folder, before.session.id)
    const [, , point] = pointsOf(events)
    expect(point).toMatchObject({ text: 'do two' })
    const back = await filesBack(events, point!.session, point!.seq, before.root, before.state)
    expect(back).toEqual([{ path: 'a.txt', n: 1 }])
    const past = forkSession(before.folder, point!.session, point!.seq)
    const { session } = await goOn(before, past, [{ text: 'Another second.' }])
    for (const file of back) await session.callAsPerson('fs-undo', JSON.stringify(file))
    expect(readText(before.root, 'a.txt')).toBe('1\ntwo\n')
    expect(await session.runTask('do two otherwise')).toMatchObject({ text: 'Another second.' })
    session.close('done')
    const whole = readSession(before.folder, session.id)
    expect(whole.filter((event) => event.type === 'input').map(({ text }) => text)).toEqual(['do one', '(define chosen (random-integer 1000000000))', 'fs-undo {"path":"a.txt","n":1}', 'do two otherwise'])
    const again = await goOn(before, pastSession(before.folder, session.id), [{ text: 'x' }])
    expect(again.session.shownValue('chosen')).toBe(before.session.shownValue('chosen'))
    expect(readLog(join(before.folder, `${before.session.id}.jsonl`))).toEqual(before.events)
  })

  it('in the middle of a task goes on with it', async () => {
    const before = await playTwo()
    const call = before.events.find(({ type }) => type === 'tool.result')!
    const { session, requests } = await goOn(before, forkSession(before.folder, before.session.id, call.seq), [{ text: 'First done, otherwise.' }])
    expect(session.unfinished).toBe('task')
    expect(await session.goOn()).toMatchObject({ text: 'First done, otherwise.' })
    expect(requests[0]!.messages).toEqual(before.requests[1]!.messages)
  })

  it('of what is not there is refused in words', async () => {
    const before = await playTwo()
    expect(() => forkSession(before.folder, before.session.id, 999)).toThrow(/has no event 999/)
    expect(() => forkSession(before.folder, '../x', 1)).toThrow('no session ../x')
  })
})

test('replay:SESSION gives the replies of a session again', async () => {
  const before = await playTwo()
  const model = makeReplaying(before.session.id, before.folder)
  const { session, root, requests } = await play({ 'a.txt': 'one\ntwo\n' }, [], { answers: [true, 'not now'], model })
  expect(await session.runTask('do one')).toMatchObject({ text: 'First done.' })
  expect(await session.runTask('do two')).toMatchObject({ text: 'Second done.' })
  expect(readText(root, 'a.txt')).toBe('1\ntwo\n')
  expect(requests).toEqual([])
  expect(await session.runTask('more')).toMatchObject({ ending: 'failed', problem: { message: `replay:${before.session.id}: the session has no further reply` } })
})

test('going back at the terminal', { timeout: 20_000 }, async () => {
  const root = makeFolder({ 'a.txt': 'one\ntwo\n' })
  const state = makeFolder()
  const script = join(makeFolder({ 's.json': JSON.stringify({ replies: [{ calls: [call('fs-edit', { path: 'a.txt', old: 'one', new: '1' })] }, { text: 'One is done.' }, { text: 'Otherwise.' }] }) }), 's.json')
  const lines = await typeAt(
    `--model script:${script}`,
    [
      ['> ', 'do one\r'],
      ['write it?', 'y\r'],
      ['One is done.', ''],
      ['request', ''],
      ['> ', ',rewind\r'],
      ['  1  do one', ''],
      ['> ', ',rewind 1\r'],
      ['back to before: do one', ''],
      ['> do one', ' another way\r'],
      ['Otherwise.', ''],
      ['request', ''],
      ['> ', ',quit\r'],
    ],
    root,
    state,
  )
  expect(lines.join('\n')).toMatch(/this is session \w+ now; \w+ stays as it was/)
  expect(readText(root, 'a.txt')).toBe('one\ntwo\n')
  const [first, second] = listSessions(join(state, 'nodwyn', 'sessions'))
  expect(readSession(join(state, 'nodwyn', 'sessions'), second!).flatMap((event) => (event.type === 'input' && event.kind === 'task' ? [event.text] : []))).toEqual(['do one another way'])
  expect(readSession(join(state, 'nodwyn', 'sessions'), first!).at(-1)).toMatchObject({ type: 'session.end', reason: 'rewound' })
})
