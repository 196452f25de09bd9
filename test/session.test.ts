// Sessions whole: the strategies in Scheme, the door, the log, over real folders.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultConfig } from '../src/session/config.ts'
import type { Event } from '../src/session/event.ts'
import { readLog } from '../src/session/log.ts'
import { complaintOf, valueText } from '../src/session/report.ts'
import { makeFolder, play, readText, type Played } from './help.ts'

/** What happened, a word an event. */
function words(events: readonly Event[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'tool.call':
        return `call ${event.name} ${event.verdict}`
      case 'tool.result':
        return event.ok ? 'ok' : `not ok: ${event.error!.kind}`
      case 'confirm':
        return `${event.kind} ${event.answer} by ${event.by}`
      case 'edit':
        return `edit ${event.path} ${event.edits}`
      case 'note':
        return `${event.level}: ${event.text}`
      default:
        return event.type
    }
  })
}

function results({ events }: Played): string[] {
  return events.filter((event) => event.type === 'tool.result').map(({ text }) => text)
}

const THREE = { 'a.txt': 'one\ntwo\nthree\n' }
const TWO_EDITS = { path: 'a.txt', edits: [{ old: 'one', new: '1' }, { old: 'three', new: '3' }] }

describe('a task', () => {
  it('runs until a reply has no calls, and logs all of it', async () => {
    const played = await play(THREE, [{ text: 'I look.', calls: [['fs-read', { path: 'a.txt' }]] }, { text: 'Done.' }])
    expect(await played.session.runTask('look')).toEqual({ ending: 'answer', text: 'Done.', check: 'none', problem: null })
    played.session.close('done')
    expect(words(played.events)).toEqual([
      'session.start', 'input', 'llm.req', 'llm.resp', 'call fs-read allow', 'ok', 'llm.req', 'llm.resp', 'input.end', 'session.end',
    ])
    const [file] = readdirSync(join(played.state, 'sessions'))
    expect(readLog(join(played.state, 'sessions', file!))).toEqual(played.events)
    expect(played.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('sends the same tools and the same beginning in every request', async () => {
    const { session, requests, events } = await play(THREE, [{ calls: [['fs-read', { path: 'a.txt' }]] }, { text: 'x' }, { text: 'y' }])
    await session.runTask('first')
    await session.runTask('second')
    expect(requests.map(({ messages }) => messages.map(({ from }) => from).join(' '))).toEqual([
      'host person',
      'host person model tool',
      'host person model tool model person',
    ])
    for (const { tools, messages } of requests) {
      expect(JSON.stringify(tools)).toBe(JSON.stringify(requests[0]!.tools))
      expect(messages[0]).toEqual(requests[0]!.messages[0])
    }
    const hashes = events.filter((event) => event.type === 'llm.req').map(({ tools_sha256, prefix_sha256 }) => tools_sha256 + prefix_sha256)
    expect(new Set(hashes).size).toBe(1)
    expect(events.some(({ type }) => type === 'note')).toBe(false)
  })

  it('tells a model without a server as an ending, and keeps the talk', async () => {
    const { session } = await play(THREE, [], { model: null })
    expect(await session.runTask('x')).toEqual({
      ending: 'failed', text: '', check: 'none',
      problem: { message: 'no model is set', help: 'give one with --model ollama:NAME, or set model in the configuration' },
    })
  })

  it('ends at the limit of requests', async () => {
    const config = defaultConfig()
    config.limits.requests = 2
    const again = { calls: [['fs-read', { path: 'a.txt' }]] as [string, unknown][] }
    const { session, requests } = await play(THREE, [again, again, again], { config })
    expect(await session.runTask('x')).toMatchObject({ ending: 'limit', problem: { message: 'the limit of 2 requests is reached' } })
    expect(requests).toHaveLength(2)
  })
})

describe('the calls of a reply', () => {
  it('get as many outcomes in their order, also where one is refused, unknown or wrong', async () => {
    const played = await play(
      THREE,
      [
        {
          calls: [
            ['fs-edit', { path: 'a.txt', old: 'one', new: '1' }],
            ['fs-edti', { path: 'a.txt' }],
            ['fs-edit', '{"path": "a.txt", "path": "b.txt"}'],
            ['fs-edit', { path: 'a.txt', old: 'two', new: '2' }],
          ],
        },
        { text: 'x' },
      ],
      { answers: ['keep the first line', true] },
    )
    await played.session.runTask('x')
    const tools = played.requests[1]!.messages.filter(({ from }) => from === 'tool')
    expect(tools.map((message) => (message as { id: string }).id)).toEqual(['c10', 'c11', 'c12', 'c13'])
    expect(results(played).slice(0, 2)).toEqual([
      'fs-edit: refused by the person: keep the first line',
      'unknown tool fs-edti\nhelp: did you mean fs-edit',
    ])
    expect(played.events.filter((event) => event.type === 'tool.result').map(({ ok }) => ok)).toEqual([false, false, false, true])
    expect(readText(played.root, 'a.txt')).toBe('one\n2\nthree\n')
  })

  it('are judged in the world as it then is', async () => {
    const { session, events, root } = await play(
      THREE,
      [{ calls: [['fs-edit', { path: 'a.txt', old: 'one', new: '1' }], ['fs-edit', { path: 'a.txt', old: '1', new: 'I' }]] }, { text: 'x' }],
      { answers: [true, true] },
    )
    await session.runTask('x')
    expect(words(events).slice(4, 12)).toEqual([
      'call fs-edit confirm', 'ordinary yes by person', 'edit a.txt 1', 'ok',
      'call fs-edit confirm', 'ordinary yes by person', 'edit a.txt 1', 'ok',
    ])
    expect(readText(root, 'a.txt')).toBe('I\ntwo\nthree\n')
  })

  it('with two edits ask once with one diff', async () => {
    const { session, cards, events, root } = await play(THREE, [{ calls: [['fs-edit', TWO_EDITS]] }, { text: 'x' }], { answers: [true] })
    await session.runTask('x')
    expect(cards).toHaveLength(1)
    expect(cards[0]!.form).toBe(
      '(fs-edit "a.txt" "" "" #f ((("old" . "one") ("new" . "1")) (("old" . "three") ("new" . "3"))))',
    )
    const changed = cards[0]!.diff!.split('\n').filter((line) => /^[-+]/.test(line) && !/^(---|\+\+\+)/.test(line))
    expect(changed).toEqual(['-one', '+1', '-three', '+3'])
    expect(words(events).filter((word) => word.startsWith('edit'))).toEqual(['edit a.txt 2'])
    expect(readText(root, 'a.txt')).toBe('1\ntwo\n3\n')
  })

  it('run side by side where all of them only read', async () => {
    const { session, events } = await play({ ...THREE, 'b.txt': 'b' }, [
      { calls: [['fs-read', { path: 'a.txt' }], ['fs-read', { path: 'b.txt' }]] },
      { text: 'x' },
    ])
    await session.runTask('x')
    expect(words(events).slice(4, 6)).toEqual(['call fs-read allow', 'call fs-read allow'])
  })

  it('that fail say which edit of how many', async () => {
    const { session, events } = await play(THREE, [
      { calls: [['fs-edit', { path: 'a.txt', edits: [{ old: 'one', new: '1' }, { old: 'four', new: '4' }] }]] },
      { text: 'x' },
    ])
    await session.runTask('x')
    const result = events.find((event) => event.type === 'tool.result')!
    expect(result.error).toMatchObject({ kind: 'not-found', edit: 2, of: 2 })
    expect(result.text).toMatch(/^fs-edit: edit 2 of 2 failed, so nothing was written/)
  })
})

describe('nobody there', () => {
  it('answers ordinary confirms by policy where that was asked for', async () => {
    const { session, events } = await play(THREE, [{ calls: [['fs-edit', TWO_EDITS]] }, { text: 'x' }], { attended: false, consent: 'yes' })
    await session.runTask('x')
    expect(words(events)).toContain('ordinary yes by policy')
  })

  it('refuses what needs a confirm otherwise, and says so to the model', async () => {
    const played = await play(THREE, [{ calls: [['fs-edit', TWO_EDITS]] }, { text: 'x' }], { attended: false })
    await played.session.runTask('x')
    expect(results(played)[0]).toMatch(/^fs-edit: refused: .*, and nobody is there to confirm it$/)
    expect(readText(played.root, 'a.txt')).toBe('one\ntwo\nthree\n')
  })

  it('refuses what needs a security confirm, whatever was asked for', async () => {
    const played = await play(THREE, [{ calls: [['fs-write', { path: '.husky/pre-commit', content: 'x\n' }]] }, { text: 'x' }], {
      attended: false,
      consent: 'yes',
    })
    await played.session.runTask('x')
    expect(results(played)[0]).toMatch(/^fs-write: refused: /)
    expect(readdirSync(played.root)).toEqual(['a.txt'])
  })
})

describe('the check', () => {
  const check = ['grep', '-q', '3', 'a.txt']
  const config = { ...defaultConfig(), check, grants: [{ kind: 'exec' as const, argv: ['grep'] }] }

  it('runs after edits, gives a failure back, and ends when it passes', async () => {
    const { session, requests, events } = await play(
      THREE,
      [
        { calls: [['fs-edit', { path: 'a.txt', old: 'one', new: '1' }]] },
        { text: 'Done.' },
        { calls: [['fs-edit', { path: 'a.txt', old: 'three', new: '3' }]] },
        { text: 'Now.' },
      ],
      { config, answers: [true, true] },
    )
    expect(await session.runTask('x')).toEqual({ ending: 'answer', text: 'Now.', check: 'passed', problem: null })
    expect(requests[2]!.messages.at(-1)).toMatchObject({ from: 'person' })
    expect(words(events).at(-2)).toBe('info: check passed: grep -q 3 a.txt')
  })

  it('gives up after its rounds', async () => {
    const edit = (old: string, text: string) => ({ calls: [['fs-edit', { path: 'a.txt', old, new: text }]] as [string, unknown][] })
    const { session } = await play(THREE, [edit('one', '1'), { text: 'a' }, edit('1', 'I'), { text: 'b' }], {
      config: { ...config, limits: { ...config.limits, checkRounds: 1 } },
      answers: [true, true],
    })
    expect(await session.runTask('x')).toMatchObject({ ending: 'answer', text: 'b', check: 'failed' })
  })

  it('stays failed where the model edits nothing more', async () => {
    const { session } = await play(THREE, [{ calls: [['fs-edit', { path: 'a.txt', old: 'one', new: '1' }]] }, { text: 'a' }, { text: 'b' }], {
      config,
      answers: [true],
    })
    expect(await session.runTask('x')).toMatchObject({ text: 'b', check: 'failed' })
  })

  it('does not run where nothing was edited', async () => {
    const { session, events } = await play(THREE, [{ text: 'Nothing to do.' }], { config })
    expect(await session.runTask('x')).toMatchObject({ check: 'none' })
    expect(words(events)).not.toContain('call exec allow')
  })
})

describe('Scheme of a person', () => {
  it('calls tools by position, asked nothing more', async () => {
    const { session, events, root } = await play(THREE, [])
    expect(valueText(await session.evaluate('(fs-read "a.txt")'))).toBe('"one\\ntwo\\nthree\\n"')
    await session.evaluate('(fs-edit "a.txt" "two" "2")')
    expect(readText(root, 'a.txt')).toBe('one\n2\nthree\n')
    expect(words(events)).toContain('edit a.txt 1')
  })

  it('gets a failure as a condition that it can handle', async () => {
    const { session } = await play({ 'a.txt': 'x\ny\nx\n' }, [])
    const message =
      'fs-edit: old occurs 2 times in a.txt (lines 1, 3), so it is not unique; give more of the text around the place, or set replace_all to true'
    const error = await session.evaluate('(fs-edit "a.txt" "x" "z")').catch((thrown: unknown) => thrown)
    expect(complaintOf(error)).toMatchObject({
      message: `repl:1:1: ${message}`,
      excerpt: '(fs-edit "a.txt" "x" "z")\n^',
    })
    const handled = await session.evaluate('(guard (e (#t (error-object-message e))) (fs-edit "a.txt" "x" "z"))')
    expect(handled).toBe(message)
  })

  it('can change the loop while the session runs', async () => {
    const { session, requests } = await play(THREE, [{ text: 'plain' }])
    await session.evaluate('(define (perform-batch calls) (map perform calls))')
    await session.evaluate(`
      (define (run-task task)
        (list (complete (context-add (make-context "mine" "Be brief.") (person-message task))) 'none))`)
    expect(await session.runTask('hello')).toMatchObject({ text: 'plain' })
    expect(requests[0]!.messages).toEqual([{ from: 'host', text: 'Be brief.' }, { from: 'person', text: 'hello' }])
  })
})

describe('an interrupt', () => {
  it('stops the tool under way within the moment; the calls after it end as stopped, and the session goes on', async () => {
    const config = { ...defaultConfig(), grants: [{ kind: 'exec' as const, argv: ['sleep'] }] }
    const played = await play(
      THREE,
      [{ calls: [['exec', { argv: ['sleep', '20'] }], ['fs-read', { path: 'a.txt' }]] }, { text: 'again' }],
      { config, answers: [true] },
    )
    const began = performance.now()
    const running = played.session.runTask('x')
    setTimeout(() => played.session.interrupt(), 300)
    expect(await running).toMatchObject({ ending: 'stopped', check: 'none' })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(results(played)).toEqual(['exec: stopped by the person', 'fs-read: stopped by the person'])
    expect(await played.session.runTask('y')).toMatchObject({ ending: 'answer', text: 'again' })
    expect(played.requests[1]!.messages.map(({ from }) => from)).toEqual(['host', 'person', 'model', 'tool', 'tool', 'person'])
  })

  it('ends a program that does not end by itself', async () => {
    const { session } = await play(THREE, [])
    const running = session.evaluate('(let loop () (loop))').catch((thrown: unknown) => thrown)
    setTimeout(() => session.interrupt(), 20)
    expect(complaintOf(await running)).toMatchObject({ kind: 'stopped', message: 'stopped by the person' })
    expect(valueText(await session.evaluate('(+ 1 2)'))).toBe('3')
  })
})

describe('a strategy of one’s own', () => {
  it('is loaded from a file after the loop', async () => {
    const strategy = join(makeFolder({ 's.scm': '(define (run-task task) (complete (context-add talk (person-message "twice"))))' }), 's.scm')
    const { session, requests } = await play(THREE, [{ text: 'x' }], { strategy })
    await session.runTask('once')
    expect(requests[0]!.messages.at(-1)).toEqual({ from: 'person', text: 'twice' })
  })
})

describe('a model that goes round in circles', () => {
  const read = { calls: [['fs-read', { path: 'a.txt' }]] as [string, unknown][] }
  const told = (played: Played) => played.requests.map(({ messages }) => messages.some((message) => message.from === 'person' && message.text.startsWith('The same call of fs-read')))

  it('is told so after the third time, and so is the person', async () => {
    const played = await play({ 'a.txt': 'x' }, [read, read, read, { text: 'I see.' }])
    await played.session.runTask('look')
    expect(told(played)).toEqual([false, false, false, true])
    expect(played.events.flatMap((event) => (event.type === 'note' ? [event.text] : []))).toEqual([
      'The same call of fs-read has now given the same result three times. Once more will not change that: try something else, or say what stands in the way.',
    ])
  })

  it('is not told so where something changed in between, or the result is another', async () => {
    const write = (content: string) => ({ calls: [['fs-write', { path: 'b.txt', content }]] as [string, unknown][] })
    const played = await play({ 'a.txt': 'x' }, [read, read, write('1'), read, read, { text: 'Done.' }], { answers: [true] })
    await played.session.runTask('look')
    expect(told(played)).toEqual([false, false, false, false, false, false])
  })
})
