// Runs a program to its end: output kept at its head and tail, the whole process group ended when the
// time is over or somebody says stop.

import { spawn } from 'node:child_process'

const HEAD = 20_000
const TAIL = 20_000
const GRACE_MS = 50

export interface ProcessResult {
  /** Output and error output as they came, the middle left out where it is long. */
  output: string
  /** Exit code; null where a signal ended it. */
  code: number | null
  signal: string | null
  timedOut: boolean
}

export interface ProcessOptions {
  cwd: string
  env: { [name: string]: string }
  timeoutMs: number
  signal: AbortSignal
  onLine?(line: string): void
}

/** Rejects with the signal's reason when aborted, and with the system's error where the program cannot
 * be started. */
export function runProcess(program: string, args: string[], options: ProcessOptions): Promise<ProcessResult> {
  const { cwd, env, timeoutMs, signal, onLine } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const output = new BoundedText()
    let timedOut = false
    const take = (data: string): void => {
      output.add(data)
      const line = data.trimEnd().split('\n').at(-1)
      if (line) onLine?.(line.slice(0, 200))
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
    const kill = (): void => {
      sendGroup(child.pid, 'SIGTERM')
      setTimeout(() => sendGroup(child.pid, 'SIGKILL'), GRACE_MS)
    }
    const timer = setTimeout(() => {
      timedOut = true
      kill()
    }, timeoutMs)
    signal.addEventListener('abort', kill, { once: true })
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
    }
    child.on('error', (error) => {
      end()
      reject(error)
    })
    // What the program started and left behind may hold its output open: the exit counts.
    child.on('exit', (code, ended) => {
      end()
      setTimeout(() => {
        sendGroup(child.pid, 'SIGKILL')
        child.stdout.destroy()
        child.stderr.destroy()
        if (signal.aborted) reject(signal.reason as Error)
        else resolve({ output: output.text(), code, signal: ended, timedOut })
      }, 10)
    })
  })
}

function sendGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** Text of which the head and the tail are kept. */
class BoundedText {
  private head = ''
  private tail = ''
  private dropped = 0

  add(text: string): void {
    const room = HEAD - this.head.length
    if (room > 0) {
      this.head += text.slice(0, room)
      text = text.slice(room)
    }
    this.tail += text
    if (this.tail.length > 2 * TAIL) {
      this.dropped += this.tail.length - TAIL
      this.tail = this.tail.slice(-TAIL)
    }
  }

  text(): string {
    const over = Math.max(0, this.tail.length - TAIL)
    const dropped = this.dropped + over
    if (dropped === 0) return this.head + this.tail
    return `${this.head}\n… ${dropped} characters left out …\n${this.tail.slice(over)}`
  }
}
