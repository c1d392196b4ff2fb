import type { Tool, ToolChoice } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import { type ClientTool, clientTools, flatToolName } from './client-tools.ts'

/**
 * The tools that the client runs, as functions: a tool of a namespace under its flat name, a custom tool with its input
 * as the only argument. Tools that a provider would run (web search, file search) are dropped, because editors send
 * them to every gateway.
 */
export function readTools(body: JsonObject): Tool[] {
  const allowed = allowedNames(body.tool_choice)
  const tools = clientTools(body.tools)
  const isAllowed = ({ flatName }: ClientTool): boolean => allowed?.has(flatName) !== false
  return tools.filter(isAllowed).map(asFunction)
}

function asFunction({ kind, flatName, definition, cache }: ClientTool): Tool {
  const description = kind === 'custom' ? customDescription(definition) : stringAt(definition, 'description')
  const { parameters, strict } = definition
  return {
    name: flatName,
    ...(description === undefined ? {} : { description }),
    parameters: kind === 'custom' ? inputSchema : isJsonObject(parameters) ? parameters : noParameters,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(cache === undefined ? {} : { cache }),
  }
}

const noParameters: JsonObject = { type: 'object', properties: {} }
const inputSchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The complete input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

/** Adds the grammar of the input to the description, because only Responses upstreams can enforce it. */
function customDescription(definition: JsonObject): string | undefined {
  const grammar = stringAt(objectAt(definition, 'format'), 'definition')
  const description = stringAt(definition, 'description')
  if (grammar === undefined) return description
  return `${description ?? ''}\n\nThe input must match this grammar:\n${grammar}`.trim()
}

/** Returns null if nothing was chosen, or if the chosen tool was dropped. */
export function readToolChoice(choice: JsonValue | undefined, tools: readonly Tool[]): ToolChoice | null {
  if (tools.length === 0) return null
  if (typeof choice === 'string') return plainChoice(choice)
  if (!isJsonObject(choice)) return null
  if (choice.type === 'allowed_tools') return plainChoice(stringAt(choice, 'mode') ?? 'auto')
  if (choice.type === 'function' || choice.type === 'tool' || choice.type === 'custom') {
    const name = flatNameOf(isJsonObject(choice.function) ? choice.function : choice)
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
  return new Set(objectsIn(choice.tools).flatMap((tool) => flatNameOf(tool) ?? []))
}

/** The flat name of the tool in a call or a tool choice. */
export function flatNameOf(named: JsonObject): string | undefined {
  const name = stringAt(named, 'name')
  return name === undefined ? undefined : flatToolName(name, stringAt(named, 'namespace'))
}
