// A program that runs a session and kills itself: after the event N of its log was written, or before event N
// is. Arguments: root, state, model script, strategy, "after" or "before", N.

import { resolveModel } from '../src/model/resolve.ts'
import { defaultConfig } from '../src/session/config.ts'
import { Log } from '../src/session/log.ts'
import type { Person } from '../src/session/person.ts'
import { createSession } from '../src/session/session.ts'

const [root = '', state = '', script = '', strategy = '', when = '', n = ''] = process.argv.slice(2)

const append = Log.prototype.append
let events = 0
Log.prototype.append = function (ctx, body) {
  if (when === 'before' && events === Number(n)) process.kill(process.pid, 'SIGKILL')
  const event = append.call(this, ctx, body)
  if (when === 'after' && events === Number(n)) process.kill(process.pid, 'SIGKILL')
  events++
  return event
}

const person: Person = {
  event() {},
  passing() {},
  confirm: () => Promise.resolve({ yes: true, reason: '' }),
  ask: () => Promise.resolve(''),
}
const model = await resolveModel(`script:${script}`)
const session = await createSession({ cwd: root, state, config: defaultConfig(), model, person, attended: true, consent: 'ask', strategy })
await session.runTask('work')
session.close('done')
await model.close?.()
