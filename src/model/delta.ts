// The chunks of a streamed chat completion to what they amount to. Servers differ in how they number calls,
// when they name them and what they call the thinking; what is read here is only what is there.

import { isRecord } from './past-call.ts'
import type { Call, Delta, Usage } from './talk.ts'

interface Growing extends Call {
  index: number | null
}

/** Grows with each chunk. */
export class Gathered {
  text = ''
  thinking = ''
  readonly calls: Growing[] = []
  /** The server's own word; null until it gave one. */
  finish: string | null = null
  usage: Usage | null = null
  private readonly onDelta: (delta: Delta) => void
  constructor(onDelta: (delta: Delta) => void) {
    this.onDelta = onDelta
  }

  add(chunk: unknown): void {
    if (!isRecord(chunk)) return
    if (isRecord(chunk['usage'])) this.usage = readUsage(chunk['usage'])
    const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
    if (!isRecord(choice)) return
    if (typeof choice['finish_reason'] === 'string') this.finish = choice['finish_reason']
    const delta = isRecord(choice['delta']) ? choice['delta'] : {}
    this.addText('thinking', delta['reasoning_content'] ?? delta['reasoning'])
    this.addText('text', delta['content'])
    if (Array.isArray(delta['tool_calls'])) for (const piece of delta['tool_calls'] as unknown[]) if (isRecord(piece)) this.addCall(piece)
  }

  private addText(kind: 'text' | 'thinking', text: unknown): void {
    if (typeof text !== 'string' || text === '') return
    this[kind] += text
    this.onDelta({ kind, text })
  }

  private addCall(piece: Record<string, unknown>): void {
    const id = typeof piece['id'] === 'string' ? piece['id'] : ''
    const index = typeof piece['index'] === 'number' ? piece['index'] : null
    const { name, arguments: given } = isRecord(piece['function']) ? piece['function'] : {}
    const call = this.callFor(index, id, typeof name === 'string' ? name : '')
    if (typeof given === 'string') call.argumentsText += given
    else if (isRecord(given)) call.argumentsText = JSON.stringify(given)
  }

  /** The call that a piece belongs to. A piece with another id than the call of its index, or a named one without
   * an index, begins a call of its own: some servers number all calls 0, some none. */
  private callFor(index: number | null, id: string, name: string): Growing {
    const before = index === null ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index)
    const isOther = before && (index === null ? name !== '' : name !== '' && id !== '' && before.id !== '' && before.id !== id)
    if (before && !isOther) {
      if (before.name === '' && name !== '') this.onDelta({ kind: 'call', name })
      before.id ||= id
      before.name ||= name
      return before
    }
    const call = { index, id, name, argumentsText: '' }
    this.calls.push(call)
    if (name !== '') this.onDelta({ kind: 'call', name })
    return call
  }
}

function readUsage(usage: Record<string, unknown>): Usage {
  const details = isRecord(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {}
  const cached = details['cached_tokens']
  return {
    promptTokens: count(usage['prompt_tokens']),
    cachedTokens: typeof cached === 'number' ? cached : null,
    completionTokens: count(usage['completion_tokens']),
  }
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
