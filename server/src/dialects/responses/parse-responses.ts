import type { DialectCall } from '#dialects/dialect.ts'
import { sizeOf } from '#domain/inference/prompt-matter.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { checkInput } from './check-input.ts'
import { clientTools, functionOf } from './client-tools.ts'
import { responsesPrompt } from './responses-prompt.ts'

/** The prefix that some editors add to every model of a custom endpoint. */
const clientPrefix = 'weir/'

/** Rejects requests that no upstream could serve. All other fields are accepted, known or not. */
export function parseResponses(body: JsonObject): DialectCall {
  const { model } = body
  if (model === undefined || model === null) {
    throw new GatewayError('missingRequiredField', { message: 'The field `model` is required.' })
  }
  if (typeof model !== 'string') throw malformed('`model` must be a string.')
  refuseState(body)
  checkInput(body.input)
  const stream = body.stream ?? false
  if (typeof stream !== 'boolean') throw malformed('`stream` must be true or false.')
  checkTemperature(body.temperature)
  checkTools(body.tools)
  checkFormat(body)
  return {
    modelName: model.startsWith(clientPrefix) ? model.slice(clientPrefix.length) : model,
    stream,
    maxTokens: outputCap(body.max_output_tokens),
    choiceCount: 1,
    hasTools: clientTools(body.tools).length > 0,
    ...sizeOf(responsesPrompt.measure(body)),
    body,
  }
}

function refuseState(body: JsonObject): void {
  const previous = body.previous_response_id
  if (previous !== undefined && previous !== null) {
    throw new GatewayError('invalidPrompt', {
      message:
        '`previous_response_id` is not supported because responses are not stored. Send the full history in `input`.',
    })
  }
  if (body.store === true) {
    throw new GatewayError('invalidPrompt', {
      message: '`store: true` is not supported. Set it to false and send the full history in `input`.',
    })
  }
}

// No model produces more. Without a bound, the price of a cap of 2^53 tokens would not fit the ledger's integers.
const capMax = 2 ** 31 - 1

function outputCap(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return Math.min(value, capMax)
  throw new GatewayError('maxTokensInvalid', { message: '`max_output_tokens` must be a positive integer.' })
}

function checkTemperature(value: JsonValue | undefined): void {
  if (value === undefined || value === null) return
  if (typeof value === 'number' && value >= 0 && value <= 2) return
  throw malformed('`temperature` must be a number from 0 to 2.')
}

const nameForm = /^[A-Za-z0-9_-]+$/

function checkTools(tools: JsonValue | undefined, place = 'tools'): void {
  if (tools === undefined || tools === null) return
  if (!Array.isArray(tools)) badTools(`\`${place}\` must be an array.`)
  for (const [position, tool] of tools.entries()) checkTool(tool, `${place}[${position}]`)
}

function checkTool(tool: JsonValue, place: string): void {
  if (!isJsonObject(tool)) return
  const definition = functionOf(tool) ?? tool
  const { name, parameters } = definition
  const isNamed = tool.type === 'function' || tool.type === 'custom' || tool.type === 'namespace'
  if (isNamed && (typeof name !== 'string' || !nameForm.test(name))) {
    badTools(`${place} must have a name made of letters, digits, underscores and dashes.`)
  }
  if (tool.type === 'namespace') return checkTools(tool.tools, `${place}.tools`)
  const hasSchema = tool.type === 'function' && parameters !== undefined && parameters !== null
  if (hasSchema && !isJsonObject(parameters)) badTools(`${place}.parameters must be an object.`)
}

function checkFormat(body: JsonObject): void {
  const format = isJsonObject(body.text) ? (body.text.format ?? body.response_format) : body.response_format
  if (!isJsonObject(format) || format.type !== 'json_schema') return
  const definition = isJsonObject(format.json_schema) ? format.json_schema : format
  if (typeof definition.name === 'string' && isJsonObject(definition.schema)) return
  throw new GatewayError('invalidResponseFormatSchema', {
    message: 'A format of type `json_schema` must have a `name` and a `schema` object.',
  })
}

function badTools(message: string): never {
  throw new GatewayError('invalidToolsDefinition', { message })
}
