import type { CanonicalCall, Tool, ToolChoice } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { boundSearchTools } from './search-tools.ts'
import { marked } from './write-block.ts'

/** The tools and the tool choice. Empty without tools, since a choice alone is rejected. */
export function writeTools({ tools, extras, toolChoice, parallelToolCalls }: CanonicalCall): JsonObject {
  const all = [...tools.map(writeTool), ...boundSearchTools(serverTools(extras))]
  if (all.length === 0) return {}
  const isOneByOne = parallelToolCalls === false
  if (toolChoice === null && !isOneByOne) return { tools: all }
  const choice = writeChoice(toolChoice ?? { kind: 'auto' })
  const isLimited = isOneByOne && choice.type !== 'none'
  return { tools: all, tool_choice: isLimited ? { ...choice, disable_parallel_tool_use: true } : choice }
}

function writeTool({ name, description, parameters, strict, cache }: Tool): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { type: 'object', ...parameters },
    // Omitting it means the same as false.
    ...(strict === true ? { strict } : {}),
    ...marked(isJsonObject(cache) ? cache : undefined),
  }
}

/** Tools that the upstream runs have dated types and are sent unchanged. */
function serverTools(extras: JsonObject): JsonObject[] {
  return [extras.tools, extras.server_tools]
    .flatMap((tools) => (Array.isArray(tools) ? tools : []))
    .filter(isJsonObject)
    .filter((tool) => /_20\d{6}$|^mcp_toolset$/.test(stringAt(tool, 'type') ?? ''))
}

function writeChoice(choice: ToolChoice): JsonObject {
  if (choice.kind === 'tool') return { type: 'tool', name: choice.name }
  return { type: choice.kind === 'required' ? 'any' : choice.kind }
}
