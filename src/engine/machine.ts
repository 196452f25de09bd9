// Runs compiled procedures. The JavaScript stack is a cache of the continuation: when the continuation
// is needed as a value, the stack grows deep, a host procedure waits or the time slice ends, every
// active procedure returns CAPTURED and leaves a frame on its way out. The run loop then holds the
// continuation as a linked list, does what was pending, and resumes one frame after the other.
//
// A fiber is such a list with its dynamic state and label; fibers take turns at waits and time slices.

import { SchemeError, type Position, type Step } from './error.ts'
import { USUAL_MEMORY, usedMemory } from './memory.ts'
import { checkNumber, divisionByZero, toDouble } from './number.ts'
import { nameInStack } from './procedure-name.ts'
import { show } from './printer.ts'
import {
  Cell,
  Char,
  DEFAULT,
  Flonum,
  Labelled,
  NIL,
  Pair,
  Singleton,
  UNSPECIFIED,
  labelling,
  list,
  type Procedure,
  type Value,
} from './value.ts'

export const CAPTURED = new Singleton('#<captured>')

/** A place to resume at: the compiled rest of a body. */
export interface Resumption {
  /** `(depth, value, live …)`; compiled at the first call. */
  run: (depth: number, value: Value, ...live: Value[]) => Value
  position(): Position | null
  procedure: string
}

/** What a procedure under way left of itself: where it goes on and its live variables. Most have one or
 * two; a deep recursion makes millions, so these are kept small. */
class SmallFrame {
  declare readonly resumption: Resumption
  declare next: Frame | null
  declare readonly a: Value | undefined
  declare readonly b: Value | undefined
  constructor(resumption: Resumption, a: Value | undefined, b: Value | undefined) {
    this.resumption = resumption
    this.next = null
    this.a = a
    this.b = b
  }
}

class LargeFrame {
  declare readonly resumption: Resumption
  declare next: Frame | null
  declare readonly live: Value[]
  constructor(resumption: Resumption, live: Value[]) {
    this.resumption = resumption
    this.next = null
    this.live = live
  }
}

type Frame = SmallFrame | LargeFrame

/** The heap part of a continuation with the dynamic state it goes on in. */
export interface Continuation {
  frames: Frame | null
  state: Value
}

/** A program under way. */
interface Fiber {
  frames: Frame | null
  state: Value
  label: ReadonlySet<string>
  signal: AbortSignal | undefined
}

type Slice = { kind: 'done'; value: Value } | { kind: 'turn'; next: () => Value } | { kind: 'wait'; promise: Promise<Value> }

/** Thrown through JavaScript frames to end a fiber with an error that no handler took. */
export class Uncaught {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

/** The dynamic state and the label of a fiber. */
interface Registers {
  state: Value
  label: ReadonlySet<string>
}

export interface Inherited {
  inherited?: Registers
}

const NO_LABELS: ReadonlySet<string> = new Set()
const FRESH: Registers = { state: NIL, label: NO_LABELS }
const SLICE_MS = 10
const FUEL = 1000
const MOST_FIBERS = 10_000
/** A loop takes fuel once in so many turns. */
const STRIP = 64

export interface MachineOptions {
  /** Bytes that all of JavaScript may use before a program is stopped. */
  memory?: number | undefined
  depthLimit?: number | undefined
  /** Given: every time so many procedure entries were made, the continuation is captured. */
  fuel?: number | undefined
}

export class Machine {
  /** Depth at which frames move to the heap, in units of about a hundred bytes of stack. */
  readonly limit: number
  fuel: number
  /** What generated code calls by `CODE_NAMES`, in their order. */
  readonly values: readonly unknown[]
  /** The Scheme procedure that signals an error thrown by JavaScript code. */
  raise: Procedure | null = null
  /** Words for an unbound variable that looks like a known one. */
  suggest: (name: string) => string | null = () => null
  /** Position and procedure of a line of generated code. */
  locate: (url: string, line: number) => Position | null = () => null
  /** The dynamic state: handlers, dynamic parameters and winders, innermost first. */
  state: Value = NIL
  /** Labels that the running fiber's control flow depended on. */
  label: ReadonlySet<string> = NO_LABELS
  /** The running fiber's abort signal. */
  signal: AbortSignal | undefined

  /** Bytes that may be in use while a program runs. */
  memory: number
  private readonly refill: number
  private readonly always: boolean
  /** How many forked fibers are under way. */
  private fibers = 0
  private turning = 0
  private sliceEnd = 0
  private endSlice = false
  private frames: Frame | null = null
  private first: Frame | null = null
  private last: Frame | null = null
  private pending: (() => Value) | null = null
  private promise: Promise<Value> | null = null

  constructor({ depthLimit, fuel, memory }: MachineOptions = {}) {
    this.memory = memory ?? USUAL_MEMORY
    this.limit = depthLimit ?? 1500
    this.always = fuel !== undefined
    this.values = [this, Number.isSafeInteger, CAPTURED, Pair, NIL, DEFAULT, UNSPECIFIED, Flonum, Char, labelling, this.always ? 1 : STRIP, this.limit]
    this.refill = this.fuel = fuel ?? FUEL
  }

  // -- called by generated code ------------------------------------------------------------------

  push0(r: Resumption): Value {
    return this.leave(new SmallFrame(r, undefined, undefined))
  }
  push1(r: Resumption, a: Value): Value {
    return this.leave(new SmallFrame(r, a, undefined))
  }
  push2(r: Resumption, a: Value, b: Value): Value {
    return this.leave(new SmallFrame(r, a, b))
  }
  pushMany(r: Resumption, ...live: Value[]): Value {
    return this.leave(new LargeFrame(r, live))
  }

  private leave(frame: Frame): Value {
    if (this.last) this.last.next = frame
    else this.first = frame
    this.last = frame
    return CAPTURED
  }

  /** Whether the continuation must be captured now that the fuel is used up. */
  tick(): boolean {
    this.fuel = this.refill
    const isOver = performance.now() > this.sliceEnd
    if (isOver && usedMemory() > this.memory) throw new SchemeError(`out of memory: the program holds more than ${Math.round(this.memory / 1e6)} MB`, { kind: 'limit' })
    return this.always || (this.endSlice = isOver)
  }

  pause(procedure: Procedure, args: Value[]): Value {
    return this.capture(() => procedure(0, ...args))
  }

  /** The next call of a procedure that has called itself in tail position for a strip of turns. */
  again(procedure: Procedure, depth: number, args: Value[]): Value {
    if (depth > this.limit || (--this.fuel < 0 && this.tick())) return this.pause(procedure, args)
    return procedure(depth, ...args)
  }

  pauseLoop(r: Resumption, ...live: Value[]): Value {
    this.capture(() => UNSPECIFIED)
    return this.leave(live.length <= 2 ? new SmallFrame(r, live[0], live[1]) : new LargeFrame(r, live))
  }

  list(items: Value[]): Value {
    return list(items)
  }

  /** The test of an `if` on a value that is no plain boolean. */
  isTrue(value: Value): boolean {
    if (!(value instanceof Labelled)) return value !== false
    this.raiseLabel(value.labels)
    return value.value !== false
  }

  callee(value: Value | undefined, cell?: Cell): Procedure {
    if (typeof value === 'function') return value as Procedure
    if (value instanceof Labelled && typeof value.value === 'function') {
      this.raiseLabel(value.labels)
      return value.value as Procedure
    }
    if (value === undefined) return this.unbound(cell!) as never
    throw new SchemeError(`${cell ? `${cell.name}: ` : ''}expected a procedure, got ${show(value)}`, {
      help: 'what stands first in parentheses is called; data are written (list …) or with a quote before them',
    })
  }

  unbound(cell: Cell): never {
    throw new SchemeError(`unbound variable ${cell.name}`, { help: this.suggest(cell.name) })
  }

  undefinedYet(name: string): never {
    throw new SchemeError(`${name} is used before it is defined`)
  }

  assign(cell: Cell, value: Value): void {
    if (cell.value === undefined) throw new SchemeError(`set!: unbound variable ${cell.name}`, { help: this.suggest(cell.name) })
    cell.value = value
  }

  wrongArity({ name, params, rest }: { name: string; params: string[]; rest: boolean }, got: number): never {
    const who = name === '' ? 'procedure' : name
    const usage = `(${[who, ...params].join(' ')}${rest ? ' …' : ''})`
    throw new SchemeError(arityMessage(who, params, rest ? Infinity : params.length, got), { help: `the form is ${usage}` })
  }

  // The double that arithmetic with an inexact real makes of its other operand.
  addend(value: Value): number {
    return value instanceof Flonum ? value.value : typeof value === 'number' ? value : this.toFloat('+', value)
  }
  subtrahend(value: Value): number {
    return value instanceof Flonum ? value.value : typeof value === 'number' ? value : this.toFloat('-', value)
  }
  factor(value: Value): number {
    return value instanceof Flonum ? value.value : typeof value === 'number' ? value : this.toFloat('*', value)
  }
  divisor(value: Value): number {
    if (value instanceof Flonum) return value.value
    if (value === 0) throw divisionByZero('/')
    return this.toFloat('/', value)
  }
  double(value: Value): number {
    return typeof value === 'number' ? value : value instanceof Flonum ? value.value : this.toFloat('inexact', value)
  }
  private toFloat(who: string, value: Value): number {
    if (!(value instanceof Labelled)) return toDouble(checkNumber(who, value))
    this.raiseLabel(value.labels)
    return this.toFloat(who, value.value)
  }

  // -- called by control builtins ----------------------------------------------------------------

  /** Moves the whole continuation to the heap, then goes on with `next`. */
  capture(next: () => Value): Value {
    this.pending = next
    return CAPTURED
  }

  /** In `next` of a capture: the continuation that was captured. */
  continuation(): Continuation {
    return { frames: this.frames, state: this.state }
  }

  /** In `next` of a capture: goes on with this continuation instead. */
  reinstate({ frames, state }: Continuation): void {
    this.frames = frames
    this.state = state
  }

  /** The running fiber waits for the promise, whose value the call then has. */
  wait(promise: Promise<Value>): Value {
    this.promise = promise
    return CAPTURED
  }

  /** Settles when every other fiber that can go on had its turn. */
  turn(): Promise<Value> {
    return this.turned(this.signal).then(() => UNSPECIFIED)
  }

  /** Whether a fiber waits for nothing but its turn. */
  get isBusy(): boolean {
    return this.turning > 0
  }

  private turned(signal: AbortSignal | undefined): Promise<void> {
    this.turning++
    return turn(signal).finally(() => this.turning--)
  }

  raiseLabel(labels: Iterable<string>): void {
    this.label = new Set([...this.label, ...labels])
  }

  // -- fibers ------------------------------------------------------------------------------------

  /** Runs `entry` in a new fiber: its value, or a promise of it where it has to wait or takes long.
   * Throws, or rejects, with what no handler took. */
  start(entry: () => Value, signal?: AbortSignal, { state, label }: Registers = FRESH): Value | Promise<Value> {
    const fiber: Fiber = { frames: null, state, label, signal }
    return this.goOn(fiber, entry)
  }

  /** What an evaluation that the running fiber waits for goes on with. */
  inherit(): Inherited & { signal?: AbortSignal } {
    return { inherited: { state: this.state, label: this.label }, ...(this.signal ? { signal: this.signal } : {}) }
  }

  /** As `start`, with the dynamic state and label of the running fiber. */
  fork(entry: () => Value): Promise<Value> {
    if (this.fibers >= MOST_FIBERS) throw new SchemeError(`spawn: more than ${MOST_FIBERS} fibers are under way`, { kind: 'limit' })
    this.fibers++
    const fiber: Fiber = { frames: null, state: this.state, label: this.label, signal: this.signal }
    return this.turned(fiber.signal)
      .then(() => this.goOn(fiber, entry))
      .finally(() => this.fibers--)
  }

  private goOn(fiber: Fiber, entry: () => Value): Value | Promise<Value> {
    fiber.signal?.throwIfAborted()
    const slice = this.slice(fiber, entry)
    return slice.kind === 'done' ? slice.value : this.drive(fiber, slice)
  }

  private async drive(fiber: Fiber, slice: Slice): Promise<Value> {
    for (;;) {
      if (slice.kind === 'done') return slice.value
      let next: () => Value
      if (slice.kind === 'turn') {
        await this.turned(fiber.signal)
        next = slice.next
      } else {
        next = await settle(slice.promise, fiber.signal)
      }
      fiber.signal?.throwIfAborted()
      slice = this.slice(fiber, next)
    }
  }

  /** Runs a fiber until it is done, waits, or its time is over. A fiber may be run while another one
   * is calling a host procedure, so the registers are put back. */
  private slice(fiber: Fiber, entry: () => Value): Slice {
    const { frames, state, label, signal, sliceEnd, first, last } = this
    this.frames = fiber.frames
    this.state = fiber.state
    this.label = fiber.label
    this.signal = fiber.signal
    this.first = this.last = null
    this.sliceEnd = performance.now() + SLICE_MS
    try {
      return this.loop(entry)
    } catch (error) {
      throw error instanceof Uncaught ? error.error : error
    } finally {
      fiber.frames = this.frames
      fiber.state = this.state
      fiber.label = this.label
      this.frames = frames
      this.state = state
      this.label = label
      this.signal = signal
      this.sliceEnd = sliceEnd
      this.first = first
      this.last = last
    }
  }

  private loop(entry: () => Value): Slice {
    let next: (() => Value) | null = entry
    for (;;) {
      try {
        return this.resumeAll(next)
      } catch (error) {
        next = this.errorEntry(error)
      }
    }
  }

  private resumeAll(entry: () => Value): Slice {
    let value = entry()
    for (;;) {
      while (value === CAPTURED) {
        if (this.first) {
          this.last!.next = this.frames
          this.frames = this.first
          this.first = this.last = null
        }
        if (this.promise) {
          const promise = this.promise
          this.promise = null
          return { kind: 'wait', promise }
        }
        const next = this.pending!
        this.pending = null
        if (this.endSlice) {
          this.endSlice = false
          return { kind: 'turn', next }
        }
        value = next()
      }
      const frame: Frame | null = this.frames
      if (frame === null) return { kind: 'done', value }
      this.frames = frame.next
      value = resume(frame, value)
    }
  }

  /** What to go on with after JavaScript code threw: the handler for a Scheme error, nothing for a bug. */
  private errorEntry(error: unknown): () => Value {
    this.first = this.last = this.pending = this.promise = null
    this.endSlice = false
    if (error instanceof Uncaught) {
      if (error.error instanceof SchemeError) this.addPlace(error.error)
      throw error
    }
    const scheme = asSchemeError(error)
    if (!scheme) throw error
    this.addPlace(scheme)
    const raise = this.raise
    if (!raise) throw scheme
    return () => raise(0, scheme)
  }

  /** The promise, whose errors get the place where it was made. */
  placed(promise: Promise<Value>, here: SchemeError): Promise<Value> {
    const frames = this.frames
    return promise.catch((error: unknown) => {
      if (error instanceof SchemeError && !error.isPlaced) {
        this.addPlace(here, frames)
        error.placeBy(() => [...here.backtrace])
      }
      throw error
    })
  }

  /** Has an error find its place from the JavaScript stack at its throw and the heap frames. */
  addPlace(error: SchemeError, frames: Frame | null = this.frames): void {
    error.placeBy(() => [...this.stackSteps(error.stack ?? ''), ...frameSteps(frames)])
  }

  private stackSteps(stack: string): Step[] {
    const steps: Step[] = []
    for (const line of stack.split('\n')) {
      const found = /^\s+at (?:\S+\.)?(\$\S*)(?: \[as \w+\])? \((.*):(\d+):\d+\)$/.exec(line)
      if (!found) continue
      const [, name, url, row] = found
      steps.push({ procedure: nameInStack(name!), position: url!.startsWith('scheme:') ? this.locate(url!, Number(row)) : null })
    }
    return steps
  }
}

/** How many frames of the heap an error tells of. */
const MOST_STEPS = 50

function frameSteps(frame: Frame | null): Step[] {
  const steps: Step[] = []
  for (; frame && steps.length < MOST_STEPS; frame = frame.next)
    steps.push({ procedure: frame.resumption.procedure, position: frame.resumption.position() })
  return steps
}

function resume(frame: Frame, value: Value): Value {
  const { run } = frame.resumption
  if (frame instanceof LargeFrame) return run(0, value, ...frame.live)
  // What the rest of a body does not take it does not look at.
  return run(0, value, frame.a!, frame.b!)
}

/** "f: missing argument y" or "f: expected 2 arguments, got 3". */
export function arityMessage(who: string, params: readonly string[], most: number, got: number): string {
  if (got < params.length && got < most) return `${who}: missing argument ${params[got]}`
  return `${who}: expected ${most === 0 ? 'no arguments' : most === 1 ? '1 argument' : `${most} arguments`}, got ${got}`
}

/** JavaScript's own limits in Scheme's words; null for an error that is a bug. */
function asSchemeError(error: unknown): SchemeError | null {
  if (error instanceof SchemeError) return error
  if (error instanceof RangeError) {
    const tooDeep = /call stack/.test(error.message)
    return new SchemeError(tooDeep ? 'too deep: a value or an argument list is nested or long beyond the limit' : 'too large: a value exceeds what can be represented', {
      kind: 'limit',
    })
  }
  return null
}

/** Lets the event loop turn, so that timers, input and aborts get their chance. */
function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) =>
    setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())),
  )
}

/** What to go on with once the promise has settled; rejects at once when aborted. */
function settle(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<() => Value> {
  const settled = promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  if (!signal) return settled
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    void settled.then((next) => {
      signal.removeEventListener('abort', abort)
      resolve(next)
    })
  })
}
