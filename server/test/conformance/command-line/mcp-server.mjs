import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

// A server of one tool, which clients start themselves.
const server = new McpServer({ name: 'mill', version: '1.0.0' })
server.registerTool(
  'read_gauge',
  { description: 'The height of the water at a gauge', inputSchema: { gauge: z.string() } },
  async ({ gauge }) => ({ content: [{ type: 'text', text: `4.2 m at ${gauge}` }] }),
)
await server.connect(new StdioServerTransport())
