// How long it takes to resume a session: one that is made here, of so many events, is replayed in a new engine.
// `node bench/resume.ts [EVENTS]`

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../src/model/talk.ts'
import { defaultConfig } from '../src/session/config.ts'
import { pastSession } from '../src/session/past.ts'
import type { Person } from '../src/session/person.ts'
import { createSession } from '../src/session/session.ts'

const wanted = Number(process.argv[2] ?? 1000)
const folder = mkdtempSync(join(tmpdir(), 'nodwyn-resume-'))
const root = mkdtempSync(join(tmpdir(), 'nodwyn-resume-root-'))
writeFileSync(join(root, 'a.txt'), 'a line\n'.repeat(100))

/** Reads again and again, another line each time. */
const model: Model = {
  name: 'script:bench',
  window: null,
  complete: ({ messages }) => {
    const n = messages.filter(({ from }) => from === 'model').length
    const calls = n * 4 > wanted ? [] : [{ id: `c${n}`, name: 'fs-read', argumentsText: JSON.stringify({ path: 'a.txt', start: (n % 90) + 1 }) }]
    return Promise.resolve({ text: 'x', thinking: '', calls, usage: { promptTokens: 1, cachedTokens: null, completionTokens: 1 }, promptEvalMs: null, evalMs: null, stop: 'stop', warnings: [] })
  },
}
const person: Person = { event() {}, passing() {}, confirm: () => Promise.resolve({ yes: false, reason: '' }), ask: () => Promise.resolve('') }
const config = defaultConfig()
config.limits.requests = Infinity
const options = { cwd: root, config, model, person, attended: true, consent: 'ask', strategy: null, state: folder } as const

const first = await createSession(options)
await first.runTask('read')
first.close('done')
const began = performance.now()
const past = pastSession(join(folder, 'sessions'), first.id)
const read = performance.now()
const fresh = await createSession(options)
const made = performance.now()
const second = await createSession({ ...options, past })
const ended = performance.now()
for (const session of [fresh, second]) session.close('done')
process.stdout.write(`${past.events.length} events: read in ${(read - began).toFixed(0)} ms, replayed in ${(ended - made - (made - read)).toFixed(0)} ms beside the ${(made - read).toFixed(0)} ms that any session takes to open\n`)
for (const one of [folder, root]) rmSync(one, { recursive: true })
