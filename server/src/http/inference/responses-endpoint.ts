import { Type } from 'typebox'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

const open = { additionalProperties: true } as const

export const responsesEndpoint: InferenceEndpoint = {
  dialect: responsesDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createResponse',
  paths: ['/v1/responses'],
  summary: 'Answer in the form of the Responses API; nothing is stored between calls',
  body: Type.Object(
    {
      model: Type.String(),
      input: Type.Union([Type.String(), Type.Array(Type.Unknown())], { description: 'The whole conversation.' }),
      instructions: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      stream: Type.Optional(Type.Boolean()),
      max_output_tokens: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
      temperature: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 2 }), Type.Null()])),
      tools: Type.Optional(Type.Array(Type.Unknown())),
    },
    open,
  ),
  reply: Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('response'),
      created_at: Type.Integer(),
      status: Type.String(),
      model: Type.String(),
      output: Type.Array(Type.Unknown()),
    },
    open,
  ),
  errors: ['invalidPrompt'],
}
