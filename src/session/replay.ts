// A log to the answers that a strategy was given. A session is resumed by running its inputs again and
// answering each primitive from the log, results in the log's order, until the log is used up; then it
// goes on in the world. A strategy that asks for something else than the log holds has changed.

import { maskTokens } from '../guard/token.ts'
import { ToolError } from '../tool/tool-error.ts'
import type { Event, EventBody } from './event.ts'

type Of<T extends Event['type']> = Extract<Event, { type: T }>

export type PastReply = Of<'llm.resp'> | Of<'llm.none'>

/** A tool call as far as the log knows it: where `result` is null, the program ended while it was under way. */
export interface PastCall {
  call: Of<'tool.call'>
  confirm: Of<'confirm'> | null
  edits: Of<'edit'>[]
  result: Of<'tool.result'> | null
}

/** `ending` null: the program ended before the input was done with. */
export interface PastInput {
  event: Of<'input'>
  ending: Of<'input.end'>['ending'] | null
}

/** What is asked for is told apart by `key`; `part` is the index of the input in whose time it was given, and
 * `began` that of the input in whose time it was asked for. */
interface Entry<T> {
  key: string
  part: number
  began: number
  answer: T
}

type Answer = PastReply | PastCall

/** What a program that was stopped while it computed is given to come to where it stood. */
const GRACE_MS = 250

export class Replay {
  readonly inputs: PastInput[] = []
  /** Nothing is answered from the log any more. */
  isOver = false
  private readonly isBusy: () => boolean
  private readonly queue: Entry<Answer>[] = []
  private readonly underWay = new Map<string, PastCall[]>()
  private readonly values = new Map<string, { part: number; value: unknown }[]>()
  private readonly told = new Map<string, number>()
  private readonly waiting = new Map<string, ((answer: Answer | null) => void)[]>()
  /** The input whose run is followed. */
  private part = -1
  private isScheduled = false
  /** What is being found out in the world for a program that waits for it. */
  private asked = 0
  private step = (): void => {}

  /** `events`: of the session, and before them of those that it was forked from. `isBusy`: whether the program
   * has more to do before it asks for anything. */
  constructor(events: readonly Event[], isBusy: () => boolean) {
    this.isBusy = () => this.asked > 0 || isBusy()
    const named = new Set(events.flatMap((event) => (event.type === 'llm.resp' ? event.tool_calls.map(({ id }) => `${event.ctx} ${id}`) : [])))
    const open = new Map<string, Entry<PastCall>[]>()
    for (const event of events) this.take(event, named, open)
    const last = this.inputs.at(-1)
    for (const { key, began, answer } of [...open.values()].flat())
      if (last?.ending === null && began === this.inputs.length - 1) push(this.underWay, key, answer)
  }

  private take(event: Event, named: Set<string>, open: Map<string, Entry<PastCall>[]>): void {
    const part = this.inputs.length - 1
    const input = this.inputs.at(-1)
    const inCall = (): PastCall | undefined => ('id' in event ? open.get(`${event.ctx} ${event.id}`)?.[0]?.answer : undefined)
    switch (event.type) {
      case 'input':
        if (input) input.ending ??= 'stopped'
        this.inputs.push({ event, ending: null })
        return
      case 'session.end':
      case 'input.end':
        this.tell(event)
        if (input) input.ending ??= event.type === 'input.end' ? event.ending : 'stopped'
        return
      case 'llm.resp':
      case 'llm.none':
        this.queue.push({ key: replyKey(event.ctx), part, began: part, answer: event })
        return
      case 'tool.call': {
        const id = `${event.ctx} ${event.id}`
        const key = named.has(id) ? idKey(event.ctx, event.id) : formKey(event.ctx, event.form)
        push(open, id, { key, part, began: part, answer: { call: event, confirm: null, edits: [], result: null } })
        return
      }
      case 'confirm': {
        const call = inCall()
        if (call) call.confirm = event
        return
      }
      case 'edit':
        inCall()?.edits.push(event)
        return
      case 'tool.result': {
        const entry = open.get(`${event.ctx} ${event.id}`)?.shift()
        if (!entry) return
        entry.answer.result = event
        this.queue.push({ ...entry, part })
        return
      }
      case 'value':
        push(this.values, event.name, { part, value: event.value })
        return
      default:
        this.tell(event)
    }
  }

  private tell(event: Event): void {
    const { v: _v, t: _t, session: _session, seq: _seq, ctx: _ctx, ...body } = event
    const text = JSON.stringify(body)
    this.told.set(text, (this.told.get(text) ?? 0) + 1)
  }

  /** While it lasts, the program has more to do. */
  async during<T>(promise: Promise<T>): Promise<T> {
    this.asked++
    return promise.finally(() => this.asked--)
  }

  /** Whether this was recorded already. Each record counts once. */
  wasRecorded(body: EventBody): boolean {
    const text = maskTokens(JSON.stringify(body))
    const times = this.told.get(text) ?? 0
    if (this.isOver || times === 0) return false
    this.told.set(text, times - 1)
    return true
  }

  /** The reply that a context got at its next request; null: none yet. */
  reply(ctx: string): Promise<PastReply | null> {
    return this.ask(replyKey(ctx)) as Promise<PastReply | null>
  }

  /** The call of a reply, by its id. */
  callById(ctx: string, id: string): Promise<PastCall | null> {
    return this.ask(idKey(ctx, id)) as Promise<PastCall | null>
  }

  /** A program's call, by its positional form. */
  callByForm(ctx: string, form: string): Promise<PastCall | null> {
    return this.ask(formKey(ctx, form)) as Promise<PastCall | null>
  }

  /** What a primitive gave next, where that `fits`; undefined: nothing yet. */
  value(name: string, fits: (value: unknown) => boolean = () => true): { value: unknown } | undefined {
    const given = this.values.get(name)
    while (!this.isOver && given?.[0] && given[0].part < this.part) given.shift()
    return !this.isOver && given?.[0]?.part === this.part && fits(given[0].value) ? given.shift() : undefined
  }

  /** Answers what a run asks for with what the log holds for its input. True when that is used up and the run has
   * ended, where need be by `abort`; false where the run goes on. Rejects with ToolError where it asks for something else. */
  follow(part: number, start: () => Promise<unknown>, abort: () => void): Promise<boolean> {
    this.part = part
    const run = start()
    const { ending } = this.inputs[part]!
    return new Promise((resolve, reject) => {
      let isSettled = false
      let usedUp: number | null = null
      this.step = () => {
        const head = this.queue[0]
        if (head && head.part <= part) {
          const waiter = this.waiting.get(head.key)?.shift()
          if (waiter) waiter(this.queue.shift()!.answer)
          else if (!this.isBusy()) {
            // Of a run that was stopped there are results that nobody waited for any more.
            if (head.began === part && !(isSettled && ending === 'stopped')) return reject(this.difference(head))
            this.queue.shift()
          }
          return this.schedule()
        }
        if (isSettled) return resolve(true)
        usedUp ??= Date.now()
        if (this.isBusy() && (ending === 'done' || ending === 'failed' || Date.now() - usedUp < GRACE_MS)) return this.schedule()
        if (ending === null) return resolve(false)
        this.waiting.clear()
        abort()
      }
      const settled = (): void => {
        isSettled = true
        this.schedule()
      }
      run.then(settled, settled)
      this.schedule()
    })
  }

  /** What was done for an input that no program asked for: a person's single call. */
  skip(part: number): PastCall[] {
    const skipped = this.queue.splice(0, this.queue.findIndex((entry) => entry.part > part) >>> 0)
    return skipped.flatMap(({ answer }) => ('call' in answer ? [answer] : []))
  }

  /** From here on the world answers; first what was asked for already, of which the log may know how far it came. */
  goOn(): void {
    this.isOver = true
    for (const [key, waiters] of this.waiting) for (const waiter of waiters) waiter(this.underWay.get(key)?.shift() ?? null)
    this.waiting.clear()
  }

  private ask(key: string): Promise<Answer | null> {
    if (this.isOver) return Promise.resolve(this.underWay.get(key)?.shift() ?? null)
    return new Promise((resolve) => {
      push(this.waiting, key, resolve)
      this.schedule()
    })
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      this.step()
    })
  }

  private difference({ answer }: Entry<Answer>): ToolError {
    const event = 'call' in answer ? answer.call : answer
    const asked = [...this.waiting].flatMap(([key, waiters]) => (waiters.length > 0 ? [key] : []))
    const held = event.type === 'tool.call' ? `the call ${short(event.form)}` : `a reply in context ${event.ctx}`
    const wanted = asked.length === 0 ? 'nothing more' : asked.map(short).join(' and ')
    return new ToolError('other', `the strategy has changed since: at event ${event.seq} of ${event.session} the log has ${held}, and the strategy asks for ${wanted}`, {
      help: 'give the strategy that it was with --strategy, or go on from what was said alone with --from-messages',
    })
  }
}

function replyKey(ctx: string): string {
  return `a reply in context ${ctx}`
}

function idKey(ctx: string, id: string): string {
  return `the call ${id} in context ${ctx}`
}

/** Credentials are masked in a log. */
function formKey(ctx: string, form: string): string {
  return `the call ${JSON.parse(maskTokens(JSON.stringify(form))) as string} in context ${ctx}`
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const items = lists.get(key)
  if (items) items.push(item)
  else lists.set(key, [item])
}
