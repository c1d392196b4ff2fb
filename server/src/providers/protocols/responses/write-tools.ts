import type { CanonicalCall, Tool, ToolChoice } from '#domain/inference/call.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** The functions and the tool choice. Empty without functions, since a choice alone is rejected. */
export function writeTools({ tools, toolChoice, parallelToolCalls }: CanonicalCall): JsonObject {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(writeTool),
    ...(toolChoice === null ? {} : { tool_choice: writeChoice(toolChoice) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  }
}

/** Functions are strict in this API unless the request says otherwise. In all other APIs it is the opposite. */
function writeTool({ name, description, parameters, strict = false }: Tool): JsonObject {
  return { type: 'function', name, ...(description === undefined ? {} : { description }), parameters, strict }
}

function writeChoice(choice: ToolChoice): JsonValue {
  return choice.kind === 'tool' ? { type: 'function', name: choice.name } : choice.kind
}
