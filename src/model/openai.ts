// Talk to and from any endpoint of the chat-completions shape, through the openai client. The chunks are
// put together in delta.ts; patience, retries and what failures mean are retry.ts.

import type OpenAI from 'openai'
import { Gathered } from './delta.ts'
import { pastArguments } from './past-call.ts'
import { StatusError, asking, brokenOff, makeFetch, oneLine, patienceOf, showUrl, type Endpoint, type Patience } from './retry.ts'
import { ModelError, type Call, type Delta, type Message, type Model, type Reply, type Request, type ToolSchema } from './talk.ts'

export interface OpenAIOptions {
  /** Where OPENAI_BASE_URL, OPENAI_API_KEY and NODWYN_FIRST_BYTE_SECONDS stand. Default: the program's own. */
  env?: Record<string, string | undefined>
  /** In place of OPENAI_BASE_URL. */
  baseUrl?: string
  /** In place of OPENAI_API_KEY. */
  key?: string
  /** Tokens that fit, where the caller knows. */
  window?: number
  patience?: Partial<Patience>
}

const DEFAULT_URL = 'https://api.openai.com/v1'
/** The client wants a key where a server of one's own wants none. */
const NO_KEY = 'none'
/** The client's own patience, which must not end before ours. */
const FOREVER = 2 ** 31 - 1

/** A model behind a base URL. Throws ModelError where the environment makes no sense; asks no server yet. */
export function makeOpenAI(name: string, options: OpenAIOptions = {}): Model {
  const { env = process.env, window = null } = options
  const who = `openai:${name}`
  const url = parseUrl(options.baseUrl ?? (env['OPENAI_BASE_URL'] || DEFAULT_URL))
  const key = options.key ?? env['OPENAI_API_KEY'] ?? ''
  if (key === '' && url.href === DEFAULT_URL)
    throw new ModelError('configuration', `${who}: missing OPENAI_API_KEY`, 'set it, or set OPENAI_BASE_URL to a server that needs no key')
  const endpoint: Endpoint = {
    who,
    url,
    patience: patienceOf(env, options.patience),
    secrets: [key, url.password, decodeURIComponent(url.password)],
    help: 'see whether OPENAI_BASE_URL is right and the server runs; nodwyn demo works without a model',
    helpFor: (status) => (status === 404 ? 'see whether the model is there and OPENAI_BASE_URL ends as the server wants it, mostly in /v1' : null),
  }
  return new OpenAIModel(name, endpoint, key || NO_KEY, window)
}

class OpenAIModel implements Model {
  readonly name: string
  readonly window: number | null
  private readonly model: string
  private readonly endpoint: Endpoint
  private readonly key: string
  /** Whether the server takes `stream_options`, until it says that it does not. */
  private takesOptions = true
  private saidNoUsage = false
  constructor(model: string, endpoint: Endpoint, key: string, window: number | null) {
    this.name = endpoint.who
    this.window = window
    this.model = model
    this.endpoint = endpoint
    this.key = key
  }

  async complete(request: Request, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Reply> {
    const over = new AbortController()
    const client = await this.makeClient(AbortSignal.any([signal, over.signal]))
    const gathered = new Gathered(onDelta)
    try {
      const stream = await asking(signal, () => this.open(client, request))
      await asking(signal, () => this.gather(stream, gathered))
    } finally {
      over.abort()
    }
    return this.toReply(gathered)
  }

  private async open(client: OpenAI, request: Request): Promise<AsyncIterable<unknown>> {
    const asked = {
      model: this.model,
      messages: request.messages.map(toWire),
      ...(request.tools.length > 0 && { tools: request.tools.map(toTool) }),
      stream: true as const,
    }
    const options = { ...asked, stream_options: { include_usage: true } }
    try {
      return await asking(new AbortController().signal, () => client.chat.completions.create(this.takesOptions ? options : asked))
    } catch (error) {
      const isRefusedOption = error instanceof StatusError && error.status < 500 && error.answer.includes('stream_options')
      if (!this.takesOptions || !isRefusedOption) throw error
      this.takesOptions = false
      return client.chat.completions.create(asked)
    }
  }

  private async gather(stream: AsyncIterable<unknown>, gathered: Gathered): Promise<void> {
    const chunks = stream[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await chunks.next().catch((error: unknown) => Promise.reject(this.explain(error)))
      if (done) break
      gathered.add(value)
    }
    if (gathered.finish !== null) return
    if (gathered.text !== '' || gathered.thinking !== '' || gathered.calls.length > 0) throw brokenOff(this.endpoint)
    throw this.nonsense('nothing of that kind')
  }

  /** What went wrong in the middle of a stream, where it was not the connection. */
  private explain(error: unknown): unknown {
    if (error instanceof ModelError || !(error instanceof Error) || error.name === 'AbortError') return error
    const { who, url, secrets } = this.endpoint
    if (error instanceof SyntaxError) return this.nonsense('an event that is no JSON')
    return new ModelError('refused', `${who}: ${showUrl(url)} broke off: ${oneLine(error.message, secrets)}`)
  }

  private nonsense(got: string): ModelError {
    const { who, url } = this.endpoint
    return new ModelError('protocol', `${who}: expected a stream of chat completions from ${showUrl(url)}, got ${got}`, 'see whether OPENAI_BASE_URL is right; it mostly ends in /v1')
  }

  private toReply({ text, thinking, calls, usage, finish }: Gathered): Reply {
    const warnings: string[] = []
    if (usage === null && !this.saidNoUsage) warnings.push(`${this.name}: the server does not report its use of tokens, so that figures and limits leave it out`)
    this.saidNoUsage ||= usage === null
    return {
      text,
      thinking,
      calls: calls.map(({ id, name, argumentsText }): Call => ({ id, name, argumentsText: argumentsText || '{}' })),
      usage: usage ?? { promptTokens: 0, cachedTokens: null, completionTokens: 0 },
      promptEvalMs: null,
      evalMs: null,
      stop: finish === 'tool_calls' || (finish === 'stop' && calls.length > 0) ? 'calls' : (finish ?? 'stop'),
      warnings,
    }
  }

  private async makeClient(signal: AbortSignal): Promise<OpenAI> {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      apiKey: this.key,
      baseURL: this.endpoint.url.href.replace(/\/$/, ''),
      maxRetries: 0,
      timeout: FOREVER,
      logLevel: 'off',
      fetch: makeFetch(this.endpoint, signal),
    })
  }
}

function toWire(message: Message): OpenAI.ChatCompletionMessageParam {
  switch (message.from) {
    case 'host':
      return { role: 'system', content: message.text }
    case 'person':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', tool_call_id: message.id, content: message.text }
    case 'model': {
      const { text, calls } = message
      if (calls.length === 0) return { role: 'assistant', content: text }
      return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls.map(toWireCall) }
    }
  }
}

/** Text that is an object goes back byte for byte, so that the request begins as the one before. */
function toWireCall({ id, name, argumentsText }: Call): OpenAI.ChatCompletionMessageFunctionToolCall {
  const past = pastArguments(argumentsText)
  const text = past['malformed'] === argumentsText ? JSON.stringify(past) : argumentsText
  return { id, type: 'function', function: { name, arguments: text } }
}

function toTool({ name, description, parameters }: ToolSchema): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: parameters as Record<string, unknown> } }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text.trim())
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new ModelError('configuration', `OPENAI_BASE_URL: expected a URL, got ${JSON.stringify(text.replace(/[^/@]*@/, ''))}`, 'it looks like http://127.0.0.1:8080/v1')
}
