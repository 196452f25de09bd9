// What the host lends to strategies: contexts and messages, `complete`, `perform`, prompts, time. These
// and the tools are all that a strategy can do. Each row is a procedure; a value that carries labels
// gives them to what is made of it.

import {
  Flonum,
  Labelled,
  MutableString,
  NIL,
  SchemeError,
  SchemeSymbol,
  UNSPECIFIED,
  intern,
  label,
  list,
  type Engine,
  type HostCall,
  type HostProcedure,
  type Value,
} from '../engine/index.ts'
import { show } from '../engine/printer.ts'
import type { Prim } from '../tool/prim.ts'
import type { ToolTable } from '../tool/tool-table.ts'
import { Context, ModelReply, Performed, SaidByPerson, ToolUse, outcomeText } from './context.ts'
import { Repeats } from './repeat.ts'
import type { EventBody, Outcome } from './event.ts'
import { valueOf } from './procedures.ts'

/** What the session does for them. */
export interface Host {
  root: string
  tools: ToolTable
  checkRounds: number
  complete(context: Context, signal: AbortSignal | undefined): Promise<ModelReply>
  perform(use: ToolUse, signal: AbortSignal | undefined): Promise<Outcome>
  attempt(name: string, values: Value[], call: HostCall): Promise<Outcome>
  projectCheck(): Promise<string[] | null>
  record(body: EventBody): void
  /** What a primitive gives that depends on the world, as JSON: from the log while a session is being resumed,
   * else by `make`, and into the log. */
  value<T>(name: string, make: () => T): T
  /** What the person typed since this was last asked. */
  typed(): string[]
  prompts: ReadonlyMap<string, string>
}

export function definePrimitives(engine: Engine, host: Host): void {
  const tables = [contextRows(), messageRows(), replyRows(), callRows(host.tools), actionRows(host), wordRows(host), clockRows(host)]
  for (const [name, procedure] of tables.flatMap((rows) => Object.entries(rows))) engine.define(name, procedure)
}

type Rows = Record<string, HostProcedure>

function contextRows(): Rows {
  return {
    'make-context': {
      params: 'name system',
      doc: 'A new context that begins with a text from the host. Its name stands in the log.',
      run: ([name, system]) =>
        new Context(text('make-context', 'name', name)).with(
          { from: 'host', text: text('make-context', 'system', system) },
          labelsOf(system!),
        ),
    },
    'fork-context': {
      params: 'context name',
      doc: 'A context of another name with the same messages, to go on apart.',
      run: ([context, name]) => contextIn('fork-context', context).named(text('fork-context', 'name', name)),
    },
    'context-without-tools': {
      params: 'context',
      doc: 'The context, whose model is shown no tools.',
      run: ([value]) => contextIn('context-without-tools', value).withoutTools(),
    },
    'context-add': {
      params: 'context message ...',
      doc: 'The context with messages, replies or outcomes added at its end. A reply without words adds nothing.',
      run: ([context, ...items]) => items.reduce<Context>(added, contextIn('context-add', context)),
    },
    'context-name': { params: 'context', doc: 'The name that stands in the log.', run: ([context]) => contextIn('context-name', context).name },
    'context-calls': {
      params: 'context',
      doc: 'The calls performed in the context that went well, in order.',
      run: ([context]) => list(contextIn('context-calls', context).done as unknown as Value[]),
    },
    'context-length': {
      params: 'context',
      doc: 'How many messages the context holds.',
      run: ([context]) => contextIn('context-length', context).messages.length,
    },
  }
}

function added(context: Context, item: Value): Context {
  if (item instanceof Labelled) return added(context, item.value).labelled(item.labels)
  if (item instanceof SaidByPerson) return context.with({ from: 'person', text: item.text }, item.labels)
  if (item instanceof ModelReply) {
    const { text, thinking, calls } = item.reply
    return text === '' && calls.length === 0 ? context : context.with({ from: 'model', text, thinking, calls }, item.labels)
  }
  if (item instanceof Performed) {
    const { use, outcome } = item
    const message = { from: 'tool', id: use.id, name: use.name, text: outcomeText(outcome), ok: outcome.ok } as const
    return context.with(message, outcome.labels, outcome.ok ? [use] : [])
  }
  throw new SchemeError(`context-add: message must be a message, a reply or an outcome, got ${show(item)}`)
}

function messageRows(): Rows {
  return {
    'person-message': {
      params: 'text',
      doc: 'A message to the model in the place of the person.',
      run: ([said]) => new SaidByPerson(text('person-message', 'text', said), labelsOf(said!)),
    },
  }
}

function replyRows(): Rows {
  const replyIn = (who: string, value: Value | undefined): ModelReply => one(who, 'a reply', ModelReply, value)
  return {
    'reply-text': {
      params: 'reply',
      doc: 'What the model said.',
      run: ([value]) => {
        const { reply, labels } = replyIn('reply-text', value)
        return label(reply.text, labels)
      },
    },
    'reply-calls': {
      params: 'reply',
      doc: 'The calls that the model asks for, in its order.',
      run: ([value]) => list(replyIn('reply-calls', value).calls as unknown as Value[]),
    },
    'reply-ending': {
      params: 'reply',
      doc: 'Why the reply ended: answer, calls, stopped (by the person), steered (by the person, who has typed something), failed (no model) or limit.',
      run: ([value]) => intern(replyIn('reply-ending', value).ending),
    },
  }
}

function callRows({ find }: ToolTable): Rows {
  const useIn = (who: string, value: Value | undefined): ToolUse => one(who, 'a call', ToolUse, value)
  const outcomeIn = (who: string, value: Value | undefined): Outcome => one(who, 'an outcome', Performed, value).outcome
  return {
    'call-name': { params: 'call', doc: 'The name of the tool.', run: ([value]) => useIn('call-name', value).name },
    'call-path': {
      params: 'call',
      doc: 'The path that the call names, or #f.',
      run: ([value]) => {
        const use = useIn('call-path', value)
        return pathOf(use, find(use.name)) ?? false
      },
    },
    'call-read-only?': {
      params: 'call',
      doc: 'Whether the tool changes nothing and may run beside others.',
      run: ([value]) => find(useIn('call-read-only?', value).name)?.readOnly ?? false,
    },
    'call-effect': {
      params: 'call',
      doc: 'What the tool does to the world: read, write, exec, network or none.',
      run: ([value]) => intern(find(useIn('call-effect', value).name)?.effect ?? 'none'),
    },
    'outcome-ok?': { params: 'outcome', doc: 'Whether the call went well.', run: ([value]) => outcomeIn('outcome-ok?', value).ok },
    'outcome-kind': {
      params: 'outcome',
      doc: 'How the call ended: ok, misuse, refused, failed or stopped.',
      run: ([value]) => {
        const outcome = outcomeIn('outcome-kind', value)
        return intern(outcome.ok ? 'ok' : outcome.kind)
      },
    },
    'outcome-value': {
      params: 'outcome',
      doc: 'What calling the tool as a procedure returns, or #f where the call did not go well.',
      run: ([value]) => {
        const outcome = outcomeIn('outcome-value', value)
        return outcome.ok && valueOf(outcome)
      },
    },
    'outcome-times': {
      params: 'outcome',
      doc: 'How often the model has now made this call with this result, nothing having changed in between.',
      run: ([value]) => one('outcome-times', 'an outcome', Performed, value).times,
    },
    'outcome-call': {
      params: 'outcome',
      doc: 'The call that it is the outcome of.',
      run: ([value]) => one('outcome-call', 'an outcome', Performed, value).use,
    },
    'outcome-text': {
      params: 'outcome',
      doc: 'What the model is told of it.',
      run: ([value]) => {
        const outcome = outcomeIn('outcome-text', value)
        return label(outcomeText(outcome), outcome.labels)
      },
    },
  }
}

/** The first argument in the role of a path, as the model gave it. */
function pathOf(use: ToolUse, prim: Prim | undefined): string | null {
  const param = prim?.params.find(({ role }) => role === 'path')
  if (!param) return null
  try {
    const path = (JSON.parse(use.argumentsText) as Record<string, unknown> | null)?.[param.name]
    return typeof path === 'string' ? path : null
  } catch {
    return null
  }
}

function actionRows(host: Host): Rows {
  const repeats = new Repeats()
  return {
    complete: {
      params: 'context',
      doc: 'Asks the model, and waits for its whole reply. It returns a reply whatever happens: see reply-ending.',
      run: ([context], { signal }) => host.complete(contextIn('complete', context), signal),
    },
    perform: {
      params: 'call',
      doc: "Makes one of a reply's calls, through the guard, and returns its outcome.",
      run: async ([value], { signal }) => {
        const use = one('perform', 'a call', ToolUse, value)
        const outcome = await host.perform(use, signal)
        return new Performed(use, outcome, repeats.count(use.ctx, use, outcome))
      },
    },
    attempt: {
      params: 'tool argument ...',
      doc: 'Calls a tool by position and returns its outcome, where calling it as a procedure would raise.',
      run: async ([name, ...values], call) => {
        const use = new ToolUse({ id: '', name: symbolName('attempt', 'tool', name), argumentsText: '' }, 'main', call.labels)
        return new Performed(use, await host.attempt(use.name, values, call))
      },
    },
    'project-check': {
      params: '',
      doc: "The argument vector of the project's check, configured or detected, or #f.",
      run: async () => {
        const command = await host.projectCheck()
        return command === null ? false : list(command)
      },
    },
    'check-rounds': { params: '', doc: 'How often a failed check goes back to the model.', run: () => host.checkRounds },
    'workspace-root': { params: '', doc: 'The folder that the tools work in.', run: () => host.root },
  }
}

function wordRows(host: Host): Rows {
  return {
    prompt: {
      params: 'name value ...',
      doc: 'A text of prompts.scm, with {key} filled in for each "key" and value that follow the name.',
      run: ([name, ...values]) => {
        const key = symbolName('prompt', 'name', name)
        const words = host.prompts.get(key)
        if (words === undefined) throw new SchemeError(`prompt: no text named ${key}`, { help: `the texts are ${[...host.prompts.keys()].join(', ')}` })
        return filled(words, values)
      },
    },
    note: {
      params: 'level text',
      doc: 'Puts a note for the person into the log; level is info, warning or error.',
      run: ([level, words]) => {
        const name = symbolName('note', 'level', level)
        if (name !== 'info' && name !== 'warning' && name !== 'error')
          throw new SchemeError(`note: level must be info, warning or error, got ${name}`)
        host.record({ type: 'note', level: name, text: text('note', 'text', words) })
        return UNSPECIFIED
      },
    },
    typed: {
      params: '',
      doc: 'What the person typed while this worked and was not taken yet, a list of messages.',
      run: () => list(host.typed().map((words) => new SaidByPerson(words, []) as unknown as Value)),
    },
    emit: {
      params: 'what why',
      doc: 'Puts an event into the log: what was changed in a context, and why.',
      run: ([what, why]) => {
        host.record({ type: 'context', what: text('emit', 'what', what), why: text('emit', 'why', why) })
        return UNSPECIFIED
      },
    },
  }
}

/** One pass over the words, so that a brace in a value stays what it is. */
function filled(words: string, values: Value[]): Value {
  const fields = new Map<string, string>()
  for (let i = 0; i < values.length; i += 2) fields.set(text('prompt', 'key', values[i]), display(values[i + 1] ?? NIL))
  const result = words.replace(/\{([\w-]+)\}/g, (brace, key: string) => fields.get(key) ?? brace)
  return label(result, values.flatMap(labelsOf))
}

function clockRows({ value }: Host): Rows {
  return {
    'current-second': {
      params: '',
      doc: 'Seconds since 1970, inexact (R7RS).',
      run: () => new Flonum(value('current-second', () => Date.now() / 1000)),
    },
    'current-jiffy': { params: '', doc: 'Milliseconds since 1970, exact.', run: () => value('current-jiffy', () => Date.now()) },
    'jiffies-per-second': { params: '', doc: 'How many jiffies a second has.', run: () => 1000 },
    'random-integer': {
      params: 'n',
      doc: 'A random exact integer from 0 up to, not including, n.',
      run: ([n]) => {
        if (typeof n !== 'number' || n < 1) throw new SchemeError(`random-integer: n must be a positive integer, got ${show(n!)}`)
        return value('random-integer', () => Math.floor(Math.random() * n))
      },
    },
  }
}

// What a procedure gets, checked.

function bare(value: Value | undefined): Value {
  return value instanceof Labelled ? value.value : (value ?? NIL)
}

function labelsOf(value: Value): string[] {
  return value instanceof Labelled ? [...value.labels] : []
}

function text(who: string, what: string, value: Value | undefined): string {
  const plain = bare(value)
  if (typeof plain === 'string') return plain
  if (plain instanceof MutableString) return plain.toString()
  throw new SchemeError(`${who}: ${what} must be a string, got ${show(plain)}`)
}

function symbolName(who: string, what: string, value: Value | undefined): string {
  const plain = bare(value)
  if (plain instanceof SchemeSymbol) return plain.name
  throw new SchemeError(`${who}: ${what} must be a symbol, got ${show(plain)}`)
}

/** As `display` writes it. */
function display(value: Value): string {
  const plain = bare(value)
  return typeof plain === 'string' || plain instanceof MutableString ? plain.toString() : show(plain)
}

function contextIn(who: string, value: Value | undefined): Context {
  return one(who, 'a context', Context, value)
}

function one<T>(who: string, expected: string, kind: abstract new (...args: never[]) => T, value: Value | undefined): T {
  const plain = bare(value)
  if (plain instanceof kind) return plain
  throw new SchemeError(`${who}: expected ${expected}, got ${show(plain)}`)
}
