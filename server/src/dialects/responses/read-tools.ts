import type { Tool, ToolChoice } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/**
 * The functions among the tools, flat or nested. Tools that a vendor would run itself (web search, file search, a shell,
 * namespaces) are dropped without complaint, because editors send them to everyone.
 */
export function readTools(body: JsonObject): Tool[] {
  const { tools } = body
  if (!Array.isArray(tools)) return []
  const allowed = allowedNames(body.tool_choice)
  const found: Tool[] = []
  for (const tool of tools) {
    const definition = functionOf(tool)
    if (definition === null) continue
    const name = stringAt(definition, 'name')
    if (name === undefined || allowed?.has(name) === false) continue
    const description = stringAt(definition, 'description')
    const cache = isJsonObject(tool) ? tool.cache_control : undefined
    found.push({
      name,
      ...(description === undefined ? {} : { description }),
      parameters: isJsonObject(definition.parameters) ? definition.parameters : { type: 'object', properties: {} },
      ...(typeof definition.strict === 'boolean' ? { strict: definition.strict } : {}),
      ...(cache === undefined ? {} : { cache }),
    })
  }
  return found
}

/** The definition inside a function tool, or null for other kinds of tools. */
export function functionOf(tool: JsonValue): JsonObject | null {
  if (!isJsonObject(tool) || tool.type !== 'function') return null
  return isJsonObject(tool.function) ? tool.function : tool
}

/** Null where nothing was chosen, or where what was chosen is a tool that was dropped. */
export function readToolChoice(choice: JsonValue | undefined, tools: readonly Tool[]): ToolChoice | null {
  if (tools.length === 0) return null
  if (typeof choice === 'string') return plainChoice(choice)
  if (!isJsonObject(choice)) return null
  if (choice.type === 'allowed_tools') return plainChoice(stringAt(choice, 'mode') ?? 'auto')
  if (choice.type === 'function' || choice.type === 'tool') {
    const name = stringAt(isJsonObject(choice.function) ? choice.function : choice, 'name')
    const chosen = tools.find((tool) => tool.name === name)
    return chosen === undefined ? null : { kind: 'tool', name: chosen.name }
  }
  return plainChoice(stringAt(choice, 'type'))
}

function plainChoice(word: string | undefined): ToolChoice | null {
  if (word === 'any') return { kind: 'required' }
  return word === 'auto' || word === 'none' || word === 'required' ? { kind: word } : null
}

function allowedNames(choice: JsonValue | undefined): ReadonlySet<string> | null {
  if (!isJsonObject(choice) || choice.type !== 'allowed_tools' || !Array.isArray(choice.tools)) return null
  const names = new Set<string>()
  for (const tool of choice.tools) {
    const name = isJsonObject(tool) ? stringAt(tool, 'name') : undefined
    if (name !== undefined) names.add(name)
  }
  return names
}
