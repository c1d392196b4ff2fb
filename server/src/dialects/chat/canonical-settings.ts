import type { ResponseFormat, Sampling, Tool, ToolChoice } from '#domain/inference/call.ts'
import { samplingFields } from '#domain/inference/sampling-fields.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { cacheOf } from './content-parts.ts'

/** Returns undefined for a choice without a canonical form, which is sent unchanged. */
export function toolChoiceOf(choice: JsonValue | undefined): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  if (choice === 'any') return { kind: 'required' }
  if (!isJsonObject(choice) || choice.type !== 'function') return undefined
  const name = stringAt(objectAt(choice, 'function'), 'name') ?? stringAt(choice, 'name')
  return name === undefined ? undefined : { kind: 'tool', name }
}

/** Returns undefined for tools that are not functions. */
export function toolOf(tool: JsonValue): Tool | undefined {
  if (!isJsonObject(tool) || tool.type !== 'function') return undefined
  const definition = isJsonObject(tool.function) ? tool.function : tool
  const name = stringAt(definition, 'name')
  if (name === undefined) return undefined
  const description = stringAt(definition, 'description')
  return {
    name,
    parameters: isJsonObject(definition.parameters) ? definition.parameters : { type: 'object', properties: {} },
    ...(description === undefined ? {} : { description }),
    ...(typeof definition.strict === 'boolean' ? { strict: definition.strict } : {}),
    ...cacheOf(definition),
    ...cacheOf(tool),
  }
}

/** Null for plain text; undefined for a format without a canonical form. */
export function responseFormatOf(format: JsonValue | undefined): ResponseFormat | null | undefined {
  if (!isJsonObject(format) || format.type === 'text') return null
  if (format.type === 'json_object') return { kind: 'json' }
  const definition = objectAt(format, 'json_schema')
  const name = stringAt(definition, 'name')
  if (format.type !== 'json_schema' || name === undefined || !isJsonObject(definition.schema)) return undefined
  const description = stringAt(definition, 'description')
  return {
    kind: 'schema',
    name,
    schema: definition.schema,
    ...(typeof definition.strict === 'boolean' ? { strict: definition.strict } : {}),
    ...(description === undefined ? {} : { description }),
  }
}

export function samplingOf(body: JsonObject): Sampling {
  const sampling: Record<string, number> = {}
  for (const [name, field] of Object.entries(samplingFields)) {
    const value = body[field]
    if (typeof value === 'number') sampling[name] = value
  }
  const { stop } = body
  const stops = typeof stop === 'string' ? [stop] : Array.isArray(stop) ? stop.filter((text) => isString(text)) : []
  return stops.length === 0 ? sampling : { ...sampling, stop: stops }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
