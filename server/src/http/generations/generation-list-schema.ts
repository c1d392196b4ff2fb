import { Type } from 'typebox'
import { optionalCount, optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const generationListQuerySchema = Type.Object({
  limit: wanted('Requests on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
  model: wanted('The model that served'),
  app: wanted('From the `X-Title` header'),
  api_key_id: wanted('The key that called'),
  provider: wanted('Who served'),
  status: wanted('`charged`, or `refunded` for what cost nothing'),
  from: wanted('The first moment, ISO 8601'),
  to: wanted('The end, which is no longer part of it, ISO 8601'),
})

export const generationListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      model: Type.String({ description: 'The model that served the request' }),
      provider: optionalText('Who served it'),
      created_at: Type.String({ description: 'ISO 8601' }),
      app_name: optionalText('From the `X-Title` header'),
      api_key_id: Type.String({ description: 'The key that called' }),
      endpoint: Type.String({ description: 'What was called: `chat`, `messages`, `images`…' }),
      finish_reason: optionalText('As in the answer'),
      status: optionalCount("The upstream's HTTP status"),
      streamed: Type.Boolean(),
      cancelled: Type.Boolean(),
      is_byok: Type.Boolean(),
      is_failover: Type.Boolean({ description: 'Whether another upstream answered than the one asked first' }),
      duration_ms: Type.Integer(),
      first_token_ms: optionalCount('Until the first token; null when none came'),
      usage: Type.Object({
        prompt_tokens: Type.Integer(),
        completion_tokens: Type.Integer(),
        total_tokens: Type.Integer(),
        cost: usd('What was charged'),
      }),
      total_cost: usd('What was charged'),
      cache_discount: usd('Saved by cached tokens'),
      refund_reason: optionalText('Why it cost nothing; null when it was charged'),
    }),
  ),
  next_cursor: optionalText('For `before`; null on the last page. A page with a cursor may have few requests, or none'),
})
