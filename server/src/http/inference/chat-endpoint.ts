import { type TSchema, Type } from 'typebox'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { type ChatField, chatFields } from '#dialects/chat/chat-fields.ts'
import { searchCountsSchema } from '../search-counts-schema.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

const required = new Set(['model', 'messages'])

const usage = Type.Object(
  {
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    cost: Type.Number({ description: 'USD, settled before it is shown; at most nine decimals.' }),
    prompt_tokens_details: Type.Object({
      cached_tokens: Type.Integer(),
      cache_write_tokens: Type.Optional(Type.Integer()),
      audio_tokens: Type.Optional(Type.Integer()),
    }),
    completion_tokens_details: Type.Object({
      reasoning_tokens: Type.Integer(),
      image_tokens: Type.Optional(Type.Integer()),
      audio_tokens: Type.Optional(Type.Integer()),
    }),
    ...searchCountsSchema,
  },
  { description: 'What was counted and charged.' },
)

export const chatEndpoint: InferenceEndpoint = {
  dialect: chatDialect,
  acceptsApiKeyHeader: false,
  access: 'models.chat',
  name: 'createChatCompletion',
  paths: ['/v1/chat/completions', '/v1/cursor/chat/completions'],
  summary: 'Answer a conversation, as one document or as a stream',
  body: Type.Object(
    Object.fromEntries(Object.entries(chatFields).map(([name, field]) => [name, schemaOf(name, field)])),
    {
      additionalProperties: true,
    },
  ),
  reply: Type.Object({
    id: Type.String({ description: 'The generation id, also in the header X-Generation-Id.' }),
    object: Type.Literal('chat.completion'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        finish_reason: Type.Union([Type.String(), Type.Null()]),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Type.Union([Type.String(), Type.Null()]),
          tool_calls: Type.Optional(Type.Array(Type.Unknown())),
        }),
      }),
    ),
    usage: Type.Optional(usage),
  }),
}

function schemaOf(name: string, field: ChatField): TSchema {
  const schema = plainSchema(field)
  return required.has(name) ? schema : Type.Optional(schema)
}

function plainSchema(field: ChatField): TSchema {
  const options = { description: field.about }
  switch (field.type) {
    case 'integer':
      return Type.Integer({ ...options, ...range(field) })
    case 'number':
      return Type.Number({ ...options, ...range(field) })
    case 'boolean':
      return Type.Boolean(options)
    case 'string':
      return Type.String(options)
    case 'strings':
      return Type.Array(Type.String(), options)
    case 'array':
      return Type.Array(Type.Unknown(), options)
    case 'object':
      return Type.Object({}, { ...options, additionalProperties: true })
    case 'any':
      return Type.Unknown(options)
  }
}

function range(field: ChatField): Record<string, number> {
  return {
    ...(field.from === undefined
      ? {}
      : field.fromExclusive
        ? { exclusiveMinimum: field.from }
        : { minimum: field.from }),
    ...(field.to === undefined ? {} : { maximum: field.to }),
  }
}
