// What a session needs of whoever sits at the other side: eyes for events, and answers to two kinds of
// questions. A client implements it; the session neither knows how things are drawn nor by whom.

import type { Offer, Scope } from './approval.ts'
import type { Event, Finding, Passing } from './event.ts'

/** The question before a call goes on. It is asked once a call, with everything the answer rests on. */
export interface Card {
  id: string
  name: string
  kind: 'ordinary' | 'security'
  /** The findings that ask for it, the gravest first. */
  reasons: Finding[]
  /** The positional form, whole. */
  form: string
  /** Unified diff from the disk to what will be written, made from those very bytes; null: nothing is written. */
  diff: string | null
  /** What can be approved of such calls from now on; none for a security confirm. */
  offers: Offer[]
}

export interface Answer {
  yes: boolean
  /** In the person's words, "" where they gave none. */
  reason: string
  /** One of the card's offers, to hold from now on. */
  always?: { offer: Offer; scope: Scope }
}

export interface Person {
  event(event: Event): void
  passing(passing: Passing): void
  /** Rejects with the signal's reason when aborted. Called only of an attended session. */
  confirm(card: Card, signal: AbortSignal): Promise<Answer>
  ask(question: string, choices: string[], signal: AbortSignal): Promise<string>
}
