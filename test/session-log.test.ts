// Runs every scenario in test/session and compares the log it writes with the .log file beside it, in
// which only times, ids and hashes of the machine's own paths are left out. A log that changes is a
// specification that changes: `NODWYN_ACCEPT=1` writes it anew, to be read in review.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Event } from '../src/session/event.ts'
import { readLog } from '../src/session/log.ts'
import { play, type ScriptedReply } from './help.ts'

interface Scenario {
  task: string
  files: Record<string, string>
  replies: ScriptedReply[]
  answers: (boolean | string)[]
}

const FOLDER = join(import.meta.dirname, 'session')
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

it.each(names)('%s writes its log', async (name) => {
  const { task, files, replies, answers } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Scenario
  const { session, state, root } = await play(files, replies, { answers })
  await session.runTask(task)
  session.close('done')
  const got = readLog(join(state, 'sessions', `${session.id}.jsonl`)).map((event) => line(event, session.id, root))
  const file = join(FOLDER, name.replace('.json', '.log'))
  if (process.env['NODWYN_ACCEPT']) writeFileSync(file, got.join(''))
  expect(got.join('')).toBe(readFileSync(file, 'utf8'))
})

function line(event: Event, session: string, root: string): string {
  const kept = { ...event, t: 'T', ...('ms' in event ? { ms: 0 } : {}), ...('prefix_sha256' in event ? { prefix_sha256: 'H', tools_sha256: 'H' } : {}) }
  return `${JSON.stringify(kept).replaceAll(session, 'S').replaceAll(root, 'ROOT')}\n`
}
