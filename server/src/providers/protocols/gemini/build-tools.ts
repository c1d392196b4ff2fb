import type { CanonicalCall, Tool, ToolChoice } from '#domain/inference/call.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'

/** The tools and the tool choice. Empty without tools, since a choice without tools is rejected. */
export function buildTools({ tools, toolChoice }: CanonicalCall): JsonObject {
  if (tools.length === 0) return {}
  const declared = { tools: [{ functionDeclarations: tools.map(declare) }] }
  if (toolChoice === null) return declared
  return { ...declared, toolConfig: { functionCallingConfig: callingConfig(toolChoice) } }
}

function declare({ name, description, parameters }: Tool): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    // The older field `parameters` rejects every keyword outside its subset. This field takes a whole schema.
    ...(hasProperties(parameters) ? { parametersJsonSchema: withoutDialect(parameters) } : {}),
  }
}

/** An object without properties is rejected, so a tool without parameters has no schema. */
function hasProperties(schema: JsonObject): boolean {
  const isBareObject = Object.keys(schema).every((key) => bareKeys.has(key))
  return !isBareObject || Object.keys(objectAt(schema, 'properties')).length > 0
}

const bareKeys = new Set(['$schema', 'type', 'properties', 'required', 'additionalProperties'])

function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema, ...rest } = schema
  return rest
}

function callingConfig(choice: ToolChoice): JsonObject {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    default:
      return unreachable(choice)
  }
}
