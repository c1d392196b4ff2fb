import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { instanceOf } from './instance-of.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** One call per function of the request that its `tool_choice` allows. */
export function toolCallsFor(body: JsonObject, messageCount: number): ToolCall[] {
  const chosen = functionsOf(body).filter(({ name }) => isChosen(name, body))
  const calls = chosen.map((tool, at) => callOf(tool, messageCount, at))
  return body.parallel_tool_calls === false ? calls.slice(0, 1) : calls
}

/** A call of one function by name, with the request's schema if there is one. */
export function toolCallTo(name: string, body: JsonObject, messageCount: number): ToolCall {
  const tool = functionsOf(body).find((known) => known.name === name) ?? { name, parameters: {} }
  return callOf(tool, messageCount, 0)
}

interface ToolFunction {
  name: string
  parameters: JsonObject
}

function functionsOf(body: JsonObject): ToolFunction[] {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isJsonObject) : []
  return tools.flatMap((tool) => {
    const described = objectAt(tool, 'function')
    const name = stringAt(described, 'name')
    return name === undefined ? [] : [{ name, parameters: objectAt(described, 'parameters') }]
  })
}

function isChosen(name: string, body: JsonObject): boolean {
  if (body.tool_choice === 'none') return false
  const only = stringAt(objectAt(objectAt(body, 'tool_choice'), 'function'), 'name')
  return only === undefined || only === name
}

/** The id contains the conversation's length, so that a later round of calls has different ids. */
function callOf(tool: ToolFunction, messageCount: number, at: number): ToolCall {
  const instance = instanceOf(tool.parameters)
  return {
    id: `call_test_${messageCount}_${at}`,
    name: tool.name,
    arguments: JSON.stringify(isJsonObject(instance) ? instance : {}),
  }
}
