// The one vocabulary of talk with a model. The wire's words stay in each provider's file.

/** Use of a tool as the model asked for it. `argumentsText` is the JSON text as it was sent, sound or not
 * (the native Ollama API sends an object, of which it is the text). `id` is empty where the provider gives none. */
export interface Call {
  id: string
  name: string
  argumentsText: string
}

export type Message =
  | { from: 'host'; text: string }
  | { from: 'person'; text: string }
  | { from: 'model'; text: string; thinking: string; calls: Call[] }
  | { from: 'tool'; id: string; name: string; text: string; ok: boolean }

/** A tool as a model sees it: a JSON schema object in `parameters`. */
export interface ToolSchema {
  name: string
  description: string
  parameters: object
}

export interface Request {
  messages: readonly Message[]
  tools: readonly ToolSchema[]
}

export interface Usage {
  promptTokens: number
  /** Null where the provider does not report it. */
  cachedTokens: number | null
  completionTokens: number
}

export interface Reply {
  text: string
  thinking: string
  calls: Call[]
  usage: Usage
  /** Milliseconds; null where the provider does not report it. */
  promptEvalMs: number | null
  evalMs: number | null
  /** Why it ended: "stop", "length", "calls" or the provider's own word. */
  stop: string
  /** Said to model and person when something is amiss: a prompt that was cut, and the like. */
  warnings: string[]
}

/** A piece of a reply while it streams. */
export type Delta = { kind: 'text'; text: string } | { kind: 'thinking'; text: string } | { kind: 'call'; name: string }

export interface Model {
  /** As the person wrote it: `ollama:qwen3.8:27b`. */
  readonly name: string
  /** Tokens that fit; null where unknown. */
  readonly window: number | null
  /** The replies that a session had already, of a model that gives each of its replies once. */
  resumed?(replies: readonly { text: string; calls: string[] }[]): void
  /** Rejects with ModelError, or with the signal's reason when aborted. */
  complete(request: Request, onDelta: (delta: Delta) => void, signal: AbortSignal): Promise<Reply>
}

/** A model that could not answer. `message` is one line that says what was tried and what to do; it
 * never holds a key. */
export class ModelError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'protocol' | 'stalled' | 'configuration'
  readonly help: string | null
  constructor(kind: ModelError['kind'], message: string, help: string | null = null) {
    super(message)
    this.kind = kind
    this.help = help
  }
}
