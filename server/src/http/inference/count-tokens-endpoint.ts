import { Type } from 'typebox'
import { countTokens } from '#dialects/messages/count-tokens.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import type { Endpoint } from '../endpoint.ts'
import { messagesError } from './schemas/messages-reply.ts'
import { messagesPromptFields } from './schemas/messages-request.ts'
import { sent } from './schemas/shapes.ts'

export const countTokensEndpoint: Endpoint = {
  name: 'countMessageTokens',
  method: 'POST',
  paths: ['/v1/messages/count_tokens'],
  tag: 'Inference',
  summary: 'Estimate the prompt tokens of a message',
  description: 'Nothing is sent upstream and nothing is charged.',
  access: 'key.read',
  acceptsApiKeyHeader: true,
  takesConversation: true,
  body: sent('CountTokensRequest', messagesPromptFields),
  reply: {
    status: 200,
    description: 'The estimated number of input tokens. Nothing is sent upstream or charged.',
    schema: Type.Object({ input_tokens: Type.Integer() }),
  },
  errors: ['missingRequiredField'],
  errorForm: { ...messagesDialect, schema: messagesError },
  handle: async (request) => ({ body: countTokens(request.body) }),
}
