// The text of a reply to the calls that a local model wrote into it instead of making them. Only clear forms
// count; a text that merely speaks of a call stays a text.

import { isRecord } from './past-call.ts'
import type { Call, ToolSchema } from './talk.ts'

const BLOCK = /<tool_call>([\s\S]*?)<\/tool_call>/g

/** Two forms: the whole text is one JSON object with the name of a known tool and its arguments, or such
 * objects stand in <tool_call> blocks, each of them sound. Null where it is neither. */
export function findWrittenCalls(text: string, tools: readonly ToolSchema[]): { text: string; calls: Call[] } | null {
  const blocks = [...text.matchAll(BLOCK)].map((match) => match[1]!)
  const written = blocks.length > 0 ? blocks : [text]
  const calls = written.map((one) => readCall(one, tools))
  if (!calls.every((call) => call !== null)) return null
  return { text: blocks.length > 0 ? text.replaceAll(BLOCK, '').trim() : '', calls }
}

function readCall(text: string, tools: readonly ToolSchema[]): Call | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return null
  try {
    const { name, arguments: given, parameters = given } = JSON.parse(trimmed) as Record<string, unknown>
    if (typeof name !== 'string' || !tools.some((tool) => tool.name === name)) return null
    if (typeof parameters === 'string') return { id: '', name, argumentsText: parameters }
    return isRecord(parameters) ? { id: '', name, argumentsText: JSON.stringify(parameters) } : null
  } catch {
    return null
  }
}
