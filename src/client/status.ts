// What was spent, in one line.

import type { Event } from '../session/event.ts'

export class Figures {
  requests = 0
  prompt = 0
  cached: number | null = null
  completion = 0
  /** Tokens of the last request of the main context: what its context holds. */
  context = 0

  add(event: Event): void {
    if (event.type === 'llm.req') this.requests++
    if (event.type !== 'llm.resp') return
    const { prompt_tokens, cached_tokens, completion_tokens } = event.usage
    this.prompt += prompt_tokens
    this.completion += completion_tokens
    if (cached_tokens !== null) this.cached = (this.cached ?? 0) + cached_tokens
    if (event.ctx === 'main' && prompt_tokens > 0) this.context = prompt_tokens + completion_tokens
  }

  line(model: string, window: number | null): string {
    const share = this.cached === null || this.prompt === 0 ? '' : ` (${Math.round((100 * this.cached) / this.prompt)}% cached)`
    const context = window === null ? short(this.context) : `${short(this.context)} of ${short(window)}`
    return [
      model,
      `context ${context}`,
      `${short(this.prompt)} tokens in${share}, ${short(this.completion)} out`,
      `${this.requests} request${this.requests === 1 ? '' : 's'}`,
    ].join(' · ')
  }
}

function short(n: number): string {
  if (n < 1000) return String(n)
  return n < 1e6 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1e6).toFixed(1)}M`
}
