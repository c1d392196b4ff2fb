import { Type } from 'typebox'
import { errorSchema } from '../../openapi/refusals.ts'
import { searchCountsSchema } from '../../search-counts-schema.ts'
import { reasoningDetail, toolCall } from './chat-request.ts'
import { ownKeyCost } from './own-key-cost.ts'
import { closed, count, freeObject, oneOf, orNull, passing, settledCost, text } from './shapes.ts'

const usage = closed(
  'ChatUsage',
  {
    prompt_tokens: count(),
    completion_tokens: count(),
    total_tokens: count(),
    cost: settledCost,
    ...ownKeyCost,
    prompt_tokens_details: closed('ChatPromptTokens', {
      cached_tokens: count('Read from the provider’s cache.'),
      cache_write_tokens: Type.Optional(count('Written to it.')),
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
  'What was counted and charged.',
)

const finish = {
  finish_reason: orNull(Type.String(), '`stop`, `length`, `tool_calls`, `content_filter` or `error`.'),
  native_finish_reason: Type.Optional(orNull(Type.String(), 'The upstream’s own word, where it is another.')),
  logprobs: Type.Optional(orNull(freeObject('As the upstream gives them.'))),
}

const image = passing('ChatImage', {
  type: Type.Literal('image_url'),
  image_url: passing('ChatImageAddress', { url: text('A URL or a data URI.') }),
})

/** What a message and a delta may have beside role, text and calls. */
const extras = {
  refusal: Type.Optional(orNull(Type.String())),
  reasoning: Type.Optional(orNull(Type.String(), 'The thinking, as text.')),
  reasoning_details: Type.Optional(Type.Array(reasoningDetail)),
  images: Type.Optional(Type.Array(image)),
  annotations: Type.Optional(orNull(Type.Array(freeObject('A citation, as the upstream gives it.')))),
}

/** What an answer and its chunks have in common. */
const head = {
  id: text('The generation id, also in the header X-Generation-Id.'),
  created: Type.Integer({ description: 'Seconds since 1970.' }),
  model: text('The model that answered.'),
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
  usage: Type.Optional(usage),
})

const toolCallDelta = passing('ChatToolCallDelta', {
  index: Type.Integer(),
  id: Type.Optional(text('With the first piece alone.')),
  type: Type.Optional(Type.Literal('function')),
  function: Type.Optional(
    passing('ChatFunctionCallDelta', { name: Type.Optional(Type.String()), arguments: Type.Optional(Type.String()) }),
  ),
  extra_content: Type.Optional(freeObject('Signatures of a vendor.')),
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
    usage: Type.Optional(orNull(usage, 'Null before the last chunk, where the upstream says so.')),
    obfuscation: Type.Optional(text('Padding of the upstream.')),
  },
  'The last chunk has the finish reason and the usage; the text `[DONE]` follows it.',
)

export const chatEvent = oneOf(
  'ChatEvent',
  [chunk, errorSchema],
  'A chunk, or the error that ended the stream. The last `data:` is the text `[DONE]`.',
)
