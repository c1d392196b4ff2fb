import { expect, it } from 'vitest'
import { ignoredToolName } from './ignored-tool.ts'

it.each([
  [{ type: 'web_search' }, 'tools.web_search'],
  [{ type: 'mcp-server.v2' }, 'tools.mcp-server.v2'],
  [{ type: 'a b\r\nSet-Cookie: x' }, 'tools.a_b__Set-Cookie__x'],
  [{ type: 'é,"' }, 'tools.___'],
  [{ type: 'x'.repeat(51) }, `tools.${'x'.repeat(50)}`],
  [{ type: 7 }, 'tools.'],
  [{}, 'tools.'],
  ['web_search', 'tools.'],
  [null, 'tools.'],
])('the ignored tool %j is named %s', (tool, name) => {
  expect(ignoredToolName(tool)).toBe(name)
})
