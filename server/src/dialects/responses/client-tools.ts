import { hash } from 'node:crypto'
import { ignoredToolName } from '#domain/inference/ignored-tool.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectsIn, stringAt } from '#lib/json.ts'

/** A tool that the client runs: a function, or a custom tool with free-text input; either may be in a namespace. */
export interface ClientTool {
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly namespace?: string
  /** The tool's name for upstreams without namespaces. */
  readonly flatName: string
  readonly definition: JsonObject
  /** Its prompt cache options, which are beside a nested definition. */
  readonly cache?: JsonValue
}

/** The tools of a request that every upstream can get. Tools without a name are omitted. */
export function clientTools(tools: JsonValue | undefined): ClientTool[] {
  return objectsIn(tools).flatMap((tool) => {
    if (tool.type !== 'namespace') return clientTool(tool)
    const namespace = stringAt(tool, 'name') ?? ''
    return objectsIn(tool.tools).flatMap((inner) => clientTool(inner, namespace))
  })
}

function clientTool(tool: JsonObject, namespace?: string): ClientTool[] {
  const definition = functionOf(tool) ?? tool
  const name = stringAt(definition, 'name')
  if (name === undefined || (tool.type !== 'function' && tool.type !== 'custom')) return []
  const { type: kind, cache_control: cache } = tool
  const flatName = flatToolName(name, namespace)
  const place = namespace === undefined ? {} : { namespace }
  return [{ kind, name, ...place, flatName, definition, ...(cache === undefined ? {} : { cache }) }]
}

/** The definition inside a function tool, flat or nested, or null for other kinds of tools. */
export function functionOf(tool: JsonValue): JsonObject | null {
  if (!isJsonObject(tool) || tool.type !== 'function') return null
  return isJsonObject(tool.function) ? tool.function : tool
}

// Most providers accept this length. A longer name ends in a digest of the full name, so that two tools never share a
// name.
const nameLengthMax = 64
const digestLength = 8

/** The flat name of a tool in a namespace. */
export function flatToolName(name: string, namespace: string | undefined): string {
  const whole = namespace === undefined || namespace === '' ? name : `${namespace}__${name}`
  if (namespace === undefined || whole.length <= nameLengthMax) return whole
  const digest = hash('sha256', whole, 'hex').slice(0, digestLength)
  return `${whole.slice(0, nameLengthMax - digestLength - 1)}_${digest}`
}

/** The tool types that an upstream supports: all of OpenAI's, the common ones of this dialect, or functions only. */
export type ToolKnowledge = 'openai' | 'responses' | 'functions'

/**
 * Whether an upstream gets a tool. The client must run it: a tool that the provider runs acts in the operator's account
 * and costs extra. For upstreams of other protocols, custom tools and namespaces become functions.
 */
export function isTold(tool: JsonObject, knowledge: ToolKnowledge): boolean {
  switch (tool.type) {
    case 'function':
    case 'custom':
      return true
    case 'namespace':
      return knowledge !== 'responses'
    case 'local_shell':
    case 'apply_patch':
      return knowledge !== 'functions'
    case 'tool_search':
      return knowledge === 'openai' && tool.execution === 'client'
    case 'shell':
      return knowledge === 'openai' && isJsonObject(tool.environment) && tool.environment.type === 'local'
    default:
      return false
  }
}

/** The names of dropped tools for `X-Params-Ignored`. */
export function leftTools({ tools }: JsonObject, knowledge: ToolKnowledge): string[] {
  const left = objectsIn(tools).filter((tool) => !isTold(tool, knowledge))
  return [...new Set(left.map(ignoredToolName))]
}
