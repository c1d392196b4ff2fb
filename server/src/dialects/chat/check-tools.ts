import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'

const nameForm = /^[A-Za-z0-9_-]+$/

export function checkTools(body: JsonObject): void {
  const { tools } = body
  if (!Array.isArray(tools)) return
  for (const [position, tool] of tools.entries()) {
    // Other kinds of tools are left to upstreams that know them.
    if (!isJsonObject(tool) || tool.type !== 'function') continue
    const definition = isJsonObject(tool.function) ? tool.function : tool
    const { name, parameters } = definition
    if (typeof name !== 'string' || !nameForm.test(name)) {
      refuse(`tools[${position}] needs a name of letters, digits, underscores and dashes.`)
    }
    if (parameters !== undefined && !isJsonObject(parameters))
      refuse(`tools[${position}].parameters must be an object.`)
  }
}

function refuse(message: string): never {
  throw new GatewayError('invalidToolsDefinition', { message })
}

export function checkResponseFormat(body: JsonObject): void {
  const format = body.response_format
  if (!isJsonObject(format) || format.type !== 'json_schema') return
  const definition = format.json_schema
  if (!isJsonObject(definition) || typeof definition.name !== 'string' || !isJsonObject(definition.schema)) {
    throw new GatewayError('invalidResponseFormatSchema', {
      message: '`response_format.json_schema` needs a `name` and a `schema` object.',
    })
  }
}
