// The terminal client: lines to tasks and Scheme, events to a transcript. It keeps nothing that the
// session's log could not tell again.

import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Event, Passing } from '../session/event.ts'
import type { Past } from '../session/past.ts'
import type { Answer, Card, Person } from '../session/person.ts'
import { stateFolder } from '../session/place.ts'
import { ToolError, complaintOf, exitCodeOf, isIncomplete, valueText } from '../session/report.ts'
import type { Session, TaskResult } from '../session/session.ts'
import { alwaysLines, cardPages, isAlways, question, readAlways, readAnswer, WHICH_ALWAYS } from './card.ts'
import { colorsFor, type Colors } from './colour.ts'
import { commandNames, runCommand } from './command.ts'
import { complaintText } from './complain.ts'
import { EXIT } from './exit-code.ts'
import { LineEditor } from './line-editor.ts'
import { showEvents } from './log-view.ts'
import { Figures } from './status.ts'
import { Transcript } from './transcript.ts'

export interface TerminalOptions {
  /** What to say first. */
  greeting: string
  /** Stands at the first prompt, to be sent with Enter. */
  suggestion: string
  /** Every line that is no command is Scheme, not only those that begin with a parenthesis. */
  scheme?: boolean
  /** Opens a session that goes on from an earlier one, for `,rewind`. */
  reopen?: (past: Past) => Promise<Session>
}

const VALUE_WIDTH = 2000

/** A long value by its beginning; `display` shows all of one. */
function cutValue(text: string): string {
  const left = text.length - VALUE_WIDTH
  return left <= 0 ? text : `${text.slice(0, VALUE_WIDTH).toWellFormed()}… ${left} more characters; (write …) shows all`
}

/** The paths that begin with `start`, relative as it is; folders end in a slash. */
function pathsFrom(root: string, start: string): string[] {
  const folder = start.endsWith('/') || start === '' ? start : dirname(start) === '.' && !start.startsWith('./') ? '' : `${dirname(start)}/`
  try {
    const entries = readdirSync(resolve(root, folder), { withFileTypes: true })
    return entries.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`).filter((path) => path.startsWith(start))
  } catch {
    return []
  }
}

/** The person at a terminal. The session is made with it, then given to `run`. */
export class Terminal implements Person {
  readonly figures = new Figures()
  readonly colors: Colors
  readonly transcript: Transcript
  private readonly editor: LineEditor
  private session: Session | null = null
  isScheme = false
  private leaving = false
  private interrupted = false
  private suggestion = ''
  private reopen: TerminalOptions['reopen'] | null = null

  constructor() {
    this.colors = colorsFor(process.stdout)
    this.transcript = new Transcript((text) => process.stdout.write(text), this.colors)
    this.editor = new LineEditor({
      input: process.stdin,
      output: process.stdout,
      history: join(stateFolder(), 'history'),
      complete: (line) => this.completions(line),
      onEarly: (line, atOnce) => this.steer(line, atOnce),
      onInterrupt: (line) => this.interrupt(line),
    })
  }

  event(event: Event): void {
    this.figures.add(event)
    this.transcript.event(event)
  }

  passing(passing: Passing): void {
    this.transcript.passing(passing)
  }

  async confirm(card: Card, signal: AbortSignal): Promise<Answer> {
    this.transcript.takeDiff(card.id)
    const pages = cardPages(card, this.colors, Math.max(5, (process.stdout.rows || 24) - 4), process.stdout.columns || 80)
    for (const [i, page] of pages.entries()) {
      if (page !== '') this.transcript.line(page)
      if (i < pages.length - 1) await this.editor.answer(this.colors.dim(`  ${i + 1} of ${pages.length}: Enter for more `), signal)
    }
    for (;;) {
      const line = await this.editor.answer(`  ${this.colors.bold(question(card))}`, signal)
      signal.throwIfAborted()
      if (line === null) return { yes: false, reason: 'the terminal was closed' }
      const answer = isAlways(line, card) ? await this.always(card, signal) : readAnswer(line)
      if (answer) return answer
    }
  }

  private async always(card: Card, signal: AbortSignal): Promise<Answer | null> {
    for (const line of alwaysLines(card)) this.transcript.line(line)
    const line = await this.editor.answer(`  ${this.colors.bold(WHICH_ALWAYS)}`, signal)
    signal.throwIfAborted()
    return readAlways(line ?? '', card)
  }

  async ask(asked: string, choices: string[], signal: AbortSignal): Promise<string> {
    this.transcript.line(this.colors.bold(asked))
    for (const [i, choice] of choices.entries()) this.transcript.line(`  ${i + 1}  ${choice}`)
    const line = (await this.editor.answer('  answer: ', signal)) ?? ''
    signal.throwIfAborted()
    return choices[Number(line) - 1] ?? line
  }

  /** Reads and does lines until the person leaves; returns the exit code. */
  async run(session: Session, { greeting, suggestion, scheme = false, reopen }: TerminalOptions): Promise<number> {
    this.session = session
    this.isScheme = scheme
    this.reopen = reopen ?? null
    this.transcript.line(greeting)
    this.suggestion = suggestion
    if (session.unfinished) await this.guarded('', () => this.shown(session.goOn()))
    while (!this.leaving) {
      const { suggestion: prefill } = this
      this.suggestion = ''
      const line = await this.editor.line(this.colors.cyan(this.isScheme ? 'scheme> ' : '> '), prefill)
      if (line === null) break
      if (line.trim() !== '') await this.doLine(line.trim())
    }
    this.editor.close()
    this.session.close(this.interrupted ? 'interrupted' : 'left')
    return this.interrupted ? EXIT.interrupted : EXIT.done
  }

  leave(): void {
    this.leaving = true
  }

  /** Shows what happened in an earlier session. */
  showPast(events: readonly Event[]): void {
    showEvents(events, this.transcript, this.figures, this.colors)
  }

  /** Goes on in a session that stands where an earlier one stood; `suggestion` is at the next prompt. */
  async goBack(past: Past, suggestion: string): Promise<Session> {
    if (!this.reopen) throw new ToolError('other', 'talk cannot be rewound here')
    const session = await this.reopen(past)
    this.session!.close('rewound')
    this.suggestion = suggestion
    return (this.session = session)
  }

  /** Another task or text, as if it had been typed. */
  async doLine(line: string): Promise<void> {
    this.interrupted = false
    if (line.startsWith(',')) await this.guarded(line, () => runCommand(line, this, this.session!))
    else if (this.isScheme || line.startsWith('(')) await this.scheme(line)
    else await this.guarded(line, () => this.task(line))
  }

  private async task(task: string): Promise<void> {
    await this.shown(this.session!.runTask(task))
    // Typed too late for the strategy: another task.
    const rest = this.session!.untaken().join('\n')
    if (rest !== '') await this.task(rest)
  }

  /** How a task ended; null: it was none. */
  private async shown(task: Promise<TaskResult | null>): Promise<void> {
    const { problem = null, ending = 'answer' } = (await task) ?? {}
    this.transcript.fresh()
    if (problem) process.stdout.write(complaintText({ ...problem, excerpt: null, kind: 'failed' }, this.colors))
    else if (ending === 'stopped') this.transcript.line(this.colors.yellow('stopped'))
    this.transcript.line(this.colors.dim(this.statusLine()))
  }

  statusLine(): string {
    const { model } = this.session!
    return this.figures.line(model?.name ?? 'no model', model?.window ?? null)
  }

  /** A text of Scheme; more lines are read while it is a datum begun and not ended. */
  private async scheme(first: string): Promise<void> {
    let text = first
    for (;;) {
      const problem = this.session!.readProblem(text)
      if (problem === null || !isIncomplete(problem)) break
      const line = await this.editor.line(this.colors.cyan(this.isScheme ? '     .. ' : '. '))
      if (line === null) break
      text += `\n${line}`
    }
    await this.guarded(text, () => this.evaluate(text))
  }

  async evaluate(text: string): Promise<void> {
    await this.session!.evaluate(text, (value) => {
      const shown = valueText(value)
      if (shown !== null) this.transcript.line(cutValue(shown))
    })
  }

  /** Does something, and says in a line what went wrong with it. */
  private async guarded(source: string, what: () => Promise<void>): Promise<void> {
    try {
      await what()
    } catch (error) {
      if (exitCodeOf(error) !== null) return this.leave()
      const complaint = complaintOf(error)
      if (complaint.kind === 'bug') this.session!.recordBug(error)
      this.transcript.fresh()
      process.stdout.write(complaintText(complaint, this.colors))
    }
  }

  /** What is typed while a task is done: for the next request, or at once with Alt-Enter or a ! before it. */
  private steer(line: string, atOnce: boolean): boolean {
    const isUrgent = atOnce || line.startsWith('!')
    const text = line.replace(/^!\s*/, '').trim()
    return text !== '' && this.session !== null && this.session.steer(text, isUrgent)
  }

  /** Ctrl-C: what runs is stopped, or the line is thrown away; a second one leaves. */
  private interrupt(line: string): void {
    if (this.session?.isRunning) {
      if (!this.session.interrupt()) this.abandon()
      return
    }
    if (line !== '') return this.editor.clear()
    if (this.interrupted) this.abandon()
    this.interrupted = true
    this.transcript.line(this.colors.dim('Ctrl-C once more leaves'))
    this.editor.redraw()
  }

  private abandon(): void {
    this.session?.close('interrupted')
    process.exit(EXIT.interrupted)
  }

  /** The ways to go on with the last word of a line, and that word: a command, a file in a string, a name. */
  private completions(line: string): [string[], string] {
    const command = /^,\S*$/.exec(line)
    if (command) return [commandNames().filter((name) => name.startsWith(line)), line]
    const quoted = /(?:^|[^\\])"((?:[^"\\]|\\.)*)$/.exec(line)
    if (quoted && (line.match(/(?<!\\)"/g) ?? []).length % 2 === 1) return [pathsFrom(this.session!.root, quoted[1]!), quoted[1]!]
    const word = /[^\s()'"`,]*$/.exec(line)![0]
    return [word === '' ? [] : this.session!.names().filter((name) => name.startsWith(word)), word]
  }
}
