// `nodwyn undo`: takes back the last change in this directory, or the last one of a file.

import { outcomeText } from '../session/context.ts'
import { askOnce } from './ask-once.ts'
import { EXIT, exitOf } from './exit-code.ts'
import { Silent } from './headless.ts'
import { openPlain } from './opening.ts'
import type { Common } from './program.ts'
import { undoLast } from './undo.ts'

export async function undo(path: string | undefined, options: Common & { yes?: boolean }): Promise<number> {
  const person = Object.assign(new Silent(), { confirm: askOnce })
  const session = await openPlain(options, person, process.stdin.isTTY === true)
  const outcomes = await undoLast(session, path ?? null)
  session.close('done')
  if (outcomes.length === 0) {
    process.stderr.write('nothing was changed here\n')
    return EXIT.failed
  }
  for (const outcome of outcomes) (outcome.ok ? process.stdout : process.stderr).write(`${outcomeText(outcome)}\n`)
  const failed = outcomes.find(({ ok }) => !ok)
  return failed && !failed.ok ? exitOf(failed.kind) : EXIT.done
}
