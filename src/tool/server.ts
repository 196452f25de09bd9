// A tool server that the person configured (Model Context Protocol), connected: what it offers, and calls
// to it. Its program gets the few variables of the environment that any program needs, and those configured.

import { homedir } from 'node:os'
import type { Client } from '@modelcontextprotocol/client'
import type { CallServer, Roles, ServedTool, ServerAnswer } from './served.ts'
import { ToolError } from './tool-error.ts'

/** Where a server is: a program that speaks on its standard input and output, or an address. */
export interface ServerConfig {
  name: string
  /** An argument vector, with {root} for the workspace's folder. */
  command?: string[]
  url?: string
  env: Record<string, string>
  roles: Roles
}

export interface ServerConnection {
  tools: ServedTool[]
  call: CallServer
  close(): Promise<void>
}

const START_MS = 15_000
/** Of one call: what a tool does may take its time. */
const CALL_MS = 10 * 60_000
const MOST_PAGES = 50

/** Rejects with a ToolError that says why there is no such server. */
export async function connectServer(server: ServerConfig, { root, version }: { root: string; version: string }): Promise<ServerConnection> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'nodwyn', version })
  const said = { text: '' }
  try {
    await client.connect(await transportTo(server, root, said), { timeout: START_MS })
    return { tools: await allTools(client), call: (tool, args, signal) => callTool(client, server.name, tool, args, signal), close: () => client.close() }
  } catch (error) {
    await client.close().catch(() => {})
    const last = said.text.trim().split('\n').at(-1) ?? ''
    throw new ToolError('other', `mcp:${server.name}: the server could not be used: ${oneLine(error)}${last === '' ? '' : ` (it said: ${last})`}`, {
      help: `see servers.${server.name} in the configuration`,
    })
  }
}

async function transportTo({ command, url, env }: ServerConfig, root: string, said: { text: string }): Promise<Parameters<Client['connect']>[0]> {
  if (url !== undefined) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    return new StreamableHTTPClientTransport(new URL(url))
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
  const [program = '', ...args] = (command ?? []).map((word) => word.replaceAll('{root}', root))
  // At home and not in the workspace, whose files must not decide which program a name means.
  const transport = new StdioClientTransport({ command: program, args, cwd: homedir(), env: { ...getDefaultEnvironment(), ...env }, stderr: 'pipe' })
  transport.stderr?.on('data', (chunk: Buffer) => (said.text = `${said.text}${chunk.toString('utf8')}`.slice(-2000)))
  return transport
}

async function allTools(client: Client): Promise<ServedTool[]> {
  const all: ServedTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: START_MS })
    for (const { name, description, inputSchema } of tools) all.push({ name, description, inputSchema })
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return all
}

async function callTool(client: Client, server: string, name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ServerAnswer> {
  try {
    const { content = [], structuredContent, isError } = await client.callTool({ name, arguments: args }, { signal, timeout: CALL_MS })
    const text = content.map(blockText).join('\n')
    return { isError: isError === true, text: text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text, value: structuredContent }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ToolError('other', `the server ${server} did not answer: ${oneLine(error)}`, { labels: [`untrusted:mcp:${server}`] })
  }
}

function blockText(block: { type: string; [key: string]: unknown }): string {
  if (block.type === 'text') return String(block['text'])
  if (block.type === 'resource_link') return `[${String(block['name'])}: ${String(block['uri'])}]`
  const resource = block['resource'] as { uri?: unknown; text?: unknown } | undefined
  if (typeof resource?.text === 'string') return resource.text
  return `[${block.type}${typeof block['mimeType'] === 'string' ? `, ${block['mimeType']}` : ''}, not shown]`
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0]!.slice(0, 300)
}
