// One HTTP request to a response whose first bytes have come. It is what `fetch` does, but with our own
// patience: Node's gives up after five minutes, and a large model on a small machine may take longer to
// its first word. What the errors mean to a person is said in retry.ts.

import type { ClientRequest, IncomingMessage } from 'node:http'

/** Nothing came within the `ms` milliseconds that were allowed. */
export class Stalled extends Error {
  readonly ms: number
  constructor(ms: number) {
    super(`nothing came for ${ms} ms`)
    this.ms = ms
  }
}

/** How long to wait, in milliseconds: to the first byte of a body, and from one chunk to the next. */
export interface Waiting {
  firstByteMs: number
  betweenMs: number
}

export interface Sent {
  method: string
  headers: Record<string, string>
  body: string | null
}

/** Rejects, and so does the body, with Stalled, the system's error, or the signal's reason. A redirection is
 * not followed: it would take the key along. */
export async function exchange(url: URL, sent: Sent, waiting: Waiting, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
  const deadline = Date.now() + waiting.firstByteMs
  const message = await answerTo(url, sent, waiting.firstByteMs, signal)
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const release = onAbort(signal, message)
  const next = async (ms: number, allowed: number): Promise<IteratorResult<Uint8Array>> => {
    const timer = setTimeout(() => message.destroy(new Stalled(allowed)), ms)
    return chunks.next().finally(() => clearTimeout(timer))
  }
  let chunk: IteratorResult<Uint8Array> | null = await next(Math.max(0, deadline - Date.now()), waiting.firstByteMs)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = chunk ?? (await next(waiting.betweenMs, waiting.betweenMs))
      chunk = null
      if (!done) return controller.enqueue(value)
      release()
      controller.close()
    },
    cancel: () => void message.destroy(),
  })
  const { statusCode: status = 200 } = message
  return new Response(mayHaveBody(status) ? body : null, { status, headers: headersOf(message) })
}

async function answerTo(url: URL, { method, headers, body }: Sent, ms: number, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const sending = request(url, { method, headers: { ...headers, ...length, 'accept-encoding': 'identity' } })
  const timer = setTimeout(() => sending.destroy(new Stalled(ms)), ms)
  const release = onAbort(signal, sending)
  return new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve).on('error', reject)
    sending.end(body ?? undefined)
  }).finally(() => {
    clearTimeout(timer)
    release()
  })
}

/** Until released, an abort destroys the request or its answer, with the signal's reason. */
function onAbort(signal: AbortSignal, stream: ClientRequest | IncomingMessage): () => void {
  const stop = (): void => void stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  stream.on('error', () => {}) // whoever reads it has the error too
  return () => signal.removeEventListener('abort', stop)
}

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  return headers
}

/** A Response throws where a status that has no body is given one. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}
