// The servers that a guard's scenario names, in place of real ones: each tool `mcp:SERVER.TOOL` is offered
// with the parameters below, or those of its first use, and comes through the same gate as any other.

import { prims } from '../tool/index.ts'
import type { Prim } from '../tool/prim.ts'
import { isServerName, servedPrims, type ServedTool } from '../tool/served.ts'
import { ToolError } from '../tool/tool-error.ts'

/** Of the servers that scenarios are written about; a required parameter has no `?`. */
const KNOWN: Record<string, string[]> = {
  'mcp:notes.search': ['q'],
  'mcp:mail.send': ['to', 'cc?', 'bcc?', 'subject?', 'body'],
}

interface Step {
  tool: string
  args: Record<string, unknown>
}

/** Finds the tools of a scenario's steps: the program's own, and the stubs. */
export function findFor(steps: readonly Step[]): (name: string) => Prim | null {
  const offered = new Map<string, Prim | ToolError>()
  for (const { tool, args } of steps) if (tool.startsWith('mcp:') && !offered.has(tool)) offered.set(tool, stub(tool, Object.keys(args)))
  return (name) => {
    const found = offered.get(name) ?? prims.find((prim) => prim.name === name) ?? null
    if (found instanceof ToolError) throw found
    return found
  }
}

function stub(name: string, used: string[]): Prim | ToolError {
  const [, server = '', tool = ''] = /^mcp:([^.]*)\.?(.*)$/s.exec(name) ?? []
  if (!isServerName(server)) return new ToolError('denied', `${JSON.stringify(server)} is no name of a server`)
  const served: ServedTool = { name: tool, inputSchema: schemaOf(KNOWN[name] ?? used) }
  const { prims: taken, refused } = servedPrims(server, [served], {}, async () => ({ isError: false, text: 'ok' }))
  return taken[0] ?? new ToolError('denied', refused[0]!.reason)
}

function schemaOf(params: string[]): ServedTool['inputSchema'] {
  const names = params.map((param) => param.replace('?', ''))
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names.filter((name) => params.includes(name)),
  }
}
