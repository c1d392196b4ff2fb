import { Type } from 'typebox'
import { errorSchema } from '../../openapi/refusals.ts'
import { searchCountsSchema } from '../../search-counts-schema.ts'
import { reasoningDetail, toolCall } from './chat-request.ts'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, freeObject, oneOf, orNull, passing, settledCost, text } from './shapes.ts'

export const chatUsageSchema = closed(
  'ChatUsage',
  {
    prompt_tokens: count(),
    completion_tokens: count(),
    total_tokens: count(),
    cost: settledCost,
    ...ownKeyCost,
    prompt_tokens_details: closed('ChatPromptTokens', {
      cached_tokens: count('Prompt tokens read from the provider’s cache.'),
      cache_write_tokens: Type.Optional(count('Prompt tokens written to the provider’s cache.')),
      audio_tokens: Type.Optional(count()),
      image_tokens: Type.Optional(count()),
    }),
    completion_tokens_details: closed('ChatCompletionTokens', {
      reasoning_tokens: count(),
      image_tokens: Type.Optional(count()),
      audio_tokens: Type.Optional(count()),
    }),
    ...searchCountsSchema,
  },
  'Token counts and cost of the request.',
)

const finish = {
  finish_reason: orNull(
    Type.String(),
    'Why generation stopped: `stop`, `length`, `tool_calls`, `content_filter`, or `error`.',
  ),
  native_finish_reason: Type.Optional(
    orNull(Type.String(), 'Finish reason reported by the upstream, if it differs from `finish_reason`.'),
  ),
  logprobs: Type.Optional(orNull(freeObject('Log probabilities, as returned by the upstream.'))),
}

const image = passing('ChatImage', {
  type: Type.Literal('image_url'),
  image_url: passing('ChatImageAddress', { url: text('URL or data URI of the image.') }),
})

/** Fields of a message and a delta besides role, text and calls. */
const extras = {
  refusal: Type.Optional(orNull(Type.String())),
  reasoning: Type.Optional(orNull(Type.String(), 'The model’s reasoning as plain text.')),
  reasoning_details: Type.Optional(Type.Array(reasoningDetail)),
  images: Type.Optional(Type.Array(image)),
  annotations: Type.Optional(orNull(Type.Array(freeObject('A citation, as returned by the upstream.')))),
}

/** Common fields of a response and its chunks. */
const head = {
  id: text('Generation ID, also sent in the `X-Generation-Id` header.'),
  created: Type.Integer({ description: 'When the completion was created, in Unix seconds.' }),
  model: text('The model that served the request.'),
  system_fingerprint: Type.Optional(orNull(Type.String())),
  service_tier: Type.Optional(orNull(Type.String())),
}

export const chatCompletion = passing('ChatCompletion', {
  ...head,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    passing('ChatChoice', {
      index: Type.Integer(),
      ...finish,
      message: passing('ChatAnswer', {
        role: Type.Literal('assistant'),
        content: orNull(Type.String()),
        tool_calls: Type.Optional(Type.Array(toolCall)),
        ...extras,
      }),
    }),
  ),
  usage: Type.Optional(chatUsageSchema),
})

const toolCallDelta = passing('ChatToolCallDelta', {
  index: Type.Integer(),
  id: Type.Optional(text('ID of the tool call. Sent only with the first delta of the call.')),
  type: Type.Optional(Type.Literal('function')),
  function: Type.Optional(
    passing('ChatFunctionCallDelta', { name: Type.Optional(Type.String()), arguments: Type.Optional(Type.String()) }),
  ),
  extra_content: Type.Optional(freeObject('Signatures added by the provider.')),
})

const chunk = passing(
  'ChatCompletionChunk',
  {
    ...head,
    object: Type.Literal('chat.completion.chunk'),
    choices: Type.Array(
      passing('ChatChunkChoice', {
        index: Type.Integer(),
        ...finish,
        delta: passing('ChatDelta', {
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(orNull(Type.String())),
          tool_calls: Type.Optional(Type.Array(toolCallDelta)),
          ...extras,
        }),
      }),
    ),
    usage: Type.Optional(
      orNull(chatUsageSchema, 'Token counts and cost. Some upstreams send `null` before the last chunk.'),
    ),
    obfuscation: Type.Optional(text('Padding added by the upstream.')),
  },
  'A chunk of a streamed chat completion. The last chunk has the finish reason and usage, and is followed by `[DONE]`.',
)

export const chatEvent = oneOf(
  'ChatEvent',
  [chunk, errorSchema],
  'A chunk, or the error that ended the stream. The stream ends with `data: [DONE]`.',
)
