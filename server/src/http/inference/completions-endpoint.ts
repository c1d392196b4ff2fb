import { Type } from 'typebox'
import { completionsDialect } from '#dialects/completions/completions-dialect.ts'
import { errorSchema } from '../openapi/refusals.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { chatUsageSchema } from './schemas/chat-reply.ts'
import { providerPreferences } from './schemas/routing-fields.ts'
import { closed, freeObject, oneOf, orNull, text } from './schemas/shapes.ts'

const completion = closed('TextCompletion', {
  id: text('The generation id, also in the header X-Generation-Id.'),
  object: Type.Literal('text_completion'),
  created: Type.Integer({ description: 'When the completion was created, in Unix seconds.' }),
  model: text('The model that served the request.'),
  choices: Type.Array(
    closed('TextCompletionChoice', {
      index: Type.Integer({ description: 'Position of the prompt times `n`, plus the number of the completion.' }),
      text: Type.String(),
      logprobs: orNull(freeObject('Log probabilities, as returned by the upstream.')),
      finish_reason: orNull(Type.String(), 'Why generation stopped: `stop` or `length`.'),
    }),
  ),
  usage: Type.Optional(chatUsageSchema),
})

export const completionsEndpoint: InferenceEndpoint = {
  dialect: completionsDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createCompletion',
  paths: ['/v1/completions'],
  summary: 'Complete a text',
  description:
    "OpenAI's older API: continues `prompt`, or fills the gap between `prompt` and `suffix`. Providers without such an API are sent the prompt as a chat message, and the response has the header `X-Weir-Translated: chat`. Returns one JSON document, or server-sent events if `stream` is true.",
  body: Type.Object(
    {
      model: Type.String(),
      prompt: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 128 })], {
        description: 'Text to continue, or several texts for providers that accept them. Token ids are not supported.',
      }),
      suffix: Type.Optional(text('Text after the gap, for models that can fill it.')),
      max_tokens: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Maximum output tokens of each completion. Defaults to 16.' }),
      ),
      n: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 128, description: 'Completions of each prompt. At most 128 in all.' }),
      ),
      stream: Type.Optional(Type.Boolean()),
      echo: Type.Optional(Type.Boolean({ description: 'Whether each completion begins with its prompt.' })),
      logprobs: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 20,
          description: 'Number of likely tokens to list with each token, for providers that support it.',
        }),
      ),
      stop: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
      temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
      top_p: Type.Optional(Type.Number()),
      seed: Type.Optional(Type.Integer()),
      frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
      presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
      provider: Type.Optional(providerPreferences),
    },
    { $id: 'TextCompletionRequest', additionalProperties: true },
  ),
  example: { model: 'test/echo', prompt: 'Hello there' },
  reply: completion,
  events: oneOf('TextCompletionEvent', [completion, errorSchema]),
}
