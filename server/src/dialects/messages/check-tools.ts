import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

const nameForm = /^[A-Za-z0-9_-]+$/

export function checkTools(tools: JsonValue | undefined): void {
  if (tools === undefined || tools === null) return
  if (!Array.isArray(tools)) refuse('`tools` must be an array.')
  for (const [position, tool] of tools.entries()) {
    if (!isJsonObject(tool)) refuse(`tools[${position}] must be an object.`)
    if (!isCustomTool(tool)) continue
    const { name, input_schema: schema } = tool
    if (typeof name !== 'string' || !nameForm.test(name)) {
      refuse(`tools[${position}] must have a name made of letters, digits, underscores and dashes.`)
    }
    if (!isJsonObject(schema)) refuse(`tools[${position}].input_schema must be an object.`)
  }
}

/**
 * Whether the client runs the tool itself. All other types are the upstream's own, left to upstreams that support them.
 */
export function isCustomTool({ type }: JsonObject): boolean {
  return type === undefined || type === null || type === 'custom'
}

function refuse(message: string): never {
  throw new GatewayError('invalidToolsDefinition', { message })
}
