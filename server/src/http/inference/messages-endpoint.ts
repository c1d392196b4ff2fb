import { Type } from 'typebox'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

const open = { additionalProperties: true } as const

export const messagesEndpoint: InferenceEndpoint = {
  dialect: messagesDialect,
  acceptsApiKeyHeader: true,
  access: 'models.call',
  name: 'createMessage',
  paths: ['/v1/messages'],
  summary: 'Answer in the form of the Messages API',
  body: Type.Object(
    {
      model: Type.String(),
      max_tokens: Type.Integer({ minimum: 1 }),
      messages: Type.Array(Type.Unknown(), { minItems: 1 }),
      system: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Unknown())])),
      stream: Type.Optional(Type.Boolean()),
      temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
      tools: Type.Optional(Type.Array(Type.Unknown())),
    },
    open,
  ),
  reply: Type.Object(
    {
      id: Type.String(),
      type: Type.Literal('message'),
      role: Type.Literal('assistant'),
      model: Type.String(),
      content: Type.Array(Type.Unknown()),
      stop_reason: Type.Union([Type.String(), Type.Null()]),
      usage: Type.Object({ input_tokens: Type.Integer(), output_tokens: Type.Integer() }, open),
    },
    open,
  ),
}
