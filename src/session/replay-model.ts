// A session's replies as a model (`replay:SESSION`): another strategy, prompt or guard can be tried on what a model
// once said, without asking it.

import { ModelError, type Model, type Reply } from '../model/talk.ts'
import { replyOf } from './complete.ts'
import type { Event } from './event.ts'
import { readSession } from './past.ts'
import { sessionsFolder } from './place.ts'

interface PastReply {
  /** How long the conversation was that it answered. */
  messages: number
  reply: Reply
}

/** Each reply is given once: the next one that answered a conversation of the same length, else the next one.
 * Throws ToolError where there is no such session. */
export function makeReplaying(id: string, folder = sessionsFolder()): Model {
  const left = repliesOf(readSession(folder, id))
  return {
    name: `replay:${id}`,
    window: null,
    complete({ messages }, onDelta) {
      const at = Math.max(0, left.findIndex((one) => one.messages === messages.length))
      const [next] = left.splice(at, 1)
      if (!next) return Promise.reject(new ModelError('refused', `replay:${id}: the session has no further reply`))
      const { reply } = next
      if (reply.thinking !== '') onDelta({ kind: 'thinking', text: reply.thinking })
      if (reply.text !== '') onDelta({ kind: 'text', text: reply.text })
      for (const { name } of reply.calls) onDelta({ kind: 'call', name })
      return Promise.resolve(reply)
    },
    resumed: (replies) => void left.splice(0, replies.length),
  }
}

/** Those that a model gave whole. */
function repliesOf(events: readonly Event[]): PastReply[] {
  const asked = new Map<string, number>()
  const replies: PastReply[] = []
  for (const event of events) {
    if (event.type === 'llm.req') asked.set(event.req, event.messages)
    if (event.type === 'llm.resp' && event.stop !== 'failed' && event.stop !== 'stopped') replies.push({ messages: asked.get(event.req) ?? 0, reply: replyOf(event) })
  }
  return replies
}
