import { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts'
import type { RecordedRequest } from './request-log.ts'
import type { StrictRefusal } from './strict-refusal.ts'
import { refusalOfResponses } from './strict-responses.ts'

const strictHosts = [
  'anthropic',
  'bedrock',
  'cerebras',
  'deepseek',
  'fireworks',
  'groq',
  'mistral',
  'openai',
  'openai-responses',
  'siliconflow',
  'together',
] as const

export type StrictHost = (typeof strictHosts)[number]

/** The upstream's own error for a request with something unsupported, or null if it accepts everything. */
export function strictRefusal(
  host: StrictHost,
  { body, path }: Pick<RecordedRequest, 'body' | 'path'>,
): StrictRefusal | null {
  return isJsonObject(body) ? judges[host](body, path) : null
}

type Judge = (body: JsonObject, path: string) => StrictRefusal | null

/** The chat completion fields that every upstream knows. */
const core = words(`messages model stream stream_options temperature top_p max_tokens max_completion_tokens stop tools
  tool_choice response_format`)

const judges: Readonly<Record<StrictHost, Judge>> = {
  // openai 7.53; community reports of its errors.
  openai: unknownTo(
    `${core} audio frequency_penalty function_call functions logit_bias logprobs metadata modalities n parallel_tool_calls
      prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort safety_identifier seed service_tier store
      top_logprobs user verbosity web_search_options`,
    'role content name refusal audio tool_calls function_call tool_call_id',
    (name) => ({
      status: 400,
      body: {
        error: {
          message: `Unknown parameter: '${name}'.`,
          type: 'invalid_request_error',
          param: name,
          code: 'unknown_parameter',
        },
      },
    }),
  ),
  'openai-responses': refusalOfResponses,
  // groq-sdk 1.6; "property 'X' is unsupported".
  groq: unknownTo(
    `${core} citation_options disable_tool_validation documents exclude_domains frequency_penalty function_call functions
      include_domains include_reasoning logit_bias logprobs metadata n parallel_tool_calls presence_penalty reasoning_effort
      reasoning_format search_settings seed service_tier store top_logprobs user`,
    'role content name reasoning tool_calls function_call tool_call_id',
    unsupportedProperty,
    { reasoning_effort: ['none', 'default', 'low', 'medium', 'high'] },
  ),
  // @cerebras/cerebras_cloud_sdk 1.91.
  cerebras: unknownTo(
    `${core} clear_thinking disable_reasoning logit_bias logprobs min_completion_tokens min_tokens n parallel_tool_calls
      prediction prompt_cache_key reasoning_effort reasoning_format seed service_tier top_logprobs user`,
    'role content name reasoning tool_calls tool_call_id',
    unsupportedProperty,
    { reasoning_effort: ['none', 'low', 'medium', 'high'] },
  ),
  // @mistralai/mistralai 2.7.
  mistral: unknownTo(
    `messages model stream temperature top_p max_tokens stop tools tool_choice response_format random_seed metadata
      presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key
      service_tier safe_prompt`,
    'role content name tool_calls tool_call_id prefix',
    (name) => ({
      status: 422,
      body: {
        object: 'error',
        detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted', input: null }],
      },
    }),
  ),
  // The fields that litellm sends, and error texts from public reports.
  fireworks: unknownTo(
    `${core} frequency_penalty logit_bias logprobs metadata min_p n parallel_tool_calls prediction presence_penalty
      prompt_cache_key reasoning_effort repetition_penalty seed service_tier top_k top_logprobs user`,
    'role content name tool_calls tool_call_id',
    (name) => ({
      status: 400,
      body: {
        error: {
          object: 'error',
          type: 'invalid_request_error',
          message: `Extra inputs are not permitted, field: '${name}'`,
        },
      },
    }),
  ),
  // together-ai 0.52.
  together: unknownTo(
    `${core} chat_template_kwargs frequency_penalty logit_bias logprobs min_p n presence_penalty reasoning reasoning_effort
      repetition_penalty seed top_k`,
    'role content name reasoning reasoning_content reasoning_details tool_calls tool_call_id',
    unsupportedProperty,
    { reasoning_effort: ['low', 'medium', 'high'] },
  ),
  siliconflow: (body) =>
    body.enable_thinking !== undefined && /coder|instruct|next|omni|thinking/i.test(String(body.model))
      ? {
          status: 400,
          body: {
            code: 20015,
            message: 'Value error, current model does not support parameter enable_thinking',
            data: null,
          },
        }
      : null,
  deepseek: (body) => {
    const answers = messagesOf(body).filter(({ role }) => role === 'assistant')
    const isLost = /v4/.test(String(body.model)) && answers.some((message) => message.reasoning_content === undefined)
    return isLost ? invalidRequest('The reasoning_content in the thinking mode must be passed back to the API.') : null
  },
  anthropic: (body) => judgeClaude(String(body.model), body),
  // The same releases behind Converse, which names the model in the path.
  bedrock: (body, path) => {
    const { temperature, topP } = objectIn(body.inferenceConfig)
    const fields = objectIn(body.additionalModelRequestFields)
    const { any, tool } = objectIn(objectIn(body.toolConfig).toolChoice)
    const refusal = judgeClaude(decodeURIComponent(path), {
      ...fields,
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(any === undefined && tool === undefined ? {} : { tool_choice: { type: 'any' } }),
    })
    return refusal === null ? null : { status: 400, body: { message: objectIn(refusal.body.error).message ?? '' } }
  },
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}

function judgeClaude(model: string, body: JsonObject): StrictRefusal | null {
  const [, family = '', major = '0', minor = '0'] = /claude-([a-z]+)-(\d+)(?:-(\d)(?!\d))?/.exec(model) ?? []
  const version = Number(`${major}.${minor}`)
  const thinking = isJsonObject(body.thinking) ? body.thinking.type : undefined
  const choice = isJsonObject(body.tool_choice) ? body.tool_choice.type : undefined
  const isLate = version >= 4.7
  const isStubborn = (family === 'fable' && version >= 5) || (version >= 5.5 && family !== 'haiku')
  const complaints: readonly (readonly [isDue: boolean, complaint: string])[] = [
    [
      isLate && thinking === 'enabled',
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    ],
    [isStubborn && thinking === 'disabled', '"thinking.type.disabled" is not supported for this model.'],
    [
      isStubborn && !(family === 'fable' && version === 5) && (choice === 'any' || choice === 'tool'),
      'tool_choice: forced tool use is not supported for this model.',
    ],
    [isLate && body.temperature !== undefined && body.temperature !== 1, '`temperature` is deprecated for this model.'],
    [isLate && typeof body.top_p === 'number' && body.top_p < 0.99, '`top_p` is deprecated for this model.'],
    [isLate && body.top_k !== undefined, '`top_k` is deprecated for this model.'],
    [
      version >= 4.1 && body.temperature !== undefined && body.top_p !== undefined,
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    ],
  ]
  const [, message] = complaints.find(([isDue]) => isDue) ?? []
  return message === undefined
    ? null
    : { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

/** Rejects the first unknown field of the request or of one of its messages, and unknown values. */
function unknownTo(
  fields: string,
  messageFields: string,
  refuse: (name: string) => StrictRefusal,
  values: Readonly<Record<string, readonly string[]>> = {},
): Judge {
  const known = new Set(words(fields).split(' '))
  const knownInside = new Set(words(messageFields).split(' '))
  return (body) => {
    const stranger = Object.keys(body).find((name) => !known.has(name) && body[name] !== null)
    if (stranger !== undefined) return refuse(stranger)
    const inside = messagesOf(body).flatMap((message, index) =>
      Object.keys(message)
        .filter((name) => !knownInside.has(name))
        .map((name) => `messages.${index}.${name}`),
    )
    if (inside[0] !== undefined) return refuse(inside[0])
    const odd = Object.entries(values).find(
      ([name, allowed]) => typeof body[name] === 'string' && !allowed.includes(body[name]),
    )
    return odd === undefined ? null : invalidRequest(`\`${odd[0]}\` must be one of ${odd[1].join(', ')}`)
  }
}

function unsupportedProperty(name: string): StrictRefusal {
  return invalidRequest(`property '${name}' is unsupported`)
}

function invalidRequest(message: string): StrictRefusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', code: 'invalid_request' } } }
}

function messagesOf({ messages }: JsonObject): JsonObject[] {
  const list: readonly JsonValue[] = Array.isArray(messages) ? messages : []
  return list.filter(isJsonObject)
}

function words(text: string): string {
  return text.split(/\s+/).join(' ')
}
