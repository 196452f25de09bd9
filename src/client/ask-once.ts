// One confirm on a terminal, for a command that is no conversation. Everything goes to standard error:
// standard output is the command's result.

import { createInterface } from 'node:readline/promises'
import type { Answer, Card } from '../session/person.ts'
import { alwaysLines, cardPages, isAlways, question, readAlways, readAnswer, WHICH_ALWAYS } from './card.ts'
import { colorsFor } from './colour.ts'
import { shortForm } from './short-form.ts'
import { visible } from './visible.ts'

export async function askOnce(card: Card): Promise<Answer> {
  const colors = colorsFor(process.stderr)
  if (card.kind === 'security') for (const { reason } of card.reasons) process.stderr.write(`${colors.yellow(visible(reason))}\n`)
  process.stderr.write(`${visible(shortForm(card.form))}\n${cardPages(card, colors, Infinity).join('\n')}\n`)
  await dropEarlyKeys()
  const readline = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (;;) {
      const line = await readline.question(question(card))
      if (isAlways(line, card)) process.stderr.write(`${alwaysLines(card).join('\n')}\n`)
      const answer = isAlways(line, card) ? readAlways(await readline.question(WHICH_ALWAYS), card) : readAnswer(line)
      if (answer) return answer
    }
  } finally {
    readline.close()
  }
}

/** What was typed before the card was drawn is no answer to it. Raw, since a terminal keeps a line that
 * has no end yet to itself. */
async function dropEarlyKeys(): Promise<void> {
  const drop = (): void => {}
  process.stdin.setRawMode?.(true)
  process.stdin.on('data', drop)
  await new Promise((resolve) => setTimeout(resolve, 30))
  process.stdin.off('data', drop)
  process.stdin.pause()
  process.stdin.setRawMode?.(false)
}
