import { sizeOf } from '#domain/inference/prompt-matter.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { checkMessages, checkSystem } from './check-messages.ts'
import { checkTools } from './check-tools.ts'
import { messagesPrompt } from './messages-prompt.ts'

/** The prefix that some editors add to every model of a custom endpoint. */
const clientPrefix = 'weir/'

/** Rejects requests that no upstream could serve. Unknown fields and blocks are passed on. */
export function parseMessages(body: JsonObject): DialectCall {
  const modelName = readModel(body)
  const maxTokens = readMaxTokens(body.max_tokens)
  const stream = body.stream ?? false
  if (typeof stream !== 'boolean') throw malformed('`stream` must be true or false.')
  checkSampling(body)
  checkPrompt(body)
  return {
    modelName,
    stream,
    maxTokens,
    choiceCount: 1,
    hasTools: Array.isArray(body.tools) && body.tools.length > 0,
    ...sizeOf(messagesPrompt.measure(body)),
    body,
  }
}

/** The model name without a client-side prefix. */
export function readModel({ model }: JsonObject): string {
  if (model === undefined || model === null) missing('model')
  if (typeof model !== 'string') throw malformed('`model` must be a string.')
  return model.startsWith(clientPrefix) ? model.slice(clientPrefix.length) : model
}

/** Checks all parts of the prompt, for requests and for token counting. */
export function checkPrompt(body: JsonObject): void {
  const { messages } = body
  if (messages === undefined || messages === null) missing('messages')
  if (!Array.isArray(messages)) throw malformed('`messages` must be an array.')
  if (messages.length === 0) throw malformed('`messages` must contain at least one message.')
  checkSystem(body.system)
  checkMessages(messages)
  checkTools(body.tools)
}

// No model produces more. Without a bound, the price of a cap of 2^53 tokens would not fit the ledger's integers.
const capMax = 2 ** 31 - 1

function readMaxTokens(value: JsonValue | undefined): number {
  if (value === undefined || value === null) missing('max_tokens')
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return Math.min(value, capMax)
  throw new GatewayError('maxTokensInvalid', { message: '`max_tokens` must be a positive integer.' })
}

function checkSampling(body: JsonObject): void {
  const { temperature, stop_sequences: stop } = body
  if (isGiven(temperature) && (typeof temperature !== 'number' || temperature < 0 || temperature > 2)) {
    throw malformed('`temperature` must be a number from 0 to 2.')
  }
  for (const name of ['top_p', 'top_k']) {
    if (isGiven(body[name]) && typeof body[name] !== 'number') throw malformed(`\`${name}\` must be a number.`)
  }
  if (isGiven(stop) && !(Array.isArray(stop) && stop.every((item) => typeof item === 'string'))) {
    throw malformed('`stop_sequences` must be an array of strings.')
  }
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null
}

function missing(name: string): never {
  throw new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
}
