import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { functionOf } from './read-tools.ts'

/**
 * The tools that the client runs itself, in flat form, and how they are to be chosen. Those that the vendor would run are dropped, as
 * for every other upstream: they act in the operator's account and cost money of their own.
 */
export function relayTools(body: JsonObject): JsonObject {
  const tools = Array.isArray(body.tools) ? body.tools.flatMap(relayTool) : []
  if (tools.length === 0) return {}
  const choice = relayChoice(body.tool_choice, tools)
  const { parallel_tool_calls: parallel } = body
  return {
    tools,
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: parallel } : {}),
  }
}

const runByClients: ReadonlySet<JsonValue | undefined> = new Set(['custom', 'local_shell', 'apply_patch'])

function relayTool(tool: JsonValue): JsonObject[] {
  const definition = functionOf(tool)
  if (definition !== null) {
    const { cache_control: _, ...rest } = definition
    return [{ ...rest, type: 'function' }]
  }
  return isJsonObject(tool) && runByClients.has(tool.type) ? [tool] : []
}

function relayChoice(choice: JsonValue | undefined, tools: readonly JsonObject[]): JsonValue | undefined {
  if (choice === undefined || choice === null) return undefined
  if (!isJsonObject(choice)) return choice === 'any' ? 'required' : choice
  if (choice.type === 'allowed_tools') {
    const allowed = Array.isArray(choice.tools) ? choice.tools.filter((named) => isAmong(named, tools)) : []
    return { ...choice, tools: allowed }
  }
  const word = choice.type === 'any' ? 'required' : choice.type
  if (word === 'auto' || word === 'none' || word === 'required') return word
  const { function: nested, ...flat } = choice
  const named = isJsonObject(nested) ? { ...flat, ...nested } : flat
  return isAmong(named, tools) ? named : undefined
}

/** By name, or by type where the type has no names. */
function isAmong(named: JsonValue, tools: readonly JsonObject[]): boolean {
  if (!isJsonObject(named)) return false
  return tools.some((tool) => tool.type === named.type && stringAt(tool, 'name') === stringAt(named, 'name'))
}
