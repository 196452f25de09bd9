// A confirm to the text a person decides by, and what they typed to their answer. The order is the
// reason, the call, the diff; all of the diff has to have been on the screen before an answer counts.

import type { Offer } from '../session/approval.ts'
import type { Answer, Card } from '../session/person.ts'
import type { Colors } from './colour.ts'
import { diffText, substanceFirst } from './diff-text.ts'
import { visible } from './visible.ts'

/** The card in pages of so many lines; the last one is the one that is answered. The call itself stands
 * in the transcript just above. */
export function cardPages(card: Card, colors: Colors, rows: number, columns = Infinity): string[] {
  const lines = [...reasonLines(card, colors), ...diffLines(card, colors)].flatMap((line) => screenLines(line, columns))
  const pages: string[] = []
  for (let i = 0; i < lines.length; i += rows) pages.push(lines.slice(i, i + rows).join('\n'))
  return pages.length === 0 ? [''] : pages
}

/** A line as the lines of a screen that it takes: a page holds no more than can be seen at once. */
function screenLines(line: string, columns: number): string[] {
  const [, open = '', text = '', close = ''] = /^((?:\u001b\[\d+m|\s)*)(.*?)((?:\u001b\[\d+m)*)$/s.exec(line)!
  // Letters of some scripts take two places.
  const width = Math.max(20, /^[ -~]*$/.test(text) ? columns - 2 : Math.floor(columns / 2) - 1)
  if (text.length <= width) return [line]
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + width)
    const whole = /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece
    pieces.push(`${open}${whole}${close}`)
    at += whole.length
  }
  return pieces
}

/** A security confirm's reasons stand above the call already. */
function reasonLines({ kind, reasons }: Card, { yellow, dim }: Colors): string[] {
  if (kind === 'security') return [yellow('  a security confirm: nothing but your answer lets it through')]
  // That a tool changes files, or runs a program, is plain from the call.
  const said = reasons.filter(({ rule }) => rule !== 'effect').map(({ reason }) => visible(reason))
  return [...new Set(said)].map((reason) => dim(`  ${reason}`))
}

function diffLines({ diff }: Card, colors: Colors): string[] {
  if (diff === null || diff === '') return []
  return diffText(substanceFirst(diff), colors).split('\n').map((line) => `  ${line}`)
}

export function question({ diff, kind, offers }: Card): string {
  const what = diff === null ? 'run it' : 'write it'
  return `${kind === 'security' ? `${what} all the same` : what}? y, n, or n and why${offers.length > 0 ? ', a for always' : ''}: `
}

/** What "always" may mean, one line each with its number. */
export function alwaysLines({ offers }: Card): string[] {
  return choices(offers).map(({ offer, scope }, i) => `  ${i + 1}  ${visible(offer.text)}, ${scope === 'session' ? 'in this session' : 'in this project from now on'}`)
}

export const WHICH_ALWAYS = 'which? a number, or Enter for none: '

/** Null where it is none of them: then the card is asked again. */
export function readAlways(line: string, { offers }: Card): Answer | null {
  const always = choices(offers)[Number(line.trim()) - 1]
  return always ? { yes: true, reason: '', always } : null
}

function choices(offers: Offer[]): NonNullable<Answer['always']>[] {
  return (['session', 'project'] as const).flatMap((scope) => offers.map((offer) => ({ offer, scope })))
}

/** Whether a line asks for what "always" may mean. */
export function isAlways(line: string, { offers }: Card): boolean {
  return offers.length > 0 && /^(a|always)$/i.test(line.trim())
}

/** Null where it is neither yes nor no. Anything may follow the no: it is the reason. */
export function readAnswer(line: string): Answer | null {
  const text = line.trim()
  if (/^(y|yes)$/i.test(text)) return { yes: true, reason: '' }
  const no = /^(?:no|n)(?:[\s,:]+([\s\S]*))?$/i.exec(text)
  return no ? { yes: false, reason: no[1]?.trim() ?? '' } : null
}
