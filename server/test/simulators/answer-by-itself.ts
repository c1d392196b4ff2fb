import type { JsonObject, JsonValue } from './json-value.ts'
import { isJsonObject } from './json-value.ts'
import type { RecordedRequest } from './request-log.ts'
import type { EchoScenario, StepsScenario } from './scenario.ts'
import type { Answer } from './scenarios/answer.ts'
import { jsonAnswer } from './scenarios/json-answer.ts'
import { vendorCompletion } from './scenarios/vendor-completion.ts'
import { vendorStream } from './scenarios/vendor-stream.ts'

/**
 * Echoes the text of the last user message, word by word, with usage that a test can compute:
 * `promptTokensOf(messages)` and one completion token per piece. Respects `stream`, `stream_options.include_usage`,
 * `n`, `max_tokens` and `max_completion_tokens`. Also serves `/embeddings` and `/models`.
 */
export function answerByItself(request: RecordedRequest, { vendor = 'openai', wire }: EchoScenario): StepsScenario {
  const scenario = chooseAnswer(request, vendor)
  return wire === undefined ? scenario : { ...scenario, wire }
}

/** A quarter of the characters of all message texts, rounded up. */
export function promptTokensOf(messages: JsonValue | undefined): number {
  const texts = Array.isArray(messages) ? messages.map(textOf) : []
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 4)
}

/** Words with their trailing space; long texts are grouped into at most 64 pieces. */
export function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/gu) ?? []
  const groupSize = Math.max(1, Math.ceil(words.length / 64))
  const pieces = Array.from({ length: Math.ceil(words.length / groupSize) }, (_, group) =>
    words.slice(group * groupSize, (group + 1) * groupSize).join(''),
  )
  // A message without text, such as only an image, still gets a response.
  return pieces.length === 0 ? ['ok'] : pieces
}

function chooseAnswer(request: RecordedRequest, vendor: NonNullable<EchoScenario['vendor']>): StepsScenario {
  const path = request.path.split('?')[0] ?? ''
  if (path.endsWith('/models')) {
    const model = { id: 'model-x', object: 'model', created: 1_790_000_000, owned_by: vendor }
    return jsonAnswer(200, { object: 'list', data: [model] })
  }
  if (!isJsonObject(request.body)) return invalidBody()
  if (path.endsWith('/embeddings')) return embeddings(request.body)
  const answer = echoOf(request.body)
  return request.body.stream === true ? vendorStream(vendor, answer) : vendorCompletion(vendor, answer)
}

function echoOf(body: JsonObject): Answer {
  const messages = Array.isArray(body.messages) ? body.messages : []
  const last = messages.findLast((message) => isJsonObject(message) && message.role === 'user')
  const limit = body.max_completion_tokens ?? body.max_tokens
  const whole = piecesOf(textOf(last))
  const pieces = typeof limit === 'number' ? whole.slice(0, limit) : whole
  const count = typeof body.n === 'number' ? body.n : 1
  const options = {
    ...(typeof body.model === 'string' ? { model: body.model } : {}),
    includeUsage: isJsonObject(body.stream_options) && body.stream_options.include_usage === true,
    usage: { prompt: promptTokensOf(messages), completion: pieces.length * count },
  }
  if (count > 1) return { kind: 'choices', choices: Array.from({ length: count }, () => pieces), ...options }
  return { kind: pieces.length < whole.length ? 'length' : 'text', pieces, ...options }
}

function textOf(message: JsonValue | undefined): string {
  if (!isJsonObject(message)) return ''
  if (typeof message.content === 'string') return message.content
  const parts = Array.isArray(message.content) ? message.content : []
  return parts.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function embeddings({ input, model = 'embedding-x', encoding_format: format }: JsonObject): StepsScenario {
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  const inputs = isList ? input : [input]
  const data = inputs.map((_, index) => {
    const vector = [0.25, -0.5, index]
    const embedding = format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
    return { object: 'embedding', index, embedding }
  })
  const prompt = inputs.reduce((sum: number, item) => sum + tokensOfInput(item), 0)
  return jsonAnswer(200, { object: 'list', data, model, usage: { prompt_tokens: prompt, total_tokens: prompt } })
}

function tokensOfInput(input: JsonValue | undefined): number {
  if (Array.isArray(input)) return input.length
  return typeof input === 'string' ? Math.ceil(input.length / 4) : 0
}

function invalidBody(): StepsScenario {
  const message = 'We could not parse the JSON body of your request.'
  return jsonAnswer(400, { error: { message, type: 'invalid_request_error', param: null, code: null } })
}
