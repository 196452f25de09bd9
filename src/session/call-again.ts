// A call that stands in the log, while a session is resumed: its outcome as it was. Where the program ended
// while it was under way, what is known decides: what cannot have happened is done now, what was written is
// not written again, and of what may have happened the caller is told so. No effect happens twice.

import { fromPlain } from '../tool/json.ts'
import type { Prim } from '../tool/prim.ts'
import { readEntry } from '../tool/entry.ts'
import { invoke, type Door, type Use } from './call.ts'
import { outcomeText, sha256 } from './context.ts'
import type { Event, Outcome } from './event.ts'
import type { PastCall } from './replay.ts'

export async function invokeAgain(use: Use, past: PastCall, door: Door): Promise<Outcome> {
  const prim = door.tools.find(use.name)
  if (past.result) {
    const outcome = outcomeOf(past.result, use.name)
    if (prim?.readOnly) rememberRead(past.result, door)
    return outcome
  }
  const same = { ...use, id: past.call.id }
  const settled = await settle(past, prim, door)
  if (!settled) return invoke(same, door, past.call)
  door.record(use.ctx, { type: 'tool.result', id: same.id, ok: settled.ok, text: outcomeText(settled), error: settled.ok ? null : { kind: settled.error, message: settled.message }, ms: 0, labels: [...use.labels] })
  return { ...settled, labels: [...use.labels] }
}

/** What was read before the program ended is known to the guard again. */
export function rememberRead({ ok, value, text, labels }: Extract<Event, { type: 'tool.result' }>, { guard }: Pick<Door, 'guard'>): void {
  if (ok) guard.rememberRead(typeof value === 'string' ? value : text, labels)
}

/** Null: it has not happened, or is without effect. */
async function settle({ call, confirm, edits }: PastCall, prim: Prim | undefined, { workspace }: Door): Promise<Outcome | null> {
  if (!prim || prim.readOnly || call.verdict === null) return null
  if (confirm?.answer === 'no') return failed('refused', 'denied', `${call.name}: refused by the person${confirm.reason === undefined ? '' : `: ${confirm.reason}`}`)
  if (!prim.plan) {
    if (call.verdict !== 'allow' && !confirm) return null
    return failed('failed', 'other', `${call.name}: nobody knows whether this was done: the program ended while it was under way`, 'look at what there is before it is done again')
  }
  if (edits.length === 0) return null
  const now = await Promise.all(edits.map(async ({ path }) => readEntry(workspace, path).then((entry) => entry && sha256(entry.bytes))))
  if (edits.every(({ before }, i) => now[i] === before)) return null
  if (edits.every(({ after }, i) => now[i] === after)) {
    const text = `${call.name}: written: ${edits.map(({ path }) => path).join(', ')} (the program ended before it said so)`
    return { ok: true, text, value: text, labels: [] }
  }
  const written = edits.filter(({ after }, i) => now[i] === after).map(({ path }) => path)
  const others = edits.filter(({ after }, i) => now[i] !== after).map(({ path }) => path)
  const what = [written.length > 0 ? `written: ${written.join(', ')}` : '', `not as planned: ${others.join(', ')}`].filter(Boolean).join('; ')
  return failed('failed', 'changed-on-disk', `${call.name}: the program ended while it wrote; ${what}`, 'read the files again')
}

function failed(kind: 'refused' | 'failed', error: string, message: string, help: string | null = null): Outcome {
  return { ok: false, kind, error, message, help, labels: [] }
}

const KINDS: Record<string, 'misuse' | 'refused' | 'stopped'> = { contract: 'misuse', denied: 'refused', cancelled: 'stopped' }

/** What a program is given of a result in the log. */
export function outcomeOf({ ok, text, value, error, labels }: Extract<Event, { type: 'tool.result' }>, name: string): Outcome {
  if (ok) return { ok, text, value: value === undefined ? text : fromPlain(value), labels }
  const { kind, message } = error ?? { kind: 'other', message: `${name}: ${text}` }
  const help = text.startsWith(`${message}\nhelp: `) ? text.slice(`${message}\nhelp: `.length) : null
  return { ok, kind: KINDS[kind] ?? 'failed', error: kind, message, help, labels }
}
