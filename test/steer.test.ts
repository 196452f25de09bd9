// What a person types while the agent works.

import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import type { Model, Reply } from '../src/model/talk.ts'
import { pastSession } from '../src/session/past.ts'
import { makeFolder, play, type ScriptedReply } from './help.ts'
import { typeAt } from './terminal.ts'

const reply = (part: Partial<Reply>): Reply => ({
  text: '', thinking: '', calls: [], usage: { promptTokens: 1, cachedTokens: null, completionTokens: 1 }, promptEvalMs: null, evalMs: null, stop: 'stop', warnings: [], ...part,
})

/** A model that says the steps' replies, each made when it is asked. */
function steered(steps: ((said: string[], signal: AbortSignal) => Reply | Promise<Reply>)[]): Model {
  return { name: 'script:test', window: null, complete: async ({ messages }, _onDelta, signal) => steps.shift()!(messages.map(({ text }) => text), signal) }
}

const readCall = { id: 'c1', name: 'fs-read', argumentsText: '{"path":"a.txt"}' }

it('goes with the next request, after the results of the calls', async () => {
  let asked: string[] = []
  const { session, events } = await play({ 'a.txt': 'one' }, [], {
    model: steered([
      () => {
        expect(session.steer('look at b too')).toBe(true)
        return reply({ calls: [readCall] })
      },
      (said) => {
        asked = said
        return reply({ text: 'Done.' })
      },
    ]),
  })
  expect(await session.runTask('look')).toMatchObject({ ending: 'answer', text: 'Done.' })
  expect(asked.slice(1)).toEqual(['look', '', '     1\tone', 'look at b too'])
  expect(events.filter(({ type }) => type === 'steer')).toMatchObject([{ text: 'look at b too', at_once: false }])
})

it('that comes with the answer is answered too', async () => {
  const { session } = await play({}, [], {
    model: steered([
      () => {
        session.steer('and why?')
        return reply({ text: 'It is so.' })
      },
      (said) => reply({ text: `Because of ${said.length}.` }),
    ]),
  })
  expect(await session.runTask('say')).toMatchObject({ text: 'Because of 4.' })
})

it('at once cuts a reply short, and the conversation goes on with it', async () => {
  let asked: string[] = []
  const { session, events } = await play({}, [], {
    model: steered([
      (_said, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          setTimeout(() => session.steer('the other file', true), 5)
        }),
      (said) => {
        asked = said
        return reply({ text: 'Done.' })
      },
    ]),
  })
  expect(await session.runTask('go')).toMatchObject({ ending: 'answer', text: 'Done.' })
  expect(asked.slice(1)).toEqual(['go', 'the other file'])
  expect(events.filter((event) => event.type === 'llm.resp').map(({ stop }) => stop)).toEqual(['steered', 'stop'])
  expect(events.at(-1)).toMatchObject({ type: 'input.end', ending: 'done' })
})

it('at once ends the call under way and those of the same reply that were not made yet', async () => {
  const sleep = { id: 'c1', name: 'exec', argumentsText: '{"argv":["sleep","5"]}' }
  const write = { id: 'c2', name: 'fs-write', argumentsText: '{"path":"b.txt","content":"b"}' }
  const { session, events } = await play({}, [], {
    consent: 'yes',
    model: steered([
      () => {
        setTimeout(() => session.steer('not that', true), 150)
        return reply({ calls: [sleep, write] })
      },
      (said) => reply({ text: said.at(-1)! }),
    ]),
  })
  expect(await session.runTask('go')).toMatchObject({ ending: 'answer', text: 'not that' })
  expect(events.filter((event) => event.type === 'tool.result').map(({ id, error }) => `${id} ${error?.kind}`)).toEqual(['c1 cancelled', 'c2 cancelled'])
})

it('is left where no task is done, and comes after one that ended without it', async () => {
  const { session } = await play({}, [], { model: steered([() => reply({ text: 'x' })]) })
  expect(session.steer('too early')).toBe(false)
  await session.runTask('a')
  expect(session.untaken()).toEqual([])
})

it('comes at the same place when the session is resumed', async () => {
  const before = await play({ 'a.txt': 'one' }, [], {
    model: steered([
      () => reply({ calls: [readCall] }),
      () => {
        before.session.steer('and shorter')
        return reply({ text: 'Done.' })
      },
      () => reply({ text: 'Short.' }),
    ]),
  })
  await before.session.runTask('look')
  before.session.close('done')
  const replies: ScriptedReply[] = [{ text: 'More.' }]
  const { session, requests } = await play({}, replies, { cwd: before.root, state: before.state, past: pastSession(join(before.state, 'sessions'), before.session.id) })
  await session.runTask('more')
  expect(requests[0]!.messages.map(({ text }) => text).slice(1)).toEqual(['look', '', '     1\tone', 'Done.', 'and shorter', 'Short.', 'more'])
})

test('typed at the terminal: with Enter for the next request, with ! at once', { timeout: 20_000 }, async () => {
  const script = { delay: 30, replies: [{ text: 'one two three four five six seven eight nine ten' }, { text: 'Heard.', when: 'also this' }, { text: `${'slow '.repeat(200)}end` }, { text: 'Turned.', when: 'turn' }] }
  const file = join(makeFolder({ 's.json': JSON.stringify(script) }), 's.json')
  const lines = await typeAt(`--model script:${file}`, [
    ['> ', 'go\r'],
    ['two', 'also this\r'],
    ['» also this', ''],
    ['Heard.', ''],
    ['2 requests', ''],
    ['> ', 'again\r'],
    ['slow', '! turn\r'],
    ['» turn', ''],
    ['Turned.', ''],
    ['4 requests', ''],
    ['> ', ',quit\r'],
  ])
  const text = lines.join('\n')
  expect(text).toContain('» also this  with the next request')
  expect(text).toContain('» turn  at once')
  expect(text).not.toContain('end')
})
