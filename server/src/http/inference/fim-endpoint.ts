import { Type } from 'typebox'
import { fimDialect } from '#dialects/completions/fim-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { chatCompletion, chatEvent } from './schemas/chat-reply.ts'
import { providerPreferences } from './schemas/routing-fields.ts'
import { text } from './schemas/shapes.ts'

export const fimEndpoint: InferenceEndpoint = {
  dialect: fimDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createFimCompletion',
  paths: ['/v1/fim/completions'],
  summary: 'Fill a gap in a text',
  description:
    "Compatible with Mistral's API, for editors. Takes a prompt like `/v1/completions` and returns a chat completion: one JSON document, or server-sent events if `stream` is true.",
  body: Type.Object(
    {
      model: Type.String(),
      prompt: text('Text before the gap.'),
      suffix: Type.Optional(
        text('Text after the gap, for models that can fill gaps. Without it, the model continues the prompt.'),
      ),
      max_tokens: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum output tokens. Defaults to 256.' })),
      stream: Type.Optional(Type.Boolean()),
      stop: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
      temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
      top_p: Type.Optional(Type.Number()),
      provider: Type.Optional(providerPreferences),
    },
    { $id: 'FimCompletionRequest', additionalProperties: true },
  ),
  example: { model: 'test/echo', prompt: 'Hello there' },
  reply: chatCompletion,
  events: chatEvent,
}
