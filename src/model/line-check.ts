// A stream of JSON objects, one a line, to the same stream of which each line is known to be sound. The
// client that reads it afterwards passes over nonsense and writes it to the terminal; here it is an error.

import { isRecord } from './past-call.ts'
import { brokenOff, oneLine, showUrl, type Endpoint } from './retry.ts'
import { ModelError } from './talk.ts'

/** No reply is that long; a line without an end must not fill the memory. */
const LONGEST_LINE = 64 * 1024 * 1024

/** The body errors with ModelError at a line that is no JSON object, at an error that the server reports, and
 * where it ends before a line that says `done`. */
export function checkLines(body: ReadableStream<Uint8Array>, endpoint: Endpoint): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let open = ''
  let done = false
  const pass = (line: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (done || line.trim() === '') return
    done = readLine(line, endpoint)['done'] === true
    controller.enqueue(encoder.encode(`${line}\n`))
  }
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (open + decoder.decode(chunk, { stream: true })).split('\n')
      open = lines.pop()!
      if (open.length > LONGEST_LINE) throw nonsense(open, endpoint)
      for (const line of lines) pass(line, controller)
    },
    flush(controller) {
      if (!done && open.startsWith('{') && !isJson(open)) throw brokenOff(endpoint)
      pass(open, controller)
      if (!done) throw brokenOff(endpoint)
    },
  })
  return body.pipeThrough(check)
}

function readLine(line: string, endpoint: Endpoint): Record<string, unknown> {
  if (!isJson(line)) throw nonsense(line, endpoint)
  const value: unknown = JSON.parse(line)
  if (!isRecord(value)) throw nonsense(line, endpoint)
  if (typeof value['error'] === 'string') throw reported(value['error'], endpoint)
  return value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function nonsense(line: string, { who, url, secrets }: Endpoint): ModelError {
  const got = JSON.stringify(oneLine(line, secrets, 60))
  return new ModelError('protocol', `${who}: expected lines of JSON objects from ${showUrl(url)}, got ${got}`, 'see whether that is the address of an Ollama server')
}

function reported(error: string, { who, url, secrets, helpFor }: Endpoint): ModelError {
  const answer = oneLine(error, secrets)
  return new ModelError('refused', `${who}: ${showUrl(url)} broke off: ${answer}`, helpFor?.(200, answer) ?? null)
}
