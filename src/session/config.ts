// The person's configuration file, and the project's, to one checked Config. A project's file can only
// tighten: it adds to what is forbidden or protected and lowers limits; anything else in it is ignored,
// and said to be.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Grant, Policy } from '../guard/guard.ts'
import { ToolError, type Role } from '../tool/prim.ts'
import { isServerName } from '../tool/served.ts'
import type { ServerConfig } from '../tool/server.ts'
import { configFolder } from './place.ts'

export interface Limits {
  /** Requests to models in one task. */
  requests: number
  /** Tokens in one task, prompts and replies of all contexts together. */
  tokens: number
  /** Seconds of one task. */
  seconds: number
  /** Rounds in which a failed check goes back to the model. */
  checkRounds: number
}

export interface Config {
  model: string | null
  /** The project's check, as an argument vector; null: look for one. */
  check: string[] | null
  grants: Grant[]
  denylist: string[]
  protect: Policy['protect']
  /** The hosts that may be reached, without a question; null: each is asked about. */
  net: string[] | null
  /** Servers whose tools a session has beside its own (Model Context Protocol). */
  servers: ServerConfig[]
  limits: Limits
  /** What was ignored, one sentence each. */
  warnings: string[]
}

export const PROJECT_FILE = '.nodwyn.json'

const DEFAULTS: Config = {
  model: null,
  check: null,
  grants: [],
  denylist: [],
  protect: [],
  net: null,
  servers: [],
  limits: { requests: 100, tokens: 20_000_000, seconds: 3600, checkRounds: 3 },
  warnings: [],
}
const TIGHTENING = ['denylist', 'protect', 'limits']
const VERDICTS = ['confirm', 'security confirm', 'deny']

/** What holds where nothing is configured. */
export function defaultConfig(): Config {
  return structuredClone(DEFAULTS)
}

/** `file`: instead of the person's own; it must exist then. Throws ToolError for a file that says
 * something else than what it must. */
export function loadConfig(cwd: string, file: string | null): Config {
  const own = file ?? join(configFolder(), 'config.json')
  const config = defaultConfig()
  if (file !== null || existsSync(own)) Object.assign(config, checked(own, readObject(own), config.limits))
  const project = join(cwd, PROJECT_FILE)
  if (existsSync(project)) tighten(config, project)
  return config
}

function tighten(config: Config, file: string): void {
  const fields = readObject(file)
  for (const name of Object.keys(fields))
    if (!TIGHTENING.includes(name)) {
      delete fields[name]
      config.warnings.push(`${PROJECT_FILE}: ${name} is ignored: a project's file can set ${TIGHTENING.join(', ')}`)
    }
  const { denylist = [], protect = [], limits = config.limits } = checked(file, fields, config.limits)
  config.denylist = [...config.denylist, ...denylist]
  config.protect = [...config.protect, ...protect]
  for (const name of Object.keys(config.limits) as (keyof Limits)[])
    config.limits[name] = Math.min(config.limits[name], limits[name])
}

function readObject(file: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw wrong(file, error instanceof SyntaxError ? 'is no valid JSON' : 'cannot be read')
  }
  if (!isObject(value)) throw wrong(file, `must hold an object, got ${typed(value)}`)
  return value
}

function checked(file: string, fields: Record<string, unknown>, limits: Limits): Partial<Config> {
  const found: Partial<Config> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'model') found.model = expect(file, name, value, 'a string', isString)
    else if (name === 'check') found.check = words(expect(file, name, value, 'a string or a list of strings', isCommand))
    else if (name === 'denylist') found.denylist = expect(file, name, value, 'a list of strings', isStrings)
    else if (name === 'grants') found.grants = expect(file, name, value, 'a list of grants', isGrants)
    else if (name === 'protect') found.protect = expect(file, name, value, 'a list of {"glob", "verdict"}', isProtect)
    else if (name === 'net') found.net = expect(file, name, value, 'a list of strings', isStrings)
    else if (name === 'servers') found.servers = serversOf(file, expect(file, name, value, 'an object of servers by name', isObject))
    else if (name === 'limits') found.limits = { ...limits, ...expect(file, name, value, `an object of positive numbers (${Object.keys(limits).join(', ')})`, isLimits) }
    else throw wrong(file, `unknown field ${name}`, `the fields are model, check, grants, denylist, protect, net, servers, limits`)
  }
  return found
}

const SERVER_FIELDS = ['command', 'url', 'env', 'roles']

function serversOf(file: string, servers: Record<string, unknown>): ServerConfig[] {
  return Object.entries(servers).map(([name, server]) => {
    const at = `servers.${name}`
    if (!isServerName(name)) throw wrong(file, `${at}: a server's name is made of at most 30 of a-z, 0-9 and -`)
    const fields = expect(file, at, server, 'an object', isObject)
    const unknown = Object.keys(fields).find((field) => !SERVER_FIELDS.includes(field))
    if (unknown !== undefined) throw wrong(file, `${at}: unknown field ${unknown}`, `the fields are ${SERVER_FIELDS.join(', ')}`)
    const { command, url, env = {}, roles = {} } = fields
    if ((command === undefined) === (url === undefined)) throw wrong(file, `${at} must have either a command or a url`)
    return {
      name,
      ...(command === undefined ? {} : { command: expect(file, `${at}.command`, command, 'a list of strings', isWords) }),
      ...(url === undefined ? {} : { url: expect(file, `${at}.url`, url, 'an address that begins with https:// or http://', isWebAddress) }),
      env: expect(file, `${at}.env`, env, 'an object of strings', isTexts),
      roles: expect(file, `${at}.roles`, roles, `an object of tools, each an object of parameters with a role (${ROLES.join(', ')})`, isRoles),
    }
  })
}

function expect<T>(file: string, name: string, value: unknown, what: string, is: (value: unknown) => value is T): T {
  if (is(value)) return value
  throw wrong(file, `${name} must be ${what}, got ${typed(value)}`)
}

function wrong(file: string, what: string, help?: string): ToolError {
  return new ToolError('contract', `${file}: ${what}`, help === undefined ? {} : { help })
}

function typed(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function words(command: string | string[]): string[] {
  return typeof command === 'string' ? command.split(/\s+/).filter(Boolean) : command
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isString = (value: unknown): value is string => typeof value === 'string'
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString)
const isCommand = (value: unknown): value is string | string[] =>
  isString(value) ? value.trim() !== '' : isStrings(value) && value.length > 0
const ROLES: readonly Role[] = ['path', 'payload', 'url', 'sent', 'command', 'ref', 'message', 'plain']
const isWords = (value: unknown): value is string[] => isStrings(value) && value.length > 0 && value[0] !== ''
const isWebAddress = (value: unknown): value is string => isString(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
const isTexts = (value: unknown): value is Record<string, string> => isObject(value) && Object.values(value).every(isString)
const isRoles = (value: unknown): value is ServerConfig['roles'] =>
  isObject(value) && Object.values(value).every((params) => isObject(params) && Object.values(params).every((role) => (ROLES as unknown[]).includes(role)))
const isLimits = (value: unknown): value is Partial<Limits> =>
  isObject(value) && Object.entries(value).every(([name, n]) => name in DEFAULTS.limits && typeof n === 'number' && n > 0)
const isProtect = (value: unknown): value is Policy['protect'] =>
  Array.isArray(value) &&
  value.every((rule) => isObject(rule) && isString(rule['glob']) && VERDICTS.includes(String(rule['verdict'])))
const isGrants = (value: unknown): value is Grant[] => Array.isArray(value) && value.every(isGrant)

function isGrant(grant: unknown): grant is Grant {
  if (!isObject(grant)) return false
  if (grant['kind'] === 'write') return isString(grant['tool']) && isString(grant['path'])
  if (grant['kind'] === 'tool') return isString(grant['tool'])
  if (grant['kind'] === 'network') return isString(grant['tool']) && isString(grant['host']) && (grant['query'] === undefined || typeof grant['query'] === 'boolean')
  if (grant['kind'] === 'exec') return isStrings(grant['argv']) && grant['argv'].length > 0
  return grant['kind'] === 'exact' && isString(grant['tool']) && isString(grant['arguments'])
}
