// A model's name as a person writes it, PROVIDER:NAME, to the model. A provider is one file and one line here.

import { ModelError, type Model } from './talk.ts'
import { withWireNames } from './wire-name.ts'

type Environment = Record<string, string | undefined>
type Opened = Model & { close?(): Promise<void> }
type Providers = ReadonlyMap<string, (name: string, env: Environment) => Promise<Opened>>

const PROVIDERS: Providers = new Map([
  ['ollama', async (name: string, env: Environment): Promise<Opened> => (await import('./ollama.ts')).makeOllama(name, { env })],
  ['anthropic', async (name, env) => withWireNames((await import('./anthropic.ts')).makeAnthropic(name, { env }))],
  ['openai', async (name, env) => withWireNames((await import('./openai.ts')).makeOpenAI(name, { env }))],
  ['script', async (file) => (await import('./script.ts')).makeScripted(file)],
])

/** Rejects with ModelError of kind configuration. No server is asked yet; `close` is there where the model brought
 * a server along. `more`: providers beside those here. */
export async function resolveModel(name: string, env: Environment = process.env, more: Providers = new Map()): Promise<Opened> {
  const providers = new Map([...PROVIDERS, ...more])
  const help = `a model is named PROVIDER:NAME, with one of the providers ${[...providers.keys()].join(', ')}`
  const colon = name.indexOf(':')
  if (colon < 0) throw new ModelError('configuration', `model: expected PROVIDER:NAME, got ${JSON.stringify(name)}`, help)
  const provider = name.slice(0, colon)
  const rest = name.slice(colon + 1)
  const make = providers.get(provider)
  if (!make) throw new ModelError('configuration', `model: unknown provider ${provider}`, help)
  if (rest === '') throw new ModelError('configuration', `model: missing a name after ${provider}:`, help)
  return make(rest, env)
}
