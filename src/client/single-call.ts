// `nodwyn call`: one tool call as a model would make it, and what came of it.

import type { Event, Outcome, Passing } from '../session/event.ts'
import { outcomeText } from '../session/context.ts'
import type { Answer, Card } from '../session/person.ts'
import { exitOf, EXIT } from './exit-code.ts'
import { Headless } from './headless.ts'
import { openPlain, readInput } from './opening.ts'
import type { Common } from './program.ts'
import { askOnce } from './ask-once.ts'
import { stopOnSignals } from './signals.ts'

interface CallOptions extends Common {
  yes?: boolean
  json?: boolean
}

export async function call(tool: string, json: string | undefined, options: CallOptions): Promise<number> {
  const text = json === '-' ? await readInput() : (json ?? '{}')
  const attended = process.stdin.isTTY === true && json !== '-'
  const witness = new Witness()
  const session = await openPlain(options, witness, attended, tool)
  const release = stopOnSignals(session)
  try {
    const outcome = await session.callAsModel(tool, text)
    if (options.json) process.stdout.write(`${JSON.stringify(witness.report(outcome))}\n`)
    else (outcome.ok ? process.stdout : process.stderr).write(`${outcomeText(outcome).replace(/\n?$/, '\n')}`)
    return outcome.ok ? EXIT.done : exitOf(outcome.kind)
  } finally {
    release()
    session.close('done')
  }
}

/** Keeps what is said of the one call, and shows the person no more than the card. */
class Witness extends Headless {
  private call: Extract<Event, { type: 'tool.call' }> | null = null
  private diff: string | null = null

  override event(event: Event): void {
    if (event.type === 'tool.call') this.call = event
    if (event.type === 'note') super.event(event)
  }
  override passing(passing: Passing): void {
    if (passing.type === 'diff') this.diff = passing.diff
  }
  override confirm(card: Card): Promise<Answer> {
    return askOnce(card)
  }

  report(outcome: Outcome): object {
    return {
      ok: outcome.ok,
      text: outcomeText(outcome),
      error: outcome.ok ? null : { kind: outcome.error, message: outcome.message },
      verdict: this.call?.verdict ?? null,
      findings: this.call?.findings ?? [],
      form: this.call?.form ?? null,
      diff: this.diff,
    }
  }
}
