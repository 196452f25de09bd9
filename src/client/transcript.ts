// Events to what a person reads, as text. It keeps only what it needs to place a diff under its call;
// the same transcript comes from a running session and from a log.

import type { Colors } from './colour.ts'
import type { Event, Passing } from '../session/event.ts'
import { diffText } from './diff-text.ts'
import { shortForm } from './short-form.ts'
import { visible } from './visible.ts'

/** Lines of a tool's output that stand in the transcript. */
const SHOWN_LINES = 8
/** A call that takes longer is shown while it runs. */
const SOON_MS = 200

export class Transcript {
  private readonly write: (text: string) => void
  private readonly colors: Colors
  /** Whether model text is being streamed, so that a reply need not be written again. */
  private streaming = false
  private atLineStart = true
  /** The heads of calls under way, by id, and whose head was written last. */
  private readonly heads = new Map<string, { text: string; timer: NodeJS.Timeout }>()
  private lastHead = ''
  /** How many lines of output each call under way has shown or held back. */
  private readonly progressed = new Map<string, number>()
  /** Diffs that were not shown yet, by call. */
  private readonly diffs = new Map<string, string>()

  constructor(write: (text: string) => void, colors: Colors) {
    this.write = write
    this.colors = colors
  }

  passing(passing: Passing): void {
    if (passing.type === 'delta') {
      if (passing.kind === 'text' && passing.ctx === 'main') this.stream(passing.text)
    } else if (passing.type === 'progress') {
      this.progress(passing.id, passing.text)
    } else if (passing.type === 'diff') this.diffs.set(passing.id, passing.diff)
    else this.put(passing.text)
  }

  event(event: Event): void {
    const { dim, red, yellow, bold } = this.colors
    switch (event.type) {
      case 'llm.resp':
        return this.reply(event.text, event.ctx)
      case 'tool.call': {
        if (event.verdict === 'security confirm')
          for (const { verdict, reason } of event.findings) if (verdict === 'security confirm') this.line(yellow(visible(reason)))
        const [name, ...rest] = visible(shortForm(event.form)).split(' ')
        const timer = setTimeout(() => this.head(event.id), SOON_MS).unref()
        this.heads.set(event.id, { text: `${bold(name!)} ${rest.join(' ')}`, timer })
        if (event.verdict === 'confirm' || event.verdict === 'security confirm') this.head(event.id)
        return
      }
      case 'confirm':
        this.showDiff(event.id)
        if (event.by !== 'person') this.line(dim(`  ${event.answer}, by ${event.by}`))
        return
      case 'tool.result':
        this.head(event.id)
        this.showDiff(event.id)
        clearTimeout(this.heads.get(event.id)?.timer)
        this.heads.delete(event.id)
        if (event.ok) return this.success(event.id, event.text)
        return this.line(red(indent(visible(event.text))))
      case 'steer':
        return this.line(this.colors.cyan(`» ${visible(event.text)}`) + dim(event.at_once ? '  at once' : '  with the next request'))
      case 'note':
        if (event.level === 'info') return this.line(dim(visible(event.text)))
        return this.line((event.level === 'error' ? red : yellow)(visible(event.text.split('\n')[0]!)))
      case 'context':
        return this.line(dim(`context: ${visible(event.what)} (${visible(event.why)})`))
      default:
        return
    }
  }

  /** The call's first line, above what is said of it; again, where another call's came between. One that
   * is done soon is written with its result, so that calls side by side read one after the other. */
  private head(id: string): void {
    const head = this.heads.get(id)
    if (!head || this.lastHead === id) return
    clearTimeout(head.timer)
    this.lastHead = id
    this.line(head.text)
  }

  /** The first lines of what a running tool says; the rest is counted. */
  private progress(id: string, text: string): void {
    const n = (this.progressed.get(id) ?? 0) + 1
    this.progressed.set(id, n)
    this.head(id)
    if (n <= SHOWN_LINES) this.line(this.colors.dim(indent(visible(text.trimEnd()))))
  }

  /** Where the output was shown while it came, its first line is what is new: how it ended. */
  private success(id: string, text: string): void {
    const lines = this.progressed.get(id)
    this.progressed.delete(id)
    if (text.trim() === '') return
    if (lines === undefined) return this.line(this.colors.dim(indent(summary(text))))
    const more = lines > SHOWN_LINES ? `… ${lines - SHOWN_LINES} more lines, ` : ''
    this.line(this.colors.dim(indent(more + visible(text.split('\n')[0]!))))
  }

  /** The diff of a call, where it was not shown yet: a card shows it before it asks. */
  showDiff(id: string): void {
    const diff = this.diffs.get(id)
    if (diff === undefined) return
    this.diffs.delete(id)
    this.head(id)
    if (diff !== '') this.line(indent(diffText(diff, this.colors)))
  }

  /** Forgets a diff that something else has shown. */
  takeDiff(id: string): void {
    this.diffs.delete(id)
  }

  /** A line of its own, whatever stood before it. */
  line(text: string): void {
    this.fresh()
    this.write(`${text}\n`)
  }

  /** Goes to the start of a line. */
  fresh(): void {
    if (!this.atLineStart) this.put('\n')
    this.streaming = false
  }

  private stream(text: string): void {
    this.put(this.streaming ? visible(text) : visible(text.trimStart()))
    if (text.trim() !== '') this.streaming = true
  }

  /** The whole reply has come: what was streamed stands already. */
  private reply(text: string, ctx: string): void {
    const streamed = this.streaming
    this.fresh()
    if (!streamed && ctx === 'main' && text.trim() !== '') this.line(visible(text.trim()))
  }

  private put(text: string): void {
    if (text === '') return
    this.write(text)
    this.atLineStart = text.endsWith('\n')
  }
}

/** The first lines of what a tool said, and how many more there are. */
function summary(text: string): string {
  const lines = visible(text.trimEnd()).split('\n')
  if (lines.length <= SHOWN_LINES) return lines.join('\n')
  const shown = lines.slice(0, SHOWN_LINES - 1)
  return `${shown.join('\n')}\n… ${lines.length - shown.length} more lines`
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
