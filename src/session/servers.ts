// The tool servers of the configuration to Prims. What a tool was declared as when it was first seen is
// kept; one that has since changed its words or arguments is left out until the person accepts it, since
// a model would read the new words before anybody was asked.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Prim } from '../tool/prim.ts'
import { servedDeclaration, servedPrims } from '../tool/served.ts'
import { connectServer, type ServerConfig, type ServerConnection } from '../tool/server.ts'
import { ToolError } from '../tool/tool-error.ts'
import { version } from './place.ts'

export interface OpenServers {
  prims: Prim[]
  /** Tools that have changed since they were accepted. */
  changed: ChangedTool[]
  /** One sentence each: servers that could not be used, tools that were left out. */
  warnings: string[]
  close(): Promise<void>
}

export interface ChangedTool {
  prim: Prim
  /** The declarations as text: the accepted one, and what the server says today. */
  before: string
  after: string
}

export async function openServers(configured: readonly ServerConfig[], { root, state }: { root: string; state: string }): Promise<OpenServers> {
  const open: OpenServers = { prims: [], changed: [], warnings: [], close: async () => void (await Promise.allSettled(connections.map((one) => one.close()))) }
  const connections: ServerConnection[] = []
  if (configured.length === 0) return open
  const accepted = new AcceptedTools(state)
  const asked = await Promise.all(configured.map((server) => connectServer(server, { root, version: version() }).catch(failureOf)))
  for (const [i, connection] of asked.entries()) {
    const { name, roles } = configured[i]!
    if (connection instanceof ToolError) {
      open.warnings.push(connection.message)
      continue
    }
    connections.push(connection)
    const { prims, refused } = servedPrims(name, connection.tools, roles, connection.call)
    for (const tool of refused) open.warnings.push(`mcp:${name}: the tool ${JSON.stringify(tool.name)} is left out: ${tool.reason}`)
    for (const prim of prims) take(prim, accepted, open)
  }
  accepted.save()
  return open
}

function take(prim: Prim, accepted: AcceptedTools, open: OpenServers): void {
  const before = accepted.declaration(prim.name)
  const after = servedDeclaration(prim)
  if (before === undefined || before === after) {
    accepted.accept(prim.name, after)
    open.prims.push(prim)
    return
  }
  open.changed.push({ prim, before, after })
  open.warnings.push(`${prim.name} is left out: its declaration has changed since it was accepted; see nodwyn tools --accept ${prim.name}`)
}

export { servedName } from '../tool/served.ts'

/** Takes a changed tool as it is, from the next session on. */
export function acceptTool({ prim, after }: ChangedTool, state: string): void {
  const accepted = new AcceptedTools(state)
  accepted.accept(prim.name, after)
  accepted.save()
}

function failureOf(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  throw error
}

/** The declarations that the person has accepted, by tool: at first sight, or after a change. */
class AcceptedTools {
  private readonly file: string
  private readonly declarations: Map<string, string>
  private readonly added = new Map<string, string>()

  constructor(state: string) {
    this.file = join(state, 'approvals', 'tools.json')
    this.declarations = readDeclarations(this.file)
  }

  declaration(name: string): string | undefined {
    return this.declarations.get(name)
  }

  accept(name: string, declaration: string): void {
    if (this.declarations.get(name) === declaration) return
    this.declarations.set(name, declaration)
    this.added.set(name, declaration)
  }

  save(): void {
    if (this.added.size === 0) return
    // Another session may have added others meanwhile.
    const all = new Map([...readDeclarations(this.file), ...this.added])
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    const part = `${this.file}.${process.pid}`
    writeFileSync(part, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`, { mode: 0o600 })
    renameSync(part, this.file)
    this.added.clear()
  }
}

function readDeclarations(file: string): Map<string, string> {
  return new Map(Object.entries(readObject(file)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Throws ToolError for a file that holds something else: to forget what was accepted would accept anything. */
function readObject(file: string): object {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ToolError('other', `${file}: cannot be read`)
  }
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    throw new ToolError('other', `${file}: is no valid JSON`, { help: 'remove it to accept the tools of your servers anew' })
  }
}
