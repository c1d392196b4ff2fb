import { type TSchema, Type } from 'typebox'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { type ChatField, chatFields } from '#dialects/chat/chat-fields.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { chatCompletion, chatEvent } from './schemas/chat-reply.ts'
import { chatFieldShapes } from './schemas/chat-request.ts'

const required = new Set(['model', 'messages'])

export const chatEndpoint: InferenceEndpoint = {
  dialect: chatDialect,
  acceptsApiKeyHeader: false,
  access: 'models.chat',
  name: 'createChatCompletion',
  paths: ['/v1/chat/completions', '/v1/cursor/chat/completions'],
  summary: 'Create a chat completion',
  description: 'Returns one JSON document, or server-sent events if `stream` is true.',
  body: Type.Object(
    Object.fromEntries(Object.entries(chatFields).map(([name, field]) => [name, schemaOf(name, field)])),
    { $id: 'ChatCompletionRequest', additionalProperties: true },
  ),
  example: { model: 'test/echo', messages: [{ role: 'user', content: 'Hello there' }] },
  reply: chatCompletion,
  events: chatEvent,
}

function schemaOf(name: string, field: ChatField): TSchema {
  const shape = chatFieldShapes[name]
  const schema = shape === undefined ? plainSchema(field) : described(shape, field.about)
  return required.has(name) ? schema : Type.Optional(schema)
}

/** A named schema has its own description, so the field's description is added beside it. */
function described(shape: TSchema, description: string): TSchema {
  return '$id' in shape ? Type.Intersect([shape], { description }) : { ...shape, description }
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
