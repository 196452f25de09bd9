// A script to an HTTP server of Ollama's shape on this machine: /api/chat, /api/show, /api/tags, /api/version.
// It streams as Ollama does, line by line, and misbehaves where the script says so.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from './past-call.ts'
import type { Script, ScriptReply } from './script.ts'

const OVER: ScriptReply = { text: 'The script is over: there is no reply left in it.' }
const DEFAULT_WINDOW = 32_768
const CHARACTERS_A_TOKEN = 4
/** What a scripted token is said to have taken, in nanoseconds. */
const READING_NS = 1_000_000
const WRITING_NS = 20_000_000
/** What was written before a cut must arrive, and not be lost with the connection. */
const FLUSH_MS = 20

/** What of a talk's message is looked at. */
interface Said {
  role: string
  content: string
}

export async function startScriptServer(script: Script): Promise<{ url: string; pass(given: readonly Given[]): void; close(): Promise<void> }> {
  const left = [...script.replies]
  const server = createServer((asked, answer) => {
    serve(script, left, asked, answer).catch((error: Error) => {
      if (answer.headersSent) answer.destroy()
      else sendJson(answer, { error: error.message }, 400)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pass: (given) => passOver(left, given), close: () => close(server) }
}

interface Given {
  text: string
  calls: string[]
}

/** Takes away the replies that were given before, and with each those that were passed over. */
function passOver(left: ScriptReply[], given: readonly Given[]): void {
  for (const { text, calls } of given) {
    const at = left.findIndex((reply) => (reply.text ?? '').trim() === text.trim() && String(reply.calls?.map(({ name }) => name) ?? []) === String(calls))
    left.splice(0, at + 1)
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function serve(script: Script, left: ScriptReply[], asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const name = script.model ?? 'script'
  switch (`${asked.method} ${asked.url}`) {
    case 'GET /api/version':
      return sendJson(answer, { version: '0.0.0-script' })
    case 'GET /api/tags':
      return sendJson(answer, { models: [{ name, model: name, size: 0, digest: '', details: {} }] })
    case 'POST /api/show':
      return sendJson(answer, { details: {}, model_info: { 'script.context_length': script.window ?? DEFAULT_WINDOW }, capabilities: ['completion', 'tools'] })
    case 'POST /api/chat': {
      const { messages, stream } = await readTalk(asked)
      const reply = takeReply(left, messages)
      return stream ? sendReply(answer, script, reply, messages) : sendJson(answer, wholeReply(script, reply, messages))
    }
    default:
      return sendJson(answer, { error: `not found: ${asked.method} ${asked.url}` }, 404)
  }
}

function sendJson(answer: ServerResponse, value: unknown, status = 200): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function readTalk(asked: IncomingMessage): Promise<{ messages: Said[]; stream: boolean }> {
  asked.setEncoding('utf8')
  let text = ''
  for await (const chunk of asked) text += chunk
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || !Array.isArray(value['messages'])) throw new Error('messages must be a list')
  return { messages: value['messages'] as Said[], stream: value['stream'] !== false }
}

/** The next reply whose condition holds. Those before it are passed over for good. */
function takeReply(left: ScriptReply[], messages: Said[]): ScriptReply {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  for (let reply = left.shift(); reply; reply = left.shift()) {
    const { when } = reply
    if (when === undefined || since.some(({ content }) => content.includes(when))) return reply
  }
  return OVER
}

async function sendReply(answer: ServerResponse, script: Script, reply: ScriptReply, messages: Said[]): Promise<void> {
  const { status, retryAfter, body = '', bytes, cutAfter, stallAfter } = reply.fault ?? {}
  if (status !== undefined) return void answer.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body)
  if (bytes !== undefined) return void answer.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(bytes)
  let sent = 0
  for (const piece of [...pieces(reply), null]) {
    if (sent === cutAfter) {
      if (sent > 0) await sleep(FLUSH_MS)
      return void answer.destroy()
    }
    if (sent === stallAfter) return
    if (answer.destroyed) return
    if (sent === 0) answer.writeHead(200, { 'content-type': 'application/x-ndjson' })
    answer.write(`${JSON.stringify(piece ? { ...stamp(script), message: { role: 'assistant', content: '', ...piece }, done: false } : lastLine(script, reply, messages))}\n`)
    sent++
    if (piece && script.delay) await sleep(script.delay)
  }
  answer.end()
}

function wholeReply(script: Script, reply: ScriptReply, messages: Said[]): object {
  const message = { role: 'assistant', content: reply.text ?? '', ...(reply.thinking && { thinking: reply.thinking }), ...(reply.calls && { tool_calls: wireCalls(reply) }) }
  return { ...lastLine(script, reply, messages), message }
}

/** Thinking, then text, word by word; then all the calls. */
function pieces(reply: ScriptReply): object[] {
  const words = (text = ''): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []
  return [
    ...words(reply.thinking).map((thinking) => ({ thinking })),
    ...words(reply.text).map((content) => ({ content })),
    ...(reply.calls?.length ? [{ tool_calls: wireCalls(reply) }] : []),
  ]
}

function wireCalls({ calls = [] }: ScriptReply): object[] {
  return calls.map(({ name, arguments: given }) => ({ function: { name, arguments: given } }))
}

function stamp(script: Script): object {
  return { model: script.model ?? 'script', created_at: new Date().toISOString() }
}

function lastLine(script: Script, reply: ScriptReply, messages: Said[]): object {
  const read = reply.promptTokens ?? tokens(messages.map(({ content }) => content).join(''))
  const written = tokens((reply.text ?? '') + (reply.thinking ?? '') + JSON.stringify(reply.calls ?? ''))
  return {
    ...stamp(script),
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    total_duration: read * READING_NS + written * WRITING_NS,
    load_duration: 0,
    prompt_eval_count: read,
    prompt_eval_duration: read * READING_NS,
    eval_count: written,
    eval_duration: written * WRITING_NS,
  }
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN)
}
