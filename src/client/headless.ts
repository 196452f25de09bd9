// A person who is not there: events go to a transcript on standard error, questions find nobody.

import type { Event, Passing } from '../session/event.ts'
import type { Answer, Card, Person } from '../session/person.ts'
import { colorsFor } from './colour.ts'
import { Figures } from './status.ts'
import { Transcript } from './transcript.ts'

export class Headless implements Person {
  readonly figures = new Figures()
  readonly transcript: Transcript
  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.transcript = new Transcript((text) => stream.write(text), colorsFor(stream))
  }
  event(event: Event): void {
    this.figures.add(event)
    this.transcript.event(event)
  }
  passing(passing: Passing): void {
    this.transcript.passing(passing)
  }
  confirm(_card: Card, _signal: AbortSignal): Promise<Answer> {
    return Promise.resolve({ yes: false, reason: 'nobody is there' })
  }
  ask(): Promise<string> {
    return Promise.resolve('')
  }
}

/** A person who sees nothing: for output that only a program reads. */
export class Silent extends Headless {
  override event(_event: Event): void {}
  override passing(_passing: Passing): void {}
}

/** Events as JSON, one a line, on standard output. */
export class JsonLines extends Headless {
  override event(event: Event): void {
    process.stdout.write(`${JSON.stringify(event)}\n`)
  }
  override passing(_passing: Passing): void {}
}
