import { sizeOf } from '#domain/inference/prompt-matter.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { checkFields } from './chat-fields.ts'
import { chatPrompt } from './chat-prompt.ts'
import { checkMessages } from './check-messages.ts'
import { plainChatBody } from './plain-chat-body.ts'

/** The prefix that some editors add to every model of a custom endpoint. */
const clientPrefix = 'weir/'

/**
 * Rejects requests that no upstream could serve. Unknown fields and unknown values of forwarded fields are passed on.
 */
export function parseChat(sent: JsonObject): DialectCall {
  const body = plainChatBody(sent)
  const modelName = body.model
  if (modelName === undefined || modelName === null) missing('model')
  if (typeof modelName !== 'string') throw malformed('`model` must be a string.')
  const { messages } = body
  if (messages === undefined || messages === null) missing('messages')
  if (!Array.isArray(messages)) throw malformed('`messages` must be an array.')
  if (messages.length === 0) throw malformed('`messages` must contain at least one message.')
  const stream = body.stream ?? false
  if (typeof stream !== 'boolean') throw malformed('`stream` must be true or false.')
  const maxTokens = outputCap(body)
  checkFields(body)
  const shownImages = checkMessages(messages)
  checkTools(body)
  checkResponseFormat(body)
  const choiceCount = typeof body.n === 'number' ? body.n : 1
  return {
    modelName: modelName.startsWith(clientPrefix) ? modelName.slice(clientPrefix.length) : modelName,
    stream,
    maxTokens,
    choiceCount,
    hasTools: Array.isArray(body.tools) && body.tools.length > 0,
    ...sizeOf(chatPrompt.measure(body)),
    body,
    ...(shownImages === 0 ? undefined : { shownImages }),
    ...(asksForImages(body) ? { imageCount: choiceCount } : undefined),
  }
}

function asksForImages({ modalities }: JsonObject): boolean {
  return Array.isArray(modalities) && modalities.includes('image')
}

// No model produces more. Without a bound, the price of a cap of 2^53 tokens would not fit the ledger's integers.
const capMax = 2 ** 31 - 1

// With both fields, `max_completion_tokens` is the cap.
export function outputCap(body: JsonObject): number | null {
  const older = positiveInteger(body.max_tokens, 'max_tokens')
  const newer = positiveInteger(body.max_completion_tokens, 'max_completion_tokens')
  return newer ?? older
}

function positiveInteger(value: JsonValue | undefined, name: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return Math.min(value, capMax)
  throw new GatewayError('maxTokensInvalid', { message: `\`${name}\` must be a positive integer.` })
}

function missing(name: string): never {
  throw new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
}

const nameForm = /^[A-Za-z0-9_-]+$/

export function checkTools(body: JsonObject): void {
  const { tools } = body
  if (!Array.isArray(tools)) return
  for (const [position, tool] of tools.entries()) {
    // Other kinds of tools are left to upstreams that support them.
    if (!isJsonObject(tool) || tool.type !== 'function') continue
    const definition = isJsonObject(tool.function) ? tool.function : tool
    const { name, parameters } = definition
    if (typeof name !== 'string' || !nameForm.test(name)) {
      refuse(`tools[${position}] must have a name made of letters, digits, underscores and dashes.`)
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
      message: '`response_format.json_schema` must have a `name` and a `schema` object.',
    })
  }
}
