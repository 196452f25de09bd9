// A provider's address to a `fetch` for its client: it tries again where that may help, gives up where it
// does not, and turns each failure into a ModelError that a person can act on. Keys are hidden here, in
// every text that came from outside.

import { setTimeout as sleep } from 'node:timers/promises'
import { Stalled, exchange, type Sent, type Waiting } from './exchange.ts'
import { ModelError } from './talk.ts'

export interface Patience extends Waiting {
  /** Tries in all, before the first byte has come. */
  attempts: number
  /** Milliseconds before the second try; each later wait is twice as long. */
  backOffMs: number
  /** The longest wait that a server may ask for; above it the request fails with what it asked. */
  longestWaitMs: number
}

export const PATIENCE: Patience = { firstByteMs: 120_000, betweenMs: 60_000, attempts: 4, backOffMs: 500, longestWaitMs: 60_000 }

/** Whom a request goes to, and how to speak of it. */
export interface Endpoint {
  /** The model's name, with which each message begins. */
  who: string
  url: URL
  patience: Patience
  secrets: readonly string[]
  /** What to do where nobody answers. */
  help: string
  /** What to do about a refusal, where the provider knows more than its status says. */
  helpFor?(status: number, answer: string): string | null
}

/** A server that answered with a status of its own. */
export class StatusError extends ModelError {
  readonly status: number
  /** Its answer in one line. */
  readonly answer: string
  constructor(status: number, answer: string, message: string, help: string | null) {
    super('refused', message, help)
    this.status = status
    this.answer = answer
  }
}

const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'EAI_AGAIN'])
const MOST_ERROR_BYTES = 64 * 1024
const MOST_ANSWER = 300

/** The patience that the person's environment asks for, with what the caller sets over it. */
export function patienceOf(env: Record<string, string | undefined>, given: Partial<Patience> = {}): Patience {
  const seconds = Number(env['NODWYN_FIRST_BYTE_SECONDS'])
  const asked = seconds > 0 ? { firstByteMs: Math.min(seconds * 1000, 2 ** 31 - 1) } : {}
  return { ...PATIENCE, ...asked, ...given }
}

/** A `fetch` that rejects with ModelError, and whose body errors with one. The signal is the caller's: that of a
 * client's own request is not looked at. */
export function makeFetch(endpoint: Endpoint, signal: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const sent: Sent = {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
    }
    return withMeaning(await send(endpoint, url, sent, signal), endpoint)
  }
}

/** Runs one request of a client. It rejects with the signal's reason, with the ModelError beneath what the
 * client wrapped around it, or with what `explain` makes of the client's own complaint. */
export async function asking<T>(signal: AbortSignal, work: () => Promise<T>, explain: (error: unknown) => unknown = (error) => error): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ModelError) throw cause
    throw explain(error)
  }
}

/** Where the requests go, as a person may see it: no user, no password, no query. */
export function showUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** Text from outside, as one line without keys. */
export function oneLine(text: string, secrets: readonly string[] = [], most = MOST_ANSWER): string {
  let line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  for (const secret of secrets) if (secret !== '') line = line.replaceAll(secret, '[hidden]')
  return line.length > most ? `${line.slice(0, most)}…` : line
}

async function send(endpoint: Endpoint, url: URL, sent: Sent, signal: AbortSignal): Promise<Response> {
  const { patience } = endpoint
  for (let attempt = 1; ; attempt++) {
    let wait = patience.backOffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
    try {
      const response = await exchange(url, sent, patience, signal)
      if (response.ok) return response
      const error = await refusal(response, endpoint)
      if (!isPassing(response.status) || attempt >= patience.attempts) throw error
      wait = askedWait(response.headers) ?? wait
      if (wait > patience.longestWaitMs) throw tooLong(error, wait)
    } catch (error) {
      if (error instanceof ModelError || !isReset(error) || attempt >= patience.attempts) throw meaning(error, endpoint, attempt)
    }
    await sleep(wait, undefined, { signal })
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

function isReset(error: unknown): boolean {
  return RESET.has((error as NodeJS.ErrnoException).code ?? '')
}

/** What a server asks for in Retry-After, seconds or a date; null where it asks for nothing. */
function askedWait(headers: Headers): number | null {
  const asked = headers.get('retry-after')
  if (asked === null) return null
  const ms = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function tooLong(error: StatusError, wait: number): StatusError {
  const help = `the server asks to wait ${Math.ceil(wait / 1000)} seconds; try again then`
  return new StatusError(error.status, error.answer, error.message, help)
}

async function refusal(response: Response, { who, url, secrets, helpFor }: Endpoint): Promise<StatusError> {
  const answer = oneLine(errorText(await shortText(response)), secrets)
  const message = `${who}: ${showUrl(url)} answered ${response.status}${answer === '' ? '' : `: ${answer}`}`
  return new StatusError(response.status, answer, message, helpFor?.(response.status, answer) ?? statusHelp(response.status))
}

function statusHelp(status: number): string | null {
  if (status === 401 || status === 403) return 'see whether the key is right and may use this model'
  if (status === 429) return 'the server limits how often it may be asked; try again later'
  return null
}

/** The words of an error body: {"error": "…"}, {"error": {"message": "…"}}, {"message": "…"}, or the text. */
export function errorText(text: string): string {
  try {
    const value = JSON.parse(text) as { error?: string | { message?: string }; message?: string } | null
    const { error = value?.message } = value ?? {}
    const words = typeof error === 'object' ? error?.message : error
    return typeof words === 'string' ? words : text
  } catch {
    return text
  }
}

async function shortText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MOST_ERROR_BYTES) break
    }
  } catch {
    // The status says enough; its text is an extra that broke off.
  }
  return text
}

/** The response with a body whose errors say what happened in the middle of it. */
function withMeaning(response: Response, endpoint: Endpoint): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error instanceof Stalled ? stalled(error, endpoint, 'more of the answer') : brokenOff(endpoint))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

/** A stream that ended before the reply did. */
export function brokenOff({ who, url }: Endpoint): ModelError {
  return new ModelError('protocol', `${who}: the reply of ${showUrl(url)} broke off before its end`, 'try again')
}

function stalled({ ms }: Stalled, { who, url }: Pick<Endpoint, 'who' | 'url'>, what: string, help = 'try again'): ModelError {
  return new ModelError('stalled', `${who}: expected ${what} from ${showUrl(url)} within ${ms / 1000} s, got nothing`, help)
}

function meaning(error: unknown, { who, url, help, secrets }: Endpoint, attempts: number): unknown {
  if (error instanceof ModelError || !(error instanceof Error) || error.name === 'AbortError') return error
  if (error instanceof Stalled) return stalled(error, { who, url }, 'an answer', 'a large model may take longer to its first word: set NODWYN_FIRST_BYTE_SECONDS')
  const at = showUrl(url)
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return new ModelError('unreachable', `${who}: nothing listens at ${at}`, help)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ModelError('unreachable', `${who}: no such host: ${url.hostname}`, help)
  if (code.startsWith('HPE_')) return new ModelError('protocol', `${who}: expected HTTP from ${at}, got something else`, help)
  if (isReset(error)) return new ModelError('unreachable', `${who}: ${at} closed the connection before it answered, ${attempts} ${attempts === 1 ? 'time' : 'times'}`, help)
  return new ModelError('unreachable', `${who}: ${at} cannot be reached: ${oneLine(error.message, secrets)}`, help)
}
