import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { messagesError, messagesEvent, messagesMessageReply } from './schemas/messages-reply.ts'
import { messagesRequest } from './schemas/messages-request.ts'

export const messagesEndpoint: InferenceEndpoint = {
  dialect: messagesDialect,
  acceptsApiKeyHeader: true,
  access: 'models.call',
  name: 'createMessage',
  paths: ['/v1/messages'],
  summary: 'Create a message (Messages API)',
  body: messagesRequest,
  example: { model: 'test/echo', max_tokens: 100, messages: [{ role: 'user', content: 'Hello there' }] },
  reply: messagesMessageReply,
  events: messagesEvent,
  errorSchema: messagesError,
}
