// Talk to and from Ollama's native API, through its own client. The client reads the stream; patience,
// retries and what failures mean are retry.ts, the window and cut prompts window.ts.

import type { ChatResponse, Message as WireMessage, Tool } from 'ollama'
import { checkLines } from './line-check.ts'
import { isRecord, pastArguments } from './past-call.ts'
import { asking, makeFetch, patienceOf, type Endpoint, type Patience } from './retry.ts'
import { ModelError, type Call, type Delta, type Message, type Model, type Reply, type Request, type ToolSchema } from './talk.ts'
import { noticeCut, windowFromEnvironment, windowOf } from './window.ts'
import { findWrittenCalls } from './written-call.ts'

export interface OllamaOptions {
  /** Where OLLAMA_HOST, OLLAMA_CONTEXT_LENGTH and NODWYN_FIRST_BYTE_SECONDS stand. Default: the program's own. */
  env?: Record<string, string | undefined>
  /** In place of OLLAMA_HOST, in any of its forms. */
  host?: string
  /** Tokens; in place of OLLAMA_CONTEXT_LENGTH, else found by asking the server at the first request. */
  window?: number
  patience?: Partial<Patience>
  /** What the model is called to a person. Default: `ollama:NAME`. */
  shownAs?: string
}

const DEFAULT_HOST = '127.0.0.1:11434'
const DEFAULT_PORT = '11434'

/** A model of an Ollama server. Throws ModelError where the environment makes no sense; asks no server yet. */
export function makeOllama(name: string, options: OllamaOptions = {}): Model {
  const { env = process.env, shownAs = `ollama:${name}` } = options
  const url = parseHost(options.host ?? env['OLLAMA_HOST'] ?? '')
  const endpoint: Endpoint = {
    who: shownAs,
    url,
    patience: patienceOf(env, options.patience),
    secrets: [decodeURIComponent(url.password), url.password, env['OLLAMA_API_KEY'] ?? ''],
    help: 'start it with ollama serve, or set OLLAMA_HOST to where it runs; nodwyn demo works without a model',
    helpFor: (status, answer) => refusalHelp(name, status, answer),
  }
  return new OllamaModel(name, endpoint, options.window ?? windowFromEnvironment(env))
}

class OllamaModel implements Model {
  readonly name: string
  window: number | null
  private readonly model: string
  private readonly endpoint: Endpoint
  constructor(model: string, endpoint: Endpoint, window: number | null) {
    this.name = endpoint.who
    this.window = window
    this.model = model
    this.endpoint = endpoint
  }

  async complete(request: Request, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Reply> {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    try {
      return await asking(signal, async () => {
        const window = (this.window ??= await this.findWindow(either))
        return toReply(await this.listen(request, window, onDelta, either), request, window)
      })
    } finally {
      over.abort()
    }
  }

  private async listen(request: Request, window: number, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Heard> {
    const client = await makeClient(this.endpoint, signal)
    const stream = await client.chat({
      model: this.model,
      messages: request.messages.map(toWire),
      tools: request.tools.map(toTool),
      options: { num_ctx: window },
      stream: true,
    })
    const heard: Heard = { text: '', thinking: '', calls: [], last: {} }
    for await (const chunk of stream) hear(chunk, heard, onDelta)
    return heard
  }

  private async findWindow(signal: AbortSignal): Promise<number> {
    try {
      const client = await makeClient(this.endpoint, signal)
      return windowOf(await asking(signal, () => client.show({ model: this.model })))
    } catch (error) {
      // A server of Ollama's shape that cannot show a model may still be one to talk to, and what is wrong with
      // the model it says again in the answer to the talk.
      if (error instanceof SyntaxError || (error instanceof ModelError && error.kind === 'refused')) return windowOf({})
      throw error
    }
  }
}

/** What has come of a reply. */
interface Heard {
  text: string
  thinking: string
  calls: Call[]
  /** The chunk that said `done`, with the figures. */
  last: Partial<ChatResponse>
}

async function makeClient(endpoint: Endpoint, signal: AbortSignal): Promise<InstanceType<(typeof import('ollama/browser'))['Ollama']>> {
  const { Ollama } = await import('ollama/browser')
  const send = makeFetch(endpoint, signal)
  const checked: typeof fetch = async (input, init) => {
    const response = await send(input, init)
    const isTalk = String(input).endsWith('/api/chat') && response.body
    return isTalk ? new Response(checkLines(response.body!, endpoint), response) : response
  }
  return new Ollama({ host: endpoint.url.href, fetch: checked })
}

function hear(chunk: Partial<ChatResponse>, heard: Heard, onDelta: (delta: Delta) => void): void {
  if (chunk.done) heard.last = chunk
  const { content, thinking, tool_calls: calls } = chunk.message ?? {}
  if (typeof thinking === 'string' && thinking !== '') {
    heard.thinking += thinking
    onDelta({ kind: 'thinking', text: thinking })
  }
  if (typeof content === 'string' && content !== '') {
    heard.text += content
    onDelta({ kind: 'text', text: content })
  }
  for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) hearCall(call, heard, onDelta)
}

function hearCall(call: unknown, heard: Heard, onDelta: (delta: Delta) => void): void {
  const { id, function: used } = isRecord(call) ? call : {}
  const { name, arguments: given = {} } = isRecord(used) ? used : {}
  if (typeof name !== 'string') return
  heard.calls.push({ id: typeof id === 'string' ? id : '', name, argumentsText: typeof given === 'string' ? given : JSON.stringify(given) })
  onDelta({ kind: 'call', name })
}

function toReply(heard: Heard, request: Request, window: number): Reply {
  const { last, thinking } = heard
  const written = heard.calls.length === 0 ? findWrittenCalls(heard.text, request.tools) : null
  const { text, calls } = written ?? heard
  const read = last.prompt_eval_count
  const cut = read === undefined ? null : noticeCut(request, read, window)
  return {
    text,
    thinking,
    calls,
    usage: { promptTokens: read ?? 0, cachedTokens: null, completionTokens: last.eval_count ?? 0 },
    promptEvalMs: milliseconds(last.prompt_eval_duration),
    evalMs: milliseconds(last.eval_duration),
    stop: calls.length > 0 && last.done_reason !== 'length' ? 'calls' : (last.done_reason ?? 'stop'),
    warnings: cut === null ? [] : [cut],
  }
}

/** Ollama counts nanoseconds. */
function milliseconds(nanoseconds: number | undefined): number | null {
  return nanoseconds === undefined ? null : nanoseconds / 1e6
}

function toWire(message: Message): WireMessage {
  switch (message.from) {
    case 'host':
      return { role: 'system', content: message.text }
    case 'person':
      return { role: 'user', content: message.text }
    case 'tool':
      return { role: 'tool', content: message.text, tool_name: message.name }
    case 'model': {
      const { text, thinking, calls } = message
      const used = calls.map(({ name, argumentsText }) => ({ function: { name, arguments: pastArguments(argumentsText) } }))
      return { role: 'assistant', content: text, ...(thinking && { thinking }), ...(used.length > 0 && { tool_calls: used }) }
    }
  }
}

function toTool({ name, description, parameters }: ToolSchema): Tool {
  return { type: 'function', function: { name, description, parameters: parameters as NonNullable<Tool['function']['parameters']> } }
}

/** OLLAMA_HOST as Ollama's own programs read it: HOST, HOST:PORT, :PORT or a URL. An address to listen on at
 * all interfaces is one to ask at this machine. */
export function parseHost(text: string): URL {
  const given = text.trim().replace(/^["']|["']$/g, '') || DEFAULT_HOST
  try {
    const hasScheme = given.includes('://')
    const url = new URL(hasScheme ? given : `http://${given.startsWith(':') ? '127.0.0.1' : ''}${given}`)
    if (!/^https?:$/.test(url.protocol)) throw new TypeError('not HTTP')
    if (!hasScheme && url.port === '' && !given.endsWith(':80')) url.port = DEFAULT_PORT
    if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
    url.search = url.hash = ''
    return url
  } catch {
    const shown = given.replace(/[^/@]*@/, '')
    throw new ModelError('configuration', `OLLAMA_HOST: expected HOST:PORT or a URL, got ${JSON.stringify(shown)}`)
  }
}

function refusalHelp(name: string, status: number, answer: string): string | null {
  if (/does not support tools/.test(answer)) return 'choose a model that can call tools; ollama show NAME lists what a model can do'
  if (status === 404) return `ollama pull ${name} fetches it, and ollama list shows what is there`
  return null
}
