// A script file to a model: its replies, served by a real local HTTP server of Ollama's shape, read by the real
// Ollama client. The format, in JSON:
//
//   { "model": "demo",        the name it goes by; default "script"
//     "window": 32768,        tokens that it says fit; default 32768
//     "delay": 20,            milliseconds between the pieces of a reply; default 0
//     "replies": [            one a request, in order
//       { "text": "…", "thinking": "…",
//         "calls": [{ "name": "fs-read", "arguments": { "path": "a.txt" } }],
//         "when": "…",        left out unless what was said since the model's last words contains this
//         "promptTokens": 9,  in place of an estimate
//         "fault": { … } } ] }
//
// A fault makes the server misbehave: { "status": 429, "retryAfter": "1", "body": "…" } answers with a status,
// { "bytes": "…" } with these instead of a reply, { "cutAfter": N } breaks the connection after N pieces and
// { "stallAfter": N } says nothing more after them. A reply is used up by one request, a faulty one too.

import { readFile } from 'node:fs/promises'
import { makeOllama, type OllamaOptions } from './ollama.ts'
import { isRecord } from './past-call.ts'
import { oneLine } from './retry.ts'
import { startScriptServer } from './script-server.ts'
import { ModelError, type Model } from './talk.ts'

export interface Script {
  model?: string
  window?: number
  delay?: number
  replies: ScriptReply[]
}

export interface ScriptReply {
  text?: string
  thinking?: string
  calls?: { name: string; arguments: unknown }[]
  when?: string
  promptTokens?: number
  fault?: Fault
}

export interface Fault {
  status?: number
  retryAfter?: string
  body?: string
  bytes?: string
  cutAfter?: number
  stallAfter?: number
}

type Kind = 'string' | 'number' | 'object' | 'array'
const SCRIPT_FIELDS: Record<keyof Script, Kind> = { model: 'string', window: 'number', delay: 'number', replies: 'array' }
const REPLY_FIELDS: Record<keyof ScriptReply, Kind> = { text: 'string', thinking: 'string', calls: 'array', when: 'string', promptTokens: 'number', fault: 'object' }
const CALL_FIELDS: Record<string, Kind> = { name: 'string', arguments: 'object' }
const FAULT_FIELDS: Record<keyof Fault, Kind> = { status: 'number', retryAfter: 'string', body: 'string', bytes: 'string', cutAfter: 'number', stallAfter: 'number' }

/** A model that says what the file has it say. `close` ends its server. Rejects with ModelError where the file
 * is no script. */
export async function makeScripted(file: string, options: OllamaOptions = {}): Promise<Model & { close(): Promise<void> }> {
  const script = await readScript(file)
  const { url, pass, close } = await startScriptServer(script)
  const model = makeOllama(script.model ?? 'script', { env: {}, ...options, host: url, shownAs: `script:${file}` })
  return Object.assign(model, { close, resumed: pass })
}

async function readScript(file: string): Promise<Script> {
  const who = `script:${file}`
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ModelError('configuration', error.code === 'ENOENT' ? `${who}: no such file` : `${who}: cannot be read: ${error.code}`)
  })
  try {
    return checkScript(JSON.parse(text), who)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ModelError('configuration', `${who}: expected JSON, got ${JSON.stringify(oneLine(text, [], 60))}`)
    throw error
  }
}

function checkScript(value: unknown, who: string): Script {
  const script = checkFields(value, SCRIPT_FIELDS, ['replies'], who, 'the script') as Script
  script.replies.forEach((reply, i) => {
    const where = `replies[${i}]`
    checkFields(reply, REPLY_FIELDS, [], who, where)
    reply.calls?.forEach((call, j) => checkFields(call, CALL_FIELDS, ['name', 'arguments'], who, `${where}.calls[${j}]`))
    if (reply.fault) checkFields(reply.fault, FAULT_FIELDS, [], who, `${where}.fault`)
  })
  return script
}

function checkFields(value: unknown, fields: Record<string, Kind>, required: string[], who: string, where: string): unknown {
  const fail = (what: string): never => {
    throw new ModelError('configuration', `${who}: ${what}`, 'the head of src/model/script.ts says what a script holds')
  }
  if (!isRecord(value)) return fail(`${where} must be an object, got ${oneLine(JSON.stringify(value), [], 60)}`)
  for (const name of required) if (!(name in value)) fail(`${where}: missing ${name}`)
  for (const [name, given] of Object.entries(value)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (kind === undefined) fail(`${where}: unknown field ${name}; there are ${Object.keys(fields).join(', ')}`)
    if (kindOf(given) !== kind) fail(`${where}: ${name} must be ${kind === 'object' || kind === 'array' ? 'an' : 'a'} ${kind}, got ${oneLine(JSON.stringify(given), [], 60)}`)
  }
  return value
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}
