// Runs a program to its end and hands on what it writes. The program and all that it started are ended
// when its time is over, when somebody says stop, and when it has ended itself: nothing outlives a call.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Between the request to end and the end by force: stopping takes less than 100 ms in all. */
const GRACE_MS = 50
/** A pipe may stay open for longer than the program where not everything could be ended. */
const DRAIN_MS = 1000
/** A process that is just about to become another program shows no environment for a moment. */
const LOOK_AGAIN_MS = 10
/** All processes of a call carry it in their environment, also those that left its process group. */
const MARK = 'NODWYN_CALL'

export interface ProcessResult {
  /** Exit code; null where a signal ended it. */
  code: number | null
  signal: string | null
  timedOut: boolean
  /** How many processes it left running; they were ended. */
  leftBehind: number
}

export interface ProcessOptions {
  cwd: string
  env: { [name: string]: string }
  timeoutMs: number
  signal: AbortSignal
  /** It may start others that leave its process group: these are looked for too, and ended. */
  startsOthers: boolean
  /** What it writes, as it comes. */
  onText(text: string, stream: 'out' | 'err'): void
}

/** Rejects with the signal's reason when aborted, and with the system's error where the program cannot
 * be started. */
export function runProcess(program: string, args: string[], options: ProcessOptions): Promise<ProcessResult> {
  const { cwd, env, timeoutMs, signal, startsOthers, onText } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const mark = randomBytes(8).toString('hex')
    const child = spawn(program, args, { cwd, env: { ...env, [MARK]: mark }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const group = new ProcessGroup(child.pid, startsOthers ? mark : null)
    let timedOut = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => onText(text, 'out'))
    child.stderr.setEncoding('utf8').on('data', (text: string) => onText(text, 'err'))
    const stop = (): void => group.stop()
    const timer = setTimeout(() => {
      timedOut = true
      stop()
    }, timeoutMs)
    signal.addEventListener('abort', stop, { once: true })
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      group.forget()
    }
    child.on('error', (error) => {
      end()
      reject(error)
    })
    let ended = Promise.resolve(0)
    child.on('exit', () => {
      ended = group.end()
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, DRAIN_MS).unref()
    })
    // After the exit, and after all that was written has been read.
    child.on('close', async (code, ending) => {
      if (child.pid === undefined) return
      const leftBehind = await ended
      end()
      if (signal.aborted) reject(signal.reason as Error)
      else resolve({ code, signal: ending, timedOut, leftBehind })
    })
  })
}

const running = new Set<ProcessGroup>()

/** A program and all that it started. */
class ProcessGroup {
  private readonly pid: number | undefined
  private readonly mark: string | null

  constructor(pid: number | undefined, mark: string | null) {
    this.pid = pid
    this.mark = mark
    if (running.size === 0) process.once('exit', killAll)
    running.add(this)
  }

  stop(): void {
    this.send('SIGTERM')
    setTimeout(() => this.send('SIGKILL'), GRACE_MS)
  }

  /** Ends by force what still runs, until nothing is found twice; returns how many had left the group or
   * outlived its first process. */
  async end(): Promise<number> {
    const ended = new Set<number>()
    let quiet = 0
    for (let round = 0; round < 20 && quiet < 2; round++) {
      if (round > 0) await pause(LOOK_AGAIN_MS)
      const found = this.send('SIGKILL')
      if (this.mark === null) return 0
      quiet = found.length === 0 ? quiet + 1 : 0
      for (const pid of found) ended.add(pid)
    }
    return ended.size
  }

  forget(): void {
    running.delete(this)
    if (running.size === 0) process.off('exit', killAll)
  }

  /** To the group, and to those that left it; returns the latter, without the sandbox itself, which may
   * take a moment to end after what ran in it. */
  send(signal: NodeJS.Signals): number[] {
    if (this.pid === undefined) return []
    const pids = this.mark === null ? [] : markedProcesses(this.mark)
    const own = pids.filter((pid) => nameOf(pid) !== 'bwrap')
    sendTo(-this.pid, signal)
    // Twice would be one too many for a program that cleans up when it is asked to end.
    for (const pid of pids) if (groupOf(pid) !== this.pid) sendTo(pid, signal)
    return own
  }
}

/** Null where it is gone. The name before it may hold anything. */
function groupOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[2])
  } catch {
    return null
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function killAll(): void {
  for (const group of running) group.send('SIGKILL')
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** Where the system shows the environment of processes (Linux); elsewhere the group is all there is. */
function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const needle = `${MARK}=${mark}`
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(needle) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
