import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** The fields of a chat request with their own type or range. The OpenAPI document is generated from this table. */
export interface ChatField {
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'strings' | 'object' | 'array' | 'any'
  readonly from?: number
  readonly to?: number
  /** `from` is an exclusive bound. */
  readonly fromExclusive?: true
  /** Dropped without validation for models outside OpenAI's family. */
  readonly openAiOnly?: true
  readonly about: string
}

export const chatFields = {
  model: {
    type: 'string',
    about: 'The model, as `<provider>/<model>`. Names that begin `gpt-` or `claude-` get their provider added.',
  },
  messages: { type: 'array', about: 'The conversation, at least one message.' },
  stream: { type: 'boolean', about: 'Send the answer as server-sent events while it is made. Default false.' },
  temperature: { type: 'number', from: 0, to: 2, about: 'Sampling temperature.' },
  max_tokens: { type: 'integer', from: 1, about: 'The most output tokens.' },
  max_completion_tokens: { type: 'integer', from: 1, about: 'The same as `max_tokens`; wins when both are present.' },
  n: { type: 'integer', from: 1, to: 128, about: 'How many completions.' },
  seed: { type: 'integer', about: 'For repeatable sampling, where the model supports it.' },
  stop: { type: 'any', about: 'A string or a list of strings that end the output.' },
  top_p: { type: 'number', about: 'Nucleus sampling.' },
  top_k: { type: 'integer', from: 0, about: 'Top-k sampling; 0 turns it off.' },
  frequency_penalty: { type: 'number', from: -2, to: 2, about: 'Penalty for frequent tokens.' },
  presence_penalty: { type: 'number', from: -2, to: 2, about: 'Penalty for tokens already present.' },
  repetition_penalty: { type: 'number', from: 0, fromExclusive: true, to: 2, about: 'Penalty for repetition.' },
  min_p: { type: 'number', from: 0, to: 1, about: 'Minimum probability, relative to the likeliest token.' },
  top_a: { type: 'number', from: 0, to: 1, about: 'Top-a sampling.' },
  logit_bias: { type: 'object', openAiOnly: true, about: 'Token id to a bias from -100 to 100. OpenAI family only.' },
  logprobs: { type: 'boolean', openAiOnly: true, about: 'Return log-probabilities. OpenAI family only.' },
  top_logprobs: {
    type: 'integer',
    openAiOnly: true,
    from: 0,
    to: 20,
    about: 'How many likely tokens to return; needs `logprobs`.',
  },
  user: { type: 'string', openAiOnly: true, about: "The end user's id. OpenAI family only; no effect on billing." },
  tools: { type: 'array', about: 'Functions the model may call.' },
  tool_choice: { type: 'any', about: '`auto`, `none`, `required`, or one function.' },
  parallel_tool_calls: {
    type: 'boolean',
    openAiOnly: true,
    about: 'Allow several calls in one answer. OpenAI family only.',
  },
  response_format: { type: 'object', about: '`json_object` or `json_schema`.' },
  structured_outputs: { type: 'boolean', about: 'Forwarded as it is.' },
  plugins: { type: 'array', about: 'Forwarded to upstreams with plugins; `{"id":"web"}` searches the web.' },
  modalities: { type: 'array', about: '`text`, `image`.' },
  image_config: { type: 'object', about: 'Forwarded as it is.' },
  input_audio: { type: 'object', about: 'Forwarded as it is.' },
  reasoning_effort: { type: 'string', about: 'Forwarded as it is.' },
  reasoning: { type: 'object', about: '`effort`, `max_tokens`, `exclude`.' },
  thinking: { type: 'object', about: '`type`, `budget_tokens`.' },
  enable_thinking: { type: 'boolean', about: 'For models that use this switch.' },
  transforms: { type: 'strings', about: '`["middle-out"]` or `[]`.' },
  models: { type: 'strings', about: 'Models to fall back to, in order.' },
  route: { type: 'string', about: 'Accepted, without effect.' },
  provider: { type: 'object', about: 'Routing preferences.' },
  max_cost_usd: { type: 'any', about: 'The most that the request may cost, in USD.' },
  cache: { type: 'any', about: 'Whether the response cache may answer, and how long it keeps the answer.' },
  stream_options: { type: 'object', about: 'Accepted; usage is always sent.' },
  usage: { type: 'object', about: 'Accepted; usage is always sent.' },
} as const satisfies Record<string, ChatField>

const entries: readonly (readonly [string, ChatField])[] = Object.entries(chatFields)
const openAiEntries = entries.filter(([, field]) => field.openAiOnly)
const commonEntries = entries.filter(([, field]) => !field.openAiOnly)

export function checkFields(body: JsonObject): void {
  checkTypes(body, commonEntries)
  checkStop(body.stop)
}

/** Fields for OpenAI's family are validated only for its models; all others ignore them. */
export function checkOpenAiFields(body: JsonObject): void {
  checkTypes(body, openAiEntries)
  checkLogitBias(body.logit_bias)
  if (typeof body.top_logprobs === 'number' && body.logprobs !== true) {
    throw malformed('`top_logprobs` requires `logprobs: true`.')
  }
}

function checkTypes(body: JsonObject, fields: typeof commonEntries): void {
  for (const [name, field] of fields) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (!fits(value, field)) throw malformed(`\`${name}\` must be ${describe(field)}.`)
  }
}

function fits(value: JsonValue, field: ChatField): boolean {
  switch (field.type) {
    case 'any':
      return true
    case 'boolean':
    case 'string':
      return typeof value === field.type
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isSafeInteger(value) && isInRange(value, field)
    case 'number':
      return isInRange(value, field)
  }
}

function isInRange(value: JsonValue, field: ChatField): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (field.from !== undefined && (field.fromExclusive ? value <= field.from : value < field.from)) return false
  return field.to === undefined || value <= field.to
}

function describe(field: ChatField): string {
  const noun = { strings: 'an array of strings', array: 'an array', object: 'an object', any: 'present' } as const
  if (field.type !== 'integer' && field.type !== 'number') {
    return field.type === 'boolean' || field.type === 'string' ? `a ${field.type}` : noun[field.type]
  }
  const kind = field.type === 'integer' ? 'an integer' : 'a number'
  const from = field.from === undefined ? '' : ` ${field.fromExclusive ? 'above' : 'from'} ${field.from}`
  return `${kind}${from}${field.to === undefined ? '' : ` to ${field.to}`}`
}

function checkStop(stop: JsonValue | undefined): void {
  if (stop === undefined || stop === null || typeof stop === 'string') return
  if (Array.isArray(stop) && stop.every((item) => typeof item === 'string')) return
  throw malformed('`stop` must be a string or an array of strings.')
}

function checkLogitBias(bias: JsonValue | undefined): void {
  if (!isJsonObject(bias)) return
  for (const value of Object.values(bias)) {
    if (typeof value !== 'number' || value < -100 || value > 100)
      throw malformed('`logit_bias` values must be between -100 and 100.')
  }
}
