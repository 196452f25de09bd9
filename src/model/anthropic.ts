// Talk to and from Anthropic's Messages API, through its client. A tool's results go back in one message of
// the person's side, as that API wants it, and three marks say up to where the prompt may be kept in its
// cache. Patience, retries and what failures mean are retry.ts.

import type Anthropic from '@anthropic-ai/sdk'
import { isRecord, pastArguments } from './past-call.ts'
import { StatusError, asking, brokenOff, makeFetch, oneLine, patienceOf, showUrl, type Endpoint, type Patience } from './retry.ts'
import { ModelError, type Call, type Delta, type Message, type Model, type Reply, type Request, type ToolSchema, type Usage } from './talk.ts'

export interface AnthropicOptions {
  /** Where ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY and NODWYN_FIRST_BYTE_SECONDS stand. Default: the program's own. */
  env?: Record<string, string | undefined>
  baseUrl?: string
  key?: string
  patience?: Partial<Patience>
}

const DEFAULT_URL = 'https://api.anthropic.com'
/** The client's own patience, which must not end before ours. */
const FOREVER = 2 ** 31 - 1
/** Tokens that fit into each of these models. */
const WINDOW = 200_000
/** Tokens of one reply, as long as the server does not say that the model gives fewer. */
const MOST_TOKENS = 32_000

/** A model behind a base URL. Throws ModelError where the environment makes no sense; asks no server yet. */
export function makeAnthropic(name: string, options: AnthropicOptions = {}): Model {
  const { env = process.env } = options
  const who = `anthropic:${name}`
  const text = options.baseUrl ?? (env['ANTHROPIC_BASE_URL'] || DEFAULT_URL)
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol)) throw new ModelError('configuration', `ANTHROPIC_BASE_URL: expected a URL, got ${JSON.stringify(text.replace(/[^/@]*@/, ''))}`, `it looks like ${DEFAULT_URL}`)
  const key = options.key ?? env['ANTHROPIC_API_KEY'] ?? ''
  if (key === '') throw new ModelError('configuration', `${who}: missing ANTHROPIC_API_KEY`, 'set it to your key')
  const endpoint: Endpoint = {
    who,
    url,
    patience: patienceOf(env, options.patience),
    secrets: [key, url.password, decodeURIComponent(url.password)],
    help: 'see whether there is a network, and ANTHROPIC_BASE_URL is right; nodwyn demo works without a model',
    helpFor: (status) => (status === 404 ? 'see whether there is a model of that name' : null),
  }
  return new AnthropicModel(name, endpoint, key)
}

class AnthropicModel implements Model {
  readonly name: string
  readonly window = WINDOW
  private readonly model: string
  private readonly endpoint: Endpoint
  private readonly key: string
  private mostTokens = MOST_TOKENS
  constructor(model: string, endpoint: Endpoint, key: string) {
    this.name = endpoint.who
    this.model = model
    this.endpoint = endpoint
    this.key = key
  }

  async complete(request: Request, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Reply> {
    const over = new AbortController()
    const client = await this.makeClient(AbortSignal.any([signal, over.signal]))
    const reply = new Growing(onDelta)
    try {
      const stream = await asking(signal, () => this.open(client, request))
      await asking(signal, () => this.gather(stream, reply), (error) => this.explain(error))
    } finally {
      over.abort()
    }
    return reply.finished()
  }

  /** Asks again with fewer tokens where the server says how many the model can give. */
  private async open(client: Anthropic, request: Request): Promise<AsyncIterable<unknown>> {
    const asked = () => asking(new AbortController().signal, () => client.messages.create({ ...toWire(request), model: this.model, max_tokens: this.mostTokens, stream: true }))
    try {
      return await asked()
    } catch (error) {
      const most = error instanceof StatusError && error.status === 400 ? /max_tokens: \d+ > (\d+)/.exec(error.answer)?.[1] : undefined
      if (most === undefined || Number(most) >= this.mostTokens) throw error
      this.mostTokens = Number(most)
      return asked()
    }
  }

  private async gather(stream: AsyncIterable<unknown>, reply: Growing): Promise<void> {
    for await (const event of stream) reply.add(event)
    if (reply.isWhole) return
    if (reply.hasBegun) throw brokenOff(this.endpoint)
    throw this.nonsense('nothing of that kind')
  }

  /** What went wrong in the middle of a stream, where it was not the connection. */
  private explain(error: unknown): unknown {
    if (error instanceof ModelError || !(error instanceof Error) || error.name === 'AbortError') return error
    const { who, url, secrets } = this.endpoint
    if (error instanceof SyntaxError) return this.nonsense('an event that is no JSON')
    const said = (error as { error?: { error?: { message?: unknown } } }).error?.error?.message
    return new ModelError('refused', `${who}: ${showUrl(url)} broke off: ${oneLine(typeof said === 'string' ? said : error.message, secrets)}`)
  }

  private nonsense(got: string): ModelError {
    const { who, url } = this.endpoint
    return new ModelError('protocol', `${who}: expected a stream of messages from ${showUrl(url)}, got ${got}`, 'see whether ANTHROPIC_BASE_URL is right')
  }

  private async makeClient(signal: AbortSignal): Promise<Anthropic> {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    return new Anthropic({
      apiKey: this.key,
      baseURL: this.endpoint.url.href.replace(/\/$/, ''),
      maxRetries: 0,
      timeout: FOREVER,
      logLevel: 'off',
      fetch: makeFetch(this.endpoint, signal),
    })
  }
}

/** A reply that grows with each event of the stream. */
class Growing {
  hasBegun = false
  isWhole = false
  private text = ''
  private thinking = ''
  private readonly calls = new Map<number, Call>()
  private readonly usage = { input: 0, cached: null as number | null, created: 0, output: 0 }
  private stop = 'stop'
  private readonly onDelta: (delta: Delta) => void
  constructor(onDelta: (delta: Delta) => void) {
    this.onDelta = onDelta
  }

  add(event: unknown): void {
    if (!isRecord(event)) return
    this.hasBegun ||= event['type'] !== 'ping'
    switch (event['type']) {
      case 'message_start':
        return this.count(isRecord(event['message']) ? event['message']['usage'] : null)
      case 'content_block_start':
        return this.begin(Number(event['index']), event['content_block'])
      case 'content_block_delta':
        return this.grow(Number(event['index']), event['delta'])
      case 'message_delta':
        if (isRecord(event['delta']) && typeof event['delta']['stop_reason'] === 'string') this.stop = STOPS[event['delta']['stop_reason']] ?? event['delta']['stop_reason']
        return this.count(event['usage'])
      case 'message_stop':
        this.isWhole = true
    }
  }

  finished(): Reply {
    const { input, cached, created, output } = this.usage
    const usage: Usage = { promptTokens: input + (cached ?? 0) + created, cachedTokens: cached, completionTokens: output }
    const calls = [...this.calls.values()].map((call) => ({ ...call, argumentsText: call.argumentsText || '{}' }))
    return { text: this.text, thinking: this.thinking, calls, usage, promptEvalMs: null, evalMs: null, stop: this.stop, warnings: [] }
  }

  private begin(index: number, block: unknown): void {
    if (!isRecord(block)) return
    if (block['type'] === 'tool_use') {
      const name = String(block['name'] ?? '')
      const input = isRecord(block['input']) && Object.keys(block['input']).length > 0 ? JSON.stringify(block['input']) : ''
      this.calls.set(index, { id: String(block['id'] ?? ''), name, argumentsText: input })
      this.onDelta({ kind: 'call', name })
    }
    this.addText('text', block['type'] === 'text' ? block['text'] : '')
  }

  private grow(index: number, delta: unknown): void {
    if (!isRecord(delta)) return
    const call = this.calls.get(index)
    if (delta['type'] === 'input_json_delta' && call && typeof delta['partial_json'] === 'string') call.argumentsText += delta['partial_json']
    this.addText('text', delta['type'] === 'text_delta' ? delta['text'] : '')
    this.addText('thinking', delta['type'] === 'thinking_delta' ? delta['thinking'] : '')
  }

  private addText(kind: 'text' | 'thinking', text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this[kind] += text
    this.onDelta({ kind, text })
  }

  /** The last event gives the whole of what the reply took. */
  private count(usage: unknown): void {
    if (!isRecord(usage)) return
    const number = (name: string): number | null => (typeof usage[name] === 'number' ? usage[name] : null)
    this.usage.input = number('input_tokens') ?? this.usage.input
    this.usage.cached = number('cache_read_input_tokens') ?? this.usage.cached
    this.usage.created = number('cache_creation_input_tokens') ?? this.usage.created
    this.usage.output = number('output_tokens') ?? this.usage.output
  }
}

const STOPS: Record<string, string> = { end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length', tool_use: 'calls' }
const KEEP = { cache_control: { type: 'ephemeral' as const } }

type Wire = Pick<Anthropic.MessageCreateParams, 'system' | 'messages' | 'tools'>

/** What the host says first is the system text; later it speaks on the person's side. */
function toWire({ messages, tools }: Request): Wire {
  const first = messages.findIndex(({ from }) => from !== 'host')
  const head = messages.slice(0, first < 0 ? messages.length : first)
  const system = head.map(({ text }, i) => ({ type: 'text' as const, text, ...(i === head.length - 1 ? KEEP : {}) }))
  const talk = grouped(messages.slice(head.length))
  const last = talk.at(-1)?.content
  if (Array.isArray(last) && last.length > 0) Object.assign(last.at(-1)!, KEEP)
  return {
    ...(system.length > 0 && { system }),
    messages: talk,
    ...(tools.length > 0 && { tools: tools.map((tool, i) => ({ ...toTool(tool), ...(i === tools.length - 1 ? KEEP : {}) })) }),
  }
}

/** Neighbours on the same side are one message. */
function grouped(messages: readonly Message[]): Anthropic.MessageParam[] {
  const talk: { role: 'user' | 'assistant'; content: Anthropic.ContentBlockParam[] }[] = []
  for (const message of messages) {
    const role = message.from === 'model' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const before = talk.at(-1)
    if (before?.role === role) before.content.push(...content)
    else talk.push({ role, content })
  }
  return talk
}

/** No block may be empty. */
function blocksOf(message: Message): Anthropic.ContentBlockParam[] {
  const text = (said: string): Anthropic.TextBlockParam => ({ type: 'text', text: said.trim() === '' ? '(nothing)' : said })
  if (message.from === 'tool') return [{ type: 'tool_result', tool_use_id: wireId(message.id), content: [text(message.text)], ...(message.ok ? {} : { is_error: true }) }]
  if (message.from !== 'model') return [text(message.text)]
  const calls = message.calls.map(({ id, name, argumentsText }) => ({ type: 'tool_use' as const, id: wireId(id), name, input: pastArguments(argumentsText) }))
  return message.text.trim() === '' && calls.length > 0 ? calls : [text(message.text), ...calls]
}

/** Of letters that this API takes. */
function wireId(id: string): string {
  return id.replace(/[^\w-]/g, '_') || 'call'
}

function toTool({ name, description, parameters }: ToolSchema): Anthropic.Tool {
  return { name, description, input_schema: parameters as Anthropic.Tool.InputSchema }
}
