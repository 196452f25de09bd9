// Keys to lines: one reader of the terminal for the whole session. While something runs nothing is
// echoed; whole lines typed then wait for the next prompt, and never answer a question put later.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

const KEPT = 1000

export interface LineEditorOptions {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Where lines are kept from session to session. */
  history: string
  /** The ways to go on with the end of a line, and that end. */
  complete(line: string): [string[], string]
  /** A line that came while nobody waited for one: true where it is taken; else it waits for the next prompt. */
  onEarly(line: string, atOnce: boolean): boolean
  /** Ctrl-C, with the line that was being typed. */
  onInterrupt(line: string): void
}

export class LineEditor {
  private readonly readline: Interface & { history?: string[] }
  private readonly options: LineEditorOptions
  private muted = true
  /** Lines that came while nobody waited for one. */
  private readonly early: string[] = []
  private waiting: ((line: string | null) => void) | null = null
  private ended = false

  constructor(options: LineEditorOptions) {
    this.options = options
    const { input, output } = options
    const echo = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.muted) output.write(chunk)
        done()
      },
    })
    this.readline = createInterface({
      input,
      output: Object.assign(echo, { columns: output.columns, rows: output.rows }),
      terminal: true,
      historySize: KEPT,
      history: readHistory(options.history),
      removeHistoryDuplicates: true,
      completer: (line: string) => options.complete(line),
    })
    output.on('resize', () => Object.assign(echo, { columns: output.columns, rows: output.rows }) && echo.emit('resize'))
    this.readline.on('line', (line) => this.receive(line))
    input.on('keypress', (_text, key: { name?: string; meta?: boolean } | undefined) => {
      if (key?.meta && key.name === 'return' && !this.waiting && this.options.onEarly(this.readline.line, true)) this.clear()
    })
    this.readline.on('SIGINT', () => options.onInterrupt(this.readline.line))
    this.readline.on('close', () => {
      this.ended = true
      this.waiting?.(null)
    })
  }

  /** The next line; null at the end of input. `prefill` stands there to be changed or sent. */
  line(prompt: string, prefill = ''): Promise<string | null> {
    const early = this.early.shift()
    if (early === undefined) return this.read(prompt, prefill)
    this.options.output.write(`${prompt}${early}\n`)
    return Promise.resolve(early)
  }

  /** A line typed after the question was drawn: earlier keys are no answer to it. */
  async answer(prompt: string, signal: AbortSignal): Promise<string | null> {
    await new Promise((resolve) => setTimeout(resolve, 30)) // what is in the terminal's buffer arrives first
    this.early.length = 0
    this.clear()
    const stop = (): void => this.waiting?.(null)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await this.read(prompt, '', false)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Throws away what is being typed. */
  clear(): void {
    this.readline.write(null, { ctrl: true, name: 'e' })
    this.readline.write(null, { ctrl: true, name: 'u' })
  }

  /** Draws the prompt again, under something that was written meanwhile. */
  redraw(): void {
    this.readline.prompt(true)
  }

  close(): void {
    this.readline.close()
  }

  private async read(prompt: string, prefill: string, keep = true): Promise<string | null> {
    if (this.ended) return null
    this.muted = false
    this.readline.setPrompt(prompt)
    this.readline.prompt()
    if (prefill !== '') this.readline.write(prefill)
    const line = await new Promise<string | null>((resolve) => (this.waiting = resolve))
    this.waiting = null
    this.muted = true
    if (keep) this.keepHistory()
    else this.forgetLast()
    return line
  }

  private receive(line: string): void {
    const { waiting } = this
    // What is pasted comes as several lines at once: only the first is the answer to this wait.
    this.waiting = null
    this.muted = true
    if (waiting) waiting(line)
    else if (!this.options.onEarly(line, false)) this.early.push(line)
  }

  private forgetLast(): void {
    this.readline.history?.shift()
  }

  private keepHistory(): void {
    const lines = this.readline.history ?? []
    mkdirSync(dirname(this.options.history), { recursive: true, mode: 0o700 })
    writeFileSync(this.options.history, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
  }
}

/** The newest line first, as readline has it. */
function readHistory(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}
