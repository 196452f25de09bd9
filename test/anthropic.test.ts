// The client of Anthropic's Messages API against a real local server that speaks its wire format, well
// and badly.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeAnthropic } from '../src/model/anthropic.ts'
import { resolveModel } from '../src/model/resolve.ts'
import type { Delta, Message, Model, ModelError, Reply, ToolSchema } from '../src/model/talk.ts'

const READ: ToolSchema = { name: 'fs-read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } }
const TALK: Message[] = [{ from: 'host', text: 'Be brief.' }, { from: 'person', text: 'Read a.txt.' }]
const QUICK = { backOffMs: 1, firstByteMs: 2000, betweenMs: 300 }

interface Asked {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** A model whose server answers as the test says; and what it was asked. */
async function modelFor(answer: (response: ServerResponse, asked: Asked, count: number) => void): Promise<{ model: Model; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      asked.push({ path: request.url!, headers: request.headers, body: JSON.parse(text) as Record<string, unknown> })
      answer(response, asked.at(-1)!, asked.length)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { model: makeAnthropic('claude-x', { env: {}, baseUrl, key: 'sk-test', patience: QUICK }), asked }
}

/** The events as that API streams them. */
function stream(response: ServerResponse, events: Record<string, unknown>[], isOpen = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  if (!isOpen) response.end()
}

const START = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 10, output_tokens: 1 } } }
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
const text = (said: string) => [block(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: said }), { type: 'content_block_stop', index: 0 }]
const end = (stop_reason: string) => [{ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } }, { type: 'message_stop' }]

async function ask(model: Model, messages: Message[] = TALK, signal = new AbortController().signal): Promise<{ reply: Reply | null; deltas: Delta[]; error: { kind: string; message: string; help: string | null } | null }> {
  const deltas: Delta[] = []
  try {
    return { reply: await model.complete({ messages, tools: [READ] }, (piece) => deltas.push(piece), signal), deltas, error: null }
  } catch (error) {
    const { kind, message, help } = error as ModelError
    if (kind === undefined) throw error
    return { reply: null, deltas, error: { kind, message: message.replace(/http:\/\/127.0.0.1:\d+/, 'URL'), help } }
  }
}

describe('an Anthropic model', () => {
  it('streams thinking, text and several calls, and counts what was cached', async () => {
    const { model } = await modelFor((response) =>
      stream(response, [
        START,
        { type: 'ping' },
        block(0, { type: 'thinking', thinking: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
        delta(0, { type: 'signature_delta', signature: 'x' }),
        block(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'I read ' }),
        delta(1, { type: 'text_delta', text: 'both.' }),
        block(2, { type: 'tool_use', id: 't1', name: 'fs-read', input: {} }),
        delta(2, { type: 'input_json_delta', partial_json: '{"path": ' }),
        delta(2, { type: 'input_json_delta', partial_json: '"a.txt"}' }),
        block(3, { type: 'tool_use', id: 't2', name: 'fs-list', input: {} }),
        ...end('tool_use'),
      ]),
    )
    const { reply, deltas } = await ask(model)
    expect(reply).toEqual({
      text: 'I read both.',
      thinking: 'Hm.',
      calls: [{ id: 't1', name: 'fs-read', argumentsText: '{"path": "a.txt"}' }, { id: 't2', name: 'fs-list', argumentsText: '{}' }],
      usage: { promptTokens: 105, cachedTokens: 90, completionTokens: 7 },
      promptEvalMs: null,
      evalMs: null,
      stop: 'calls',
      warnings: [],
    })
    expect(deltas).toEqual([{ kind: 'thinking', text: 'Hm.' }, { kind: 'text', text: 'I read ' }, { kind: 'text', text: 'both.' }, { kind: 'call', name: 'fs-read' }, { kind: 'call', name: 'fs-list' }])
  })

  it('sends the talk in its own words: results together, nothing empty, what may be cached marked', async () => {
    const { model, asked } = await modelFor((response) => stream(response, [START, ...text('ok'), ...end('end_turn')]))
    const messages: Message[] = [
      ...TALK,
      { from: 'model', text: '', thinking: 'Hm.', calls: [{ id: 'a/1', name: 'fs-read', argumentsText: '{"path":"a.txt"}' }, { id: 'b', name: 'fs-read', argumentsText: '{"path' }] },
      { from: 'tool', id: 'a/1', name: 'fs-read', text: '', ok: true },
      { from: 'tool', id: 'b', name: 'fs-read', text: 'no JSON', ok: false },
      { from: 'person', text: 'Go on.' },
    ]
    const { reply } = await ask(model, messages)
    expect(reply!.stop).toBe('stop')
    const [{ path, headers, body }] = asked as [Asked]
    expect(path).toBe('/v1/messages')
    expect(headers['authorization'] ?? headers['x-api-key']).toMatch(/^(Bearer )?sk-test$/)
    expect(headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/)
    const keep = { cache_control: { type: 'ephemeral' } }
    expect(body).toEqual({
      model: 'claude-x',
      max_tokens: 32000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', ...keep }],
      tools: [{ name: 'fs-read', description: 'Reads a file.', input_schema: READ.parameters, ...keep }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Read a.txt.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a_1', name: 'fs-read', input: { path: 'a.txt' } }, { type: 'tool_use', id: 'b', name: 'fs-read', input: { malformed: '{"path' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a_1', content: [{ type: 'text', text: '(nothing)' }] },
            { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'no JSON' }], is_error: true },
            { type: 'text', text: 'Go on.', ...keep },
          ],
        },
      ],
    })
  })

  it('asks for fewer tokens where the model gives fewer, and remembers it', async () => {
    const { model, asked } = await modelFor((response, { body }) => {
      if (body['max_tokens'] === 8192) return stream(response, [START, ...text('ok'), ...end('max_tokens')])
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: `max_tokens: ${String(body['max_tokens'])} > 8192, which is the maximum allowed number of output tokens for claude-x` } }))
    })
    expect((await ask(model)).reply).toMatchObject({ text: 'ok', stop: 'length' })
    await ask(model)
    expect(asked.map(({ body }) => body['max_tokens'])).toEqual([32000, 8192, 8192])
  })

  it('waits out an overload', async () => {
    const { model, asked } = await modelFor((response, _asked, count) => {
      if (count < 3) return void response.writeHead(count === 1 ? 529 : 429, { 'retry-after': '0' }).end('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
      stream(response, [START, ...text('ok'), ...end('end_turn')])
    })
    expect((await ask(model)).reply!.text).toBe('ok')
    expect(asked).toHaveLength(3)
  })

  for (const [what, answer, want] of [
    ['a wrong key', (response: ServerResponse) => void response.writeHead(401).end('{"error":{"message":"invalid x-api-key sk-test"}}'), { kind: 'refused', message: 'anthropic:claude-x: URL answered 401: invalid x-api-key [hidden]', help: 'see whether the key is right and may use this model' }],
    ['an unknown model', (response: ServerResponse) => void response.writeHead(404).end('{"error":{"message":"model: claude-x"}}'), { kind: 'refused', message: 'anthropic:claude-x: URL answered 404: model: claude-x', help: 'see whether there is a model of that name' }],
    ['an error in the stream', (response: ServerResponse) => stream(response, [START, ...text('half'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]), { kind: 'refused', message: 'anthropic:claude-x: URL broke off: Overloaded', help: null }],
    ['half a reply', (response: ServerResponse) => stream(response, [START, ...text('half')]), { kind: 'protocol', message: 'anthropic:claude-x: the reply of URL broke off before its end', help: 'try again' }],
    ['no reply at all', (response: ServerResponse) => stream(response, []), { kind: 'protocol', message: 'anthropic:claude-x: expected a stream of messages from URL, got nothing of that kind', help: 'see whether ANTHROPIC_BASE_URL is right' }],
    ['a page', (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), { kind: 'protocol', message: 'anthropic:claude-x: expected a stream of messages from URL, got nothing of that kind', help: 'see whether ANTHROPIC_BASE_URL is right' }],
    ['events that are no JSON', (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: message_start\ndata: {nonsense\n\n'), { kind: 'protocol', message: 'anthropic:claude-x: expected a stream of messages from URL, got an event that is no JSON', help: 'see whether ANTHROPIC_BASE_URL is right' }],
  ] as const)
    it(`says what is wrong with ${what}`, async () => {
      const { model } = await modelFor((response) => answer(response))
      expect((await ask(model)).error).toEqual(want)
    })

  it('gives up on a stream that stands still, and ends at once when stopped', async () => {
    const { model } = await modelFor((response) => stream(response, [START, ...text('half')], true))
    expect((await ask(model)).error?.kind).toBe('stalled')
    const controller = new AbortController()
    const call = ask(model, TALK, controller.signal)
    setTimeout(() => controller.abort(new Error('stop')), 50)
    await expect(call).rejects.toThrow('stop')
  })

  it('is named anthropic:NAME, and says what it lacks', async () => {
    expect((await resolveModel('anthropic:claude-x', { ANTHROPIC_API_KEY: 'k' })).name).toBe('anthropic:claude-x')
    await expect(resolveModel('anthropic:claude-x', {})).rejects.toMatchObject({ kind: 'configuration', message: 'anthropic:claude-x: missing ANTHROPIC_API_KEY', help: 'set it to your key' })
    await expect(resolveModel('anthropic:x', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'nowhere' })).rejects.toMatchObject({ message: 'ANTHROPIC_BASE_URL: expected a URL, got "nowhere"' })
  })
})
