import { isJsonObject, type JsonObject, type JsonValue, objectsIn, stringAt } from '#lib/json.ts'
import { functionOf, isTold, type ToolKnowledge } from './client-tools.ts'

/**
 * The tools that the client runs, in flat form, and the tool choice. Tools that the provider would run are dropped, as
 * for every other upstream: they act in the operator's account and cost extra.
 */
export function relayTools(body: JsonObject, knowledge: ToolKnowledge): JsonObject {
  const tools = objectsIn(body.tools).flatMap((tool) => relayTool(tool, knowledge))
  if (tools.length === 0) return {}
  const choice = relayChoice(body.tool_choice, tools)
  const { parallel_tool_calls: parallel } = body
  return {
    tools,
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: parallel } : {}),
  }
}

function relayTool(tool: JsonObject, knowledge: ToolKnowledge): JsonObject[] {
  if (!isTold(tool, knowledge)) return []
  const { cache_control: _, ...rest } = functionOf(tool) ?? tool
  if (tool.type === 'namespace')
    return [{ ...rest, tools: objectsIn(tool.tools).flatMap((inner) => relayTool(inner, knowledge)) }]
  return [{ ...rest, type: tool.type }]
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

/** Matches by name, or by type if the type has no names. */
function isAmong(named: JsonValue, tools: readonly JsonObject[]): boolean {
  if (!isJsonObject(named)) return false
  return tools.some((tool) => {
    if (tool.type === 'namespace' && tool.name === named.namespace)
      return isAmong({ ...named, namespace: null }, objectsIn(tool.tools))
    return tool.type === named.type && stringAt(tool, 'name') === stringAt(named, 'name')
  })
}
