// What a server offers (Model Context Protocol), to Prims. The server's words are untrusted: a name that
// could be taken for another is refused here, and every text that goes to it leaves this machine unless
// the person said what the parameter is.

import { createHash } from 'node:crypto'
import { shortened } from './bounded-text.ts'
import { prims } from './index.ts'
import { fromPlain, toPlain } from './json.ts'
import type { Param, ParamType, Prim, Role } from './prim.ts'
import { ToolError } from './tool-error.ts'

/** A tool as a server lists it. */
export interface ServedTool {
  name: string
  description?: string | undefined
  /** A JSON schema of an object. */
  inputSchema: { [key: string]: unknown }
}

/** What a server answers a call with. */
export interface ServerAnswer {
  isError: boolean
  text: string
  /** What the text stands for, where the server says it as data too. */
  value?: unknown
}

export type CallServer = (tool: string, args: Record<string, unknown>, signal: AbortSignal) => Promise<ServerAnswer>

/** Roles by tool and parameter, as the person configured them. */
export type Roles = Record<string, Record<string, Role>>

export interface Served {
  prims: Prim[]
  /** Those that were not taken, with one reason each. */
  refused: { name: string; reason: string }[]
}

const SERVER_NAME = /^[a-z0-9-]{1,30}$/
const TOOL_NAME = /^[A-Za-z0-9_-]+$/
/** The providers' limit on a tool's name, of which `mcp__` and `__` are ours. */
const LONGEST_NAME = 64 - 'mcp____'.length
const MOST_DESCRIPTION = 4000
const MOST_SHOWN = 60_000
/** Between words of a description these say nothing that a person would see. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}]|[^\P{Cc}\n\t]/gu

export function isServerName(name: string): boolean {
  return SERVER_NAME.test(name)
}

/** The name under which a session has a server's tool. */
export function servedName(server: string, tool: string): string {
  return `mcp:${server}.${tool}`
}

export function servedPrims(server: string, tools: readonly ServedTool[], roles: Roles, call: CallServer): Served {
  const served: Served = { prims: [], refused: [] }
  const seen = new Set<string>()
  for (const tool of tools) {
    const reason = whyRefused(server, tool, seen)
    seen.add(tool.name.toLowerCase())
    if (reason === null) served.prims.push(toPrim(server, tool, roles[tool.name] ?? {}, call))
    else served.refused.push({ name: tool.name, reason })
  }
  return served
}

function whyRefused(server: string, { name, inputSchema }: ServedTool, seen: ReadonlySet<string>): string | null {
  const folded = name.toLowerCase()
  if (!TOOL_NAME.test(name)) return 'a tool’s name is made of letters of ASCII, digits, _ and -'
  if (server.length + name.length > LONGEST_NAME) return `the names of server and tool have more than ${LONGEST_NAME} characters together`
  if (prims.some((prim) => prim.name === folded || prim.name.replaceAll('-', '_') === folded)) return 'that is the name of a tool of this program'
  if (seen.has(folded)) return 'the server offers two tools of that name'
  if (inputSchema['type'] !== 'object') return 'its arguments are no JSON object'
  return null
}

function toPrim(server: string, tool: ServedTool, roles: Record<string, Role>, call: CallServer): Prim {
  const label = `untrusted:mcp:${server}`
  return {
    name: servedName(server, tool.name),
    doc: (tool.description ?? '').replace(UNSEEN, '').slice(0, MOST_DESCRIPTION) || `${tool.name} of the server ${server}.`,
    readOnly: false,
    effect: 'network',
    params: paramsOf(tool, roles),
    schema: tool.inputSchema,
    async run(args, { signal }) {
      const plain = Object.fromEntries([...args].map(([name, value]) => [name, toPlain(value)]))
      const { isError, text, value } = await call(tool.name, plain, signal)
      const shown = shortened(text, MOST_SHOWN, 'Scheme gets all of it')
      if (isError) throw new ToolError('other', `the server answered with an error: ${shown}`, { labels: [label] })
      return { text: shown, value: value === undefined ? text : fromPlain(value), labels: [label] }
    },
  }
}

/** Required parameters first, each in the server's order. */
function paramsOf({ inputSchema }: ServedTool, roles: Record<string, Role>): Param[] {
  const properties = Object.entries(asObject(inputSchema['properties']))
  const required = new Set(Array.isArray(inputSchema['required']) ? inputSchema['required'] : [])
  const params = properties.map(([name, schema]) => toParam(name, asObject(schema), roles[name], required.has(name)))
  return [...params.filter(({ optional }) => !optional), ...params.filter(({ optional }) => optional)]
}

function toParam(name: string, schema: Record<string, unknown>, role: Role | undefined, required: boolean): Param {
  const type = typeOf(schema)
  const doc = typeof schema['description'] === 'string' ? schema['description'].replace(UNSEEN, '') : ''
  const isText = type !== 'integer' && type !== 'number' && type !== 'boolean'
  return { name, doc, type, role: role ?? (isText ? 'sent' : 'plain'), ...(required ? {} : { optional: true }) }
}

const TYPES: Record<string, ParamType> = { string: 'string', integer: 'integer', number: 'number', boolean: 'boolean', object: 'object' }

function typeOf({ type, items }: Record<string, unknown>): ParamType {
  if (type === 'array') return asObject(items)['type'] === 'string' ? 'list' : 'any'
  return (typeof type === 'string' && Object.hasOwn(TYPES, type) && TYPES[type]) || 'any'
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

/** What a server says of its tool, which a person accepts. */
export function servedDeclaration({ doc, schema }: Prim): string {
  return JSON.stringify({ description: doc, inputSchema: schema })
}

/** Of all that approvals of a tool rest on, the roles of its parameters included. */
export function declarationHash({ name, doc, effect, params, schema }: Prim): string {
  return createHash('sha256').update(JSON.stringify([name, doc, effect, params, schema ?? null])).digest('hex').slice(0, 16)
}
