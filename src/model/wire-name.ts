// Names of tools to names that providers take, which are made of letters, digits, _ and - alone:
// `mcp:notes.search` goes as `mcp__notes__search`, and comes back as what it was.

import type { Call, Delta, Message, Model, Reply, Request } from './talk.ts'

export function withWireNames(model: Model): Model {
  return {
    name: model.name,
    window: model.window,
    async complete({ messages, tools }: Request, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Reply> {
      const names = new Map(tools.map(({ name }) => [toWire(name), name]))
      const back = (name: string): string => names.get(name) ?? name
      const request = { messages: messages.map(wireMessage), tools: tools.map((tool) => ({ ...tool, name: toWire(tool.name) })) }
      const reply = await model.complete(request, (delta) => onDelta(delta.kind === 'call' ? { ...delta, name: back(delta.name) } : delta), signal)
      return { ...reply, calls: reply.calls.map((call) => ({ ...call, name: back(call.name) })) }
    },
  }
}

function toWire(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '__')
}

function wireMessage(message: Message): Message {
  if (message.from === 'tool') return { ...message, name: toWire(message.name) }
  if (message.from !== 'model') return message
  return { ...message, calls: message.calls.map((call): Call => ({ ...call, name: toWire(call.name) })) }
}
