// The options that several commands share, to a session.

import { statSync } from 'node:fs'
import { loadConfig, type Config } from '../session/config.ts'
import type { Person } from '../session/person.ts'
import { createSession, type Session, type SessionModel } from '../session/session.ts'
import { ToolError } from '../session/report.ts'
import type { Common, ResolveModel } from './program.ts'
import { servedName } from '../session/servers.ts'

export function configOf({ cwd, config }: Common): Config {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new ToolError('contract', `--cwd: no directory ${cwd}`)
  return loadConfig(cwd, config ?? null)
}

/** A session for calls and Scheme alone, that asks no model. */
export function openPlain(
  options: Common & { yes?: boolean },
  person: Person,
  attended = false,
  /** Which tool will be called: no other server than its own is started. */
  tool: string | null = null,
): Promise<Session> {
  const config = configOf(options)
  if (tool !== null) config.servers = config.servers.filter(({ name }) => tool.startsWith(servedName(name, '')))
  return createSession({
    cwd: options.cwd,
    config,
    model: null,
    person,
    attended,
    consent: options.yes ? 'yes' : 'ask',
    strategy: null,
  })
}

/** The model that was asked for on the command line, else the configured one; null where there is none. */
export function modelSet(option: string | undefined, config: Config): string | null {
  return option ?? (process.env['NODWYN_MODEL'] || config.model || null)
}

/** The same, for what cannot do without. */
export function modelName(option: string | undefined, config: Config): string {
  const name = modelSet(option, config)
  if (name !== null) return name
  throw new ToolError('contract', 'no model is set', { help: HOW_TO_SET_A_MODEL })
}

/** The model for an earlier session: what was asked for, its own, or where it had none what is set; null where
 * nothing is. */
export async function modelOf(option: string | undefined, own: string, config: Config, resolveModel: ResolveModel): Promise<SessionModel | null> {
  const name = option ?? (own === 'none' ? modelSet(undefined, config) : own)
  return name === null ? null : resolveModel(name)
}

export const HOW_TO_SET_A_MODEL = 'give one with --model ollama:NAME, or set "model" in the configuration; nodwyn demo --terminal works without'

/** All of standard input. */
export async function readInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

