import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { responsesEvent } from './schemas/responses-events.ts'
import { responseReply } from './schemas/responses-reply.ts'
import { responsesRequest } from './schemas/responses-request.ts'

export const responsesEndpoint: InferenceEndpoint = {
  dialect: responsesDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createResponse',
  paths: ['/v1/responses'],
  summary: 'Create a response (Responses API)',
  description:
    "Send the full history with each request. If the operator stores responses, `store`, `previous_response_id` and `background` work as in OpenAI's API.",
  body: responsesRequest,
  example: { model: 'test/echo', input: 'Hello there' },
  reply: responseReply,
  events: responsesEvent,
  errors: ['invalidPrompt', 'previousResponseNotFound'],
}
