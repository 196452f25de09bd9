// How many tokens an Ollama model is given room for, and whether a prompt fitted. Left to itself Ollama
// takes a small window and silently drops what does not fit in it.

import { ModelError, type Request } from './talk.ts'

/** What a model is given that could take more: the memory for it grows with the window. */
const MOST_BY_DEFAULT = 32_768
/** Where the server does not say what the model can take. */
const UNKNOWN = 8192
/** A prompt that fills this share of the window leaves no room for a reply. */
const FULL = 0.98
/** No usual text, in code or prose, has more characters to a token on average. */
const MOST_CHARACTERS_A_TOKEN = 8
const USUAL_CHARACTERS_A_TOKEN = 4
/** Below it an estimate says too little. */
const LEAST_ESTIMATED = 512

/** The window set in the environment, as Ollama's own server reads it; null where none is. */
export function windowFromEnvironment(env: Record<string, string | undefined>): number | null {
  const text = env['OLLAMA_CONTEXT_LENGTH']
  if (text === undefined || text === '') return null
  const window = Number(text)
  if (Number.isSafeInteger(window) && window > 0) return window
  throw new ModelError('configuration', `OLLAMA_CONTEXT_LENGTH: expected a count of tokens, got ${JSON.stringify(text)}`)
}

/** The window for a model of which /api/show said this: what its Modelfile sets, else what it can take, bounded. */
export function windowOf(shown: { parameters?: unknown; model_info?: unknown }): number {
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(typeof shown.parameters === 'string' ? shown.parameters : '')
  if (set) return Number(set[1])
  for (const [key, value] of Object.entries(shown.model_info ?? {}))
    if (key.endsWith('.context_length') && typeof value === 'number' && value > 0) return Math.min(value, MOST_BY_DEFAULT)
  return UNKNOWN
}

/** A warning where Ollama read less of a prompt than it was sent, or may have; null where all seems well. */
export function noticeCut(request: Request, read: number, window: number): string | null {
  const characters = request.messages.reduce((sum, message) => sum + message.text.length, 0)
  const estimated = Math.round(characters / USUAL_CHARACTERS_A_TOKEN)
  const mend = 'the conversation must become shorter, or the window larger (OLLAMA_CONTEXT_LENGTH)'
  if (estimated >= LEAST_ESTIMATED && read * MOST_CHARACTERS_A_TOKEN < characters)
    return `Ollama cut the prompt: of about ${estimated} tokens it read ${read}, in a window of ${window}; ${mend}`
  if (read >= window * FULL) return `the prompt fills the window (${read} of ${window} tokens), so that Ollama may have cut it; ${mend}`
  return null
}
