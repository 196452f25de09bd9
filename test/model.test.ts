// Each client against a real local server that speaks its wire format, well and badly; and the demo's script.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocket, type AddressInfo } from 'node:net'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeOllama, parseHost, type OllamaOptions } from '../src/model/ollama.ts'
import { makeOpenAI, type OpenAIOptions } from '../src/model/openai.ts'
import { resolveModel } from '../src/model/resolve.ts'
import { makeScripted, type Script, type ScriptReply } from '../src/model/script.ts'
import { startScriptServer } from '../src/model/script-server.ts'
import type { Delta, Message, Model, ModelError, Reply, Request, ToolSchema } from '../src/model/talk.ts'
import { findWrittenCalls } from '../src/model/written-call.ts'

const DEMO = join(import.meta.dirname, '../demo')
const READ: ToolSchema = { name: 'fs-read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } }
const QUICK = { backOffMs: 1, firstByteMs: 2000, betweenMs: 2000 }
const TALK: Message[] = [
  { from: 'host', text: 'Be brief.' },
  { from: 'person', text: 'Read a.txt.' },
]

/** What came of one request: the reply, or the error with the server's address as URL; and the deltas. */
interface Came {
  reply: Reply
  deltas: Delta[]
  error: { kind: string; message: string; help: string | null } | null
}

async function ask(model: Model, request: Partial<Request> = {}, signal = new AbortController().signal): Promise<Came> {
  const deltas: Delta[] = []
  try {
    const reply = await model.complete({ messages: TALK, tools: [READ], ...request }, (delta) => deltas.push(delta), signal)
    return { reply, deltas, error: null }
  } catch (error) {
    const { kind, message, help } = error as ModelError
    if (kind === undefined) throw error
    return { reply: null as unknown as Reply, deltas, error: { kind, message: message.replace(/http:\/\/127.0.0.1:\d+/, 'URL'), help } }
  }
}

/** A server whose answers the test writes. Gives its URL and what it was asked: paths and bodies. */
async function serve(answer: (body: Record<string, unknown>, response: ServerResponse, asked: IncomingMessage) => void): Promise<{ url: string; bodies: Record<string, unknown>[] }> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer((asked, response) => {
    let text = ''
    asked.on('data', (chunk: Buffer) => (text += chunk.toString()))
    asked.on('end', () => {
      const body = JSON.parse(text || '{}') as Record<string, unknown>
      bodies.push(body)
      answer(body, response, asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

async function closedPort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

/** Models stand below sessions, so that this file does without the helper that makes those. */
function makeFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'nodwyn-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** An Ollama model over a script. */
async function scripted(replies: ScriptReply[], options: OllamaOptions = {}, rest: Partial<Script> = {}): Promise<Model> {
  const { url, close } = await startScriptServer({ replies, ...rest })
  onTestFinished(close)
  return makeOllama('m', { env: {}, host: url, ...options, patience: { ...QUICK, ...options.patience } })
}

describe('an Ollama model', () => {
  it('streams thinking, text and calls, and counts', async () => {
    const model = await scripted([{ thinking: 'Hm, so.', text: 'I read it.', calls: [{ name: 'fs-read', arguments: { path: 'a.txt' } }], promptTokens: 20 }])
    const { reply, deltas } = await ask(model)
    expect(deltas).toEqual([
      { kind: 'thinking', text: 'Hm,' },
      { kind: 'thinking', text: ' so.' },
      { kind: 'text', text: 'I' },
      { kind: 'text', text: ' read' },
      { kind: 'text', text: ' it.' },
      { kind: 'call', name: 'fs-read' },
    ])
    expect(reply).toEqual({
      text: 'I read it.',
      thinking: 'Hm, so.',
      calls: [{ id: '', name: 'fs-read', argumentsText: '{"path":"a.txt"}' }],
      usage: { promptTokens: 20, cachedTokens: null, completionTokens: 17 },
      promptEvalMs: 20,
      evalMs: 340,
      stop: 'calls',
      warnings: [],
    })
  })

  it('sends the talk in its own words, with a window', async () => {
    const { url, bodies } = await serve((_body, response, { url: path }) => {
      if (path === '/api/show') return response.end('{"model_info": {"qwen3.context_length": 40960}, "parameters": "temperature 1"}')
      return response.end('{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop","prompt_eval_count":9}')
    })
    const model = makeOllama('m', { env: {}, host: url })
    const messages: Message[] = [
      ...TALK,
      { from: 'model', text: '', thinking: 'Hm.', calls: [{ id: 'a', name: 'fs-read', argumentsText: '{"path":"a.txt"}' }, { id: 'b', name: 'fs-read', argumentsText: '{"path' }] },
      { from: 'tool', id: 'a', name: 'fs-read', text: 'x', ok: true },
      { from: 'tool', id: 'b', name: 'fs-read', text: 'no JSON', ok: false },
    ]
    expect(model.window).toBe(null)
    expect((await ask(model, { messages })).reply.text).toBe('ok')
    expect(model.window).toBe(32768)
    expect(bodies[1]).toEqual({
      model: 'm',
      stream: true,
      options: { num_ctx: 32768 },
      tools: [{ type: 'function', function: READ }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a.txt.' },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          tool_calls: [{ function: { name: 'fs-read', arguments: { path: 'a.txt' } } }, { function: { name: 'fs-read', arguments: { malformed: '{"path' } } }],
        },
        { role: 'tool', content: 'x', tool_name: 'fs-read' },
        { role: 'tool', content: 'no JSON', tool_name: 'fs-read' },
      ],
    })
  })

  it('takes its window from the caller, the environment, or the server', async () => {
    const windowGiven = async (options: OllamaOptions, rest: Partial<Script> = {}): Promise<number | null> => {
      const model = await scripted([{ text: 'ok' }], options, rest)
      await ask(model)
      return model.window
    }
    expect(await windowGiven({ window: 100 })).toBe(100)
    expect(await windowGiven({ env: { OLLAMA_CONTEXT_LENGTH: '5000' } })).toBe(5000)
    expect(await windowGiven({}, { window: 2048 })).toBe(2048)
    expect(await windowGiven({}, { window: 262144 })).toBe(32768)
    expect(() => makeOllama('m', { env: { OLLAMA_CONTEXT_LENGTH: '8k' } })).toThrow('OLLAMA_CONTEXT_LENGTH: expected a count of tokens, got "8k"')
  })

  it('says that a prompt was cut, or may have been', async () => {
    const long = { messages: [{ from: 'person', text: 'word '.repeat(2000) }] as Message[] }
    const mend = 'the conversation must become shorter, or the window larger (OLLAMA_CONTEXT_LENGTH)'
    const warningsFor = async (promptTokens: number): Promise<string[]> => (await ask(await scripted([{ text: 'ok', promptTokens }], { window: 4096 }), long)).reply.warnings
    expect(await warningsFor(800)).toEqual([`Ollama cut the prompt: of about 2500 tokens it read 800, in a window of 4096; ${mend}`])
    expect(await warningsFor(4090)).toEqual([`the prompt fills the window (4090 of 4096 tokens), so that Ollama may have cut it; ${mend}`])
    expect(await warningsFor(2001)).toEqual([])
  })

  it('takes a call that was written as text, in clear forms alone', async () => {
    const found = (text: string): unknown => {
      const written = findWrittenCalls(text, [READ])
      return written && [written.text, ...written.calls.map(({ name, argumentsText }) => [name, argumentsText])]
    }
    const call = ['fs-read', '{"path":"a"}']
    expect(found(' {"name": "fs-read", "arguments": {"path": "a"}}\n')).toEqual(['', call])
    expect(found('{"name": "fs-read", "parameters": {"path": "a"}}')).toEqual(['', call])
    expect(found('First.\n<tool_call>\n{"name": "fs-read", "arguments": {"path": "a"}}\n</tool_call><tool_call>{"name":"fs-read","arguments":"{\\"path\\":\\"a\\"}"}</tool_call>')).toEqual(['First.', call, call])
    expect(found('I would call {"name": "fs-read", "arguments": {"path": "a"}}')).toBe(null)
    expect(found('{"name": "fs-burn", "arguments": {}}')).toBe(null)
    expect(found('{"name": "fs-read"}')).toBe(null)
    expect(found('<tool_call>{"name": "fs-read", "arguments": {</tool_call>')).toBe(null)
    const { reply } = await ask(await scripted([{ text: '{"name": "fs-read", "arguments": {"path": "a"}}' }]))
    expect([reply.text, reply.calls.length, reply.stop]).toEqual(['', 1, 'calls'])
  })

  it('finds its server in each form of OLLAMA_HOST', () => {
    const hosts: [string, string][] = [
      ['', 'http://127.0.0.1:11434/'],
      ['box', 'http://box:11434/'],
      ['box:80', 'http://box/'],
      [':1234', 'http://127.0.0.1:1234/'],
      ['0.0.0.0:1234', 'http://127.0.0.1:1234/'],
      ['[::1]:99', 'http://[::1]:99/'],
      ['http://box', 'http://box/'],
      ['https://box/ollama', 'https://box/ollama'],
      ['"box:5"', 'http://box:5/'],
    ]
    for (const [text, href] of hosts) expect(parseHost(text).href).toBe(href)
    expect(() => parseHost('http://me:secret@:x')).toThrow('OLLAMA_HOST: expected HOST:PORT or a URL, got "http://:x"')
    expect(() => parseHost('ftp://box')).toThrow('OLLAMA_HOST: expected HOST:PORT or a URL, got "ftp://box"')
  })

  it('says what to do where its server refuses', async () => {
    const refused = async (status: number, body: string): Promise<unknown> => (await ask(await scripted([{ fault: { status, body } }]))).error
    expect(await refused(404, '{"error": "model \\"m\\" not found"}')).toEqual({ kind: 'refused', message: 'ollama:m: URL answered 404: model "m" not found', help: 'ollama pull m fetches it, and ollama list shows what is there' })
    expect(await refused(400, '{"error": "m does not support tools"}')).toEqual({ kind: 'refused', message: 'ollama:m: URL answered 400: m does not support tools', help: 'choose a model that can call tools; ollama show NAME lists what a model can do' })
    expect(await refused(400, '<h1>\nBad</h1>')).toEqual({ kind: 'refused', message: 'ollama:m: URL answered 400: <h1> Bad</h1>', help: null })
  })

  it('calls nonsense by its name', async () => {
    const answered = async (bytes: string): Promise<unknown> => (await ask(await scripted([{ fault: { bytes } }]))).error
    const nonsense = (got: string): object => ({
      kind: 'protocol',
      message: `ollama:m: expected lines of JSON objects from URL, got ${got}`,
      help: 'see whether that is the address of an Ollama server',
    })
    const broken = { kind: 'protocol', message: 'ollama:m: the reply of URL broke off before its end', help: 'try again' }
    expect(await answered('<html>hello</html>')).toEqual(nonsense('"<html>hello</html>"'))
    expect(await answered('\u0000\u0001\n{}\n')).toEqual(nonsense('""'))
    expect(await answered('[1]\n')).toEqual(nonsense('"[1]"'))
    expect(await answered('{"a": }\n')).toEqual(nonsense('"{\\"a\\": }"'))
    expect(await answered('{"message": {"cont')).toEqual(broken)
    expect(await answered('{"message": {"content": 7}}\n')).toEqual(broken)
    expect(await answered('')).toEqual(broken)
    expect(await answered('{"error": "out of\\nmemory"}\n')).toEqual({ kind: 'refused', message: 'ollama:m: URL broke off: out of memory', help: null })
  })

  it('keeps what came of a reply that breaks off', async () => {
    const { error, deltas } = await ask(await scripted([{ text: 'one two three', fault: { cutAfter: 2 } }]))
    expect(error).toEqual({ kind: 'protocol', message: 'ollama:m: the reply of URL broke off before its end', help: 'try again' })
    expect(deltas).toEqual([
      { kind: 'text', text: 'one' },
      { kind: 'text', text: ' two' },
    ])
  })
})

describe('patience', () => {
  it('tries again after 429, 5xx and a reset, before the first byte', async () => {
    const model = await scripted([{ fault: { status: 429, retryAfter: '0' } }, { fault: { status: 503 } }, { fault: { cutAfter: 0 } }, { text: 'at last' }])
    expect((await ask(model)).reply.text).toBe('at last')
  })

  it('waits as long as the server asks', async () => {
    const model = await scripted([{ fault: { status: 429, retryAfter: '0.2' } }, { text: 'ok' }])
    const began = Date.now()
    expect((await ask(model)).reply.text).toBe('ok')
    expect(Date.now() - began).toBeGreaterThanOrEqual(190)
  })

  it('does not wait for ever', async () => {
    const model = await scripted([{ fault: { status: 429, retryAfter: '3600', body: 'slow down' } }])
    expect((await ask(model)).error).toEqual({ kind: 'refused', message: 'ollama:m: URL answered 429: slow down', help: 'the server asks to wait 3600 seconds; try again then' })
  })

  it('gives up after so many tries', async () => {
    const errors = { status: 500, body: 'no' }
    const model = await scripted(Array.from({ length: 4 }, () => ({ fault: errors })))
    expect((await ask(model)).error).toEqual({ kind: 'refused', message: 'ollama:m: URL answered 500: no', help: null })
    const reset = await scripted(Array.from({ length: 4 }, () => ({ fault: { cutAfter: 0 } })))
    expect((await ask(reset)).error?.message).toBe('ollama:m: URL closed the connection before it answered, 4 times')
  })

  it('does not try again what a second try does not mend', async () => {
    const model = await scripted([{ fault: { status: 400, body: 'bad' } }, { text: 'never said' }])
    expect((await ask(model)).error?.message).toBe('ollama:m: URL answered 400: bad')
  })

  it('ends at once where nobody answers', async () => {
    const model = makeOllama('m', { env: { OLLAMA_HOST: `127.0.0.1:${await closedPort()}` } })
    const began = Date.now()
    expect((await ask(model)).error).toEqual({
      kind: 'unreachable',
      message: 'ollama:m: nothing listens at URL',
      help: 'start it with ollama serve, or set OLLAMA_HOST to where it runs; nodwyn demo works without a model',
    })
    expect(Date.now() - began).toBeLessThan(400)
  })

  it('ends where nothing comes any more', async () => {
    const first = await scripted([{ text: 'one two', fault: { stallAfter: 0 } }], { patience: { firstByteMs: 100 } })
    expect((await ask(first)).error).toEqual({
      kind: 'stalled',
      message: 'ollama:m: expected an answer from URL within 0.1 s, got nothing',
      help: 'a large model may take longer to its first word: set NODWYN_FIRST_BYTE_SECONDS',
    })
    const later = await scripted([{ text: 'one two', fault: { stallAfter: 1 } }], { patience: { betweenMs: 100 } })
    expect((await ask(later)).error).toEqual({ kind: 'stalled', message: 'ollama:m: expected more of the answer from URL within 0.1 s, got nothing', help: 'try again' })
  })

  it('ends within 100 ms when aborted, wherever it stands, with the reason', async () => {
    const silent = (await serve(() => {})).url
    const models = {
      'before the first byte': await scripted([{ fault: { stallAfter: 0 } }]),
      'in the middle': await scripted([{ text: 'one two', fault: { stallAfter: 1 } }]),
      'while it streams': await scripted([{ text: 'word '.repeat(500) }], {}, { delay: 5 }),
      'before a new try': await scripted([{ fault: { status: 429, retryAfter: '30' } }]),
      'of chat completions': makeOpenAI('m', { env: {}, baseUrl: silent }),
    }
    for (const [where, model] of Object.entries(models)) {
      const controller = new AbortController()
      const reason = new Error('the person stopped it')
      const caught = model.complete({ messages: TALK, tools: [] }, () => {}, controller.signal).catch((error: unknown) => error)
      await new Promise((resolve) => setTimeout(resolve, 150))
      const began = Date.now()
      controller.abort(reason)
      expect([where, await caught]).toEqual([where, reason])
      expect(Date.now() - began).toBeLessThan(100)
    }
  })
})

/** An OpenAI-shaped model over these events; a string is sent as it is. */
async function completions(events: (object | string)[], options: OpenAIOptions = {}): Promise<{ model: Model; bodies: Record<string, unknown>[] }> {
  const { url, bodies } = await serve((_body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  return { model: makeOpenAI('m', { env: {}, baseUrl: `${url}/v1`, patience: QUICK, ...options }), bodies }
}

const delta = (piece: object, finish: string | null = null): object => ({ choices: [{ index: 0, delta: piece, finish_reason: finish }] })
const END = 'data: [DONE]\n\n'
const USAGE = { choices: [], usage: { prompt_tokens: 30, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 20 } } }

describe('a model of the chat-completions shape', () => {
  it('streams thinking, text and several calls put together by index, and counts', async () => {
    const { model, bodies } = await completions([
      delta({ role: 'assistant', content: null, reasoning_content: 'Hm.' }),
      delta({ reasoning: ' So.' }),
      delta({ content: 'I read' }),
      delta({ content: ' both.' }),
      delta({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'fs-read', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'fs-read', arguments: '{"pa' } }, { index: 0, function: { arguments: '"x"}' } }] }),
      delta({ tool_calls: [{ index: 1, function: { arguments: 'th": ' } }] }, 'tool_calls'),
      USAGE,
      END,
    ])
    const { reply, deltas } = await ask(model)
    expect(reply).toEqual({
      text: 'I read both.',
      thinking: 'Hm. So.',
      calls: [
        { id: 'a', name: 'fs-read', argumentsText: '{"path":"x"}' },
        { id: 'b', name: 'fs-read', argumentsText: '{"path": ' },
      ],
      usage: { promptTokens: 30, cachedTokens: 20, completionTokens: 5 },
      promptEvalMs: null,
      evalMs: null,
      stop: 'calls',
      warnings: [],
    })
    expect(deltas.map((one) => ('text' in one ? one.text : `call ${one.name}`))).toEqual(['Hm.', ' So.', 'I read', ' both.', 'call fs-read', 'call fs-read'])
    expect(bodies[0]).toMatchObject({ model: 'm', stream: true, stream_options: { include_usage: true }, tools: [{ type: 'function', function: READ }] })
  })

  it('tells calls apart where the server does not number them', async () => {
    const call = (id: string, index?: number): object => ({ ...(index !== undefined && { index }), id, function: { name: 'fs-read', arguments: `{"path":"${id}"}` } })
    for (const calls of [
      [call('a'), call('b')],
      [call('a', 0), call('b', 0)],
    ]) {
      const { reply } = await ask((await completions([delta({ tool_calls: calls }), delta({}, 'stop'), END])).model)
      expect(reply.calls.map(({ id, argumentsText }) => id + argumentsText)).toEqual(['a{"path":"a"}', 'b{"path":"b"}'])
      expect(reply.stop).toBe('calls')
    }
  })

  it('sends the talk in its own words', async () => {
    const { model, bodies } = await completions([delta({ content: 'ok' }, 'stop'), END])
    await ask(model, {
      tools: [],
      messages: [
        ...TALK,
        { from: 'model', text: '', thinking: 'Hm.', calls: [{ id: 'a', name: 'fs-read', argumentsText: '{ "path": "a" }' }, { id: 'b', name: 'fs-read', argumentsText: '{"pa' }] },
        { from: 'tool', id: 'a', name: 'fs-read', text: 'x', ok: true },
        { from: 'model', text: 'Done.', thinking: '', calls: [] },
      ],
    })
    expect(bodies[0]).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a.txt.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'fs-read', arguments: '{ "path": "a" }' } },
            { id: 'b', type: 'function', function: { name: 'fs-read', arguments: '{"malformed":"{\\"pa"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'assistant', content: 'Done.' },
      ],
    })
  })

  it('does without stream options and usage where the server has none', async () => {
    const { url, bodies } = await serve((body, response) => {
      if ('stream_options' in body) return response.writeHead(400).end('{"error": {"message": "unknown field stream_options"}}')
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(delta({ content: 'ok' }, 'stop'))}\n\n`)
    })
    const model = makeOpenAI('m', { env: {}, baseUrl: url })
    const { reply } = await ask(model)
    expect([reply.text, reply.usage, reply.warnings]).toEqual([
      'ok',
      { promptTokens: 0, cachedTokens: null, completionTokens: 0 },
      ['openai:m: the server does not report its use of tokens, so that figures and limits leave it out'],
    ])
    expect((await ask(model)).reply.warnings).toEqual([])
    expect(bodies.map((body) => 'stream_options' in body)).toEqual([true, false, false])
  })

  it('calls nonsense by its name', async () => {
    const answered = async (events: (object | string)[]): Promise<unknown> => (await ask((await completions(events)).model)).error
    const nonsense = (got: string): object => ({
      kind: 'protocol',
      message: `openai:m: expected a stream of chat completions from URL/v1, got ${got}`,
      help: 'see whether OPENAI_BASE_URL is right; it mostly ends in /v1',
    })
    expect(await answered(['<html>hello</html>'])).toEqual(nonsense('nothing of that kind'))
    expect(await answered([])).toEqual(nonsense('nothing of that kind'))
    expect(await answered(['data: {"choices": [}\n\n'])).toEqual(nonsense('an event that is no JSON'))
    expect(await answered([7 as unknown as object, END])).toEqual(nonsense('nothing of that kind'))
    expect(await answered([delta({ content: 'half a' })])).toEqual({ kind: 'protocol', message: 'openai:m: the reply of URL/v1 broke off before its end', help: 'try again' })
    expect(await answered([{ error: { message: 'overloaded' } }])).toEqual({ kind: 'refused', message: 'openai:m: URL/v1 broke off: overloaded', help: null })
  })

  it('says that the connection broke, with what came before it', async () => {
    const { url } = await serve((_body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(delta({ content: 'half' }))}\n\n`)
      setTimeout(() => response.destroy(), 30)
    })
    const { error, deltas } = await ask(makeOpenAI('m', { env: {}, baseUrl: url }))
    expect(error?.message).toBe('openai:m: the reply of URL broke off before its end')
    expect(deltas).toEqual([{ kind: 'text', text: 'half' }])
  })

  it('never shows a key', async () => {
    const { url, bodies } = await serve((_body, response, { headers }) => response.writeHead(401).end(`{"error": {"message": "wrong key ${headers.authorization}"}}`))
    const env = { OPENAI_BASE_URL: url.replace('//', '//me:pass-word@'), OPENAI_API_KEY: 'sk-very-secret' }
    const model = makeOpenAI('m', { env })
    expect((await ask(model)).error).toEqual({ kind: 'refused', message: 'openai:m: URL answered 401: wrong key Bearer [hidden]', help: 'see whether the key is right and may use this model' })
    expect(bodies.length).toBe(1)
    expect(() => makeOpenAI('m', { env: { OPENAI_BASE_URL: 'me:pass@host' } })).toThrow('OPENAI_BASE_URL: expected a URL, got "host"')
  })
})

describe('a name', () => {
  const refused = async (name: string, env = {}): Promise<unknown> => resolveModel(name, env).catch(({ kind, message, help }: ModelError) => ({ kind, message, help }))
  const help = 'a model is named PROVIDER:NAME, with one of the providers ollama, anthropic, openai, script'

  it('finds its provider', async () => {
    expect((await resolveModel('ollama:qwen3.8:27b', {})).name).toBe('ollama:qwen3.8:27b')
    expect((await resolveModel('openai:a/b', { OPENAI_API_KEY: 'k' })).name).toBe('openai:a/b')
    expect(await refused('qwen3')).toEqual({ kind: 'configuration', message: 'model: expected PROVIDER:NAME, got "qwen3"', help })
    expect(await refused('olama:x')).toEqual({ kind: 'configuration', message: 'model: unknown provider olama', help })
    expect(await refused('ollama:')).toEqual({ kind: 'configuration', message: 'model: missing a name after ollama:', help })
    expect(await refused('openai:x')).toEqual({ kind: 'configuration', message: 'openai:x: missing OPENAI_API_KEY', help: 'set it, or set OPENAI_BASE_URL to a server that needs no key' })
  })

  it('of a script says what is wrong in its file', async () => {
    const folder = makeFolder({ 'a.json': '{"replies": [', 'b.json': '{"replies": [{"txt": "x"}]}', 'c.json': '{}', 'd.json': '{"replies": [{"calls": [{"name": 7, "arguments": {}}]}]}' })
    const wrong = async (file: string): Promise<string> => ((await refused(`script:${folder}/${file}`)) as Error).message.replace(`script:${folder}/`, '')
    expect(await wrong('no.json')).toBe('no.json: no such file')
    expect(await wrong('a.json')).toBe('a.json: expected JSON, got "{\\"replies\\": ["')
    expect(await wrong('b.json')).toBe('b.json: replies[0]: unknown field txt; there are text, thinking, calls, when, promptTokens, fault')
    expect(await wrong('c.json')).toBe('c.json: the script: missing replies')
    expect(await wrong('d.json')).toBe('d.json: replies[0].calls[0]: name must be a string, got 7')
  })
})

describe('a script', () => {
  it('is served as Ollama serves a model', async () => {
    const { url, close } = await startScriptServer({ model: 'toy', window: 1000, replies: [{ text: 'whole' }] })
    onTestFinished(close)
    const get = async (path: string, body?: object): Promise<unknown> => (await fetch(url + path, body ? { method: 'POST', body: JSON.stringify(body) } : {})).json()
    expect(await get('/api/tags')).toMatchObject({ models: [{ name: 'toy' }] })
    expect(await get('/api/version')).toEqual({ version: '0.0.0-script' })
    expect(await get('/api/show', { model: 'toy' })).toMatchObject({ model_info: { 'script.context_length': 1000 } })
    expect(await get('/api/chat', { messages: [], stream: false })).toMatchObject({ message: { content: 'whole' }, done: true })
    expect(await get('/api/chat', { stream: false })).toEqual({ error: 'messages must be a list' })
    expect(await get('/nothing')).toEqual({ error: 'not found: GET /nothing' })
  })

  it('passes over a reply whose condition does not hold, and says when it is over', async () => {
    const replies = (): ScriptReply[] => [{ when: 'refused', text: 'So be it.' }, { text: 'Done.' }]
    const after = (text: string): Message[] => [{ from: 'person', text: 'refused long ago' }, { from: 'model', text: 'x', thinking: '', calls: [] }, { from: 'tool', id: 'a', name: 'fs-read', text, ok: false }]
    expect((await ask(await scripted(replies()), { messages: after('refused by the person') })).reply.text).toBe('So be it.')
    const model = await scripted(replies())
    expect((await ask(model, { messages: after('fine') })).reply.text).toBe('Done.')
    expect((await ask(model)).reply.text).toBe('The script is over: there is no reply left in it.')
  })
})

describe('the demo', () => {
  const runTests = (folder: string): boolean => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    try {
      execFileSync(process.execPath, ['--test'], { cwd: folder, stdio: 'ignore', env })
      return true
    } catch {
      return false
    }
  }

  it('has a script whose edits make its failing tests pass', async () => {
    const model = await makeScripted(join(DEMO, 'script.json'))
    onTestFinished(() => model.close())
    const first = (await ask(model)).reply
    expect(first.calls.map(({ name, argumentsText }) => name + argumentsText)).toEqual(['fs-read{"path":"src/cart.js"}', 'fs-read{"path":"test.js"}'])
    const second = (await ask(model)).reply
    expect(second.calls.map(({ name }) => name)).toEqual(['fs-edit'])
    const { path, edits } = JSON.parse(second.calls[0]!.argumentsText) as { path: string; edits: { old: string; new: string }[] }
    const folder = makeFolder()
    cpSync(join(DEMO, 'project'), folder, { recursive: true })
    expect(runTests(folder)).toBe(false)
    let text = readFileSync(join(folder, path), 'utf8')
    for (const edit of edits) {
      expect(text.split(edit.old).length).toBe(2)
      text = text.replace(edit.old, () => edit.new)
    }
    writeFileSync(join(folder, path), text)
    expect(edits.length).toBe(2)
    expect(runTests(folder)).toBe(true)
    expect((await ask(model)).reply.calls).toEqual([])
  })
})
