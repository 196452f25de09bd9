// A tool server for the tests, which offers what its first argument says (a JSON list of tools) on its
// standard input and output. A call answers with its arguments; a few names do otherwise.

import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

interface Tool {
  name: string
  description?: string
  inputSchema: { type: 'object'; [key: string]: unknown }
}

const tools = JSON.parse(process.argv[2]!) as Tool[]
const server = new Server({ name: 'stub', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler('tools/list', () => ({ tools }))
server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
  if (name === 'crash') process.exit(7)
  if (name === 'hang') await new Promise(() => {})
  if (name === 'environment') return { content: [{ type: 'text' as const, text: JSON.stringify([process.env['NOTES_KEY'] ?? null, process.env['NODWYN_TEST_SECRET'] ?? null, process.cwd()]) }] }
  if (name === 'fail') return { isError: true, content: [{ type: 'text' as const, text: 'no such note' }] }
  if (name === 'image') return { content: [{ type: 'image' as const, data: 'AAAA', mimeType: 'image/png' }, { type: 'text' as const, text: 'a picture' }] }
  return { content: [{ type: 'text' as const, text: JSON.stringify(args) }], ...(name === 'data' ? { structuredContent: { found: 2 } } : {}) }
})
await server.connect(new StdioServerTransport())
