import { Type } from 'typebox'
import { requestOutcomes } from '#domain/ledger/request-outcome.ts'
import { customerNameSchema } from '../customers/customer-schema.ts'
import { optionalCount, optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const requestQuerySchema = Type.Object({
  id: wanted('Returns only the request with this request ID or generation ID.'),
  customer: wanted(
    "Returns only requests of this customer: a wallet ID, its owner's ID, an email address or an organization slug.",
  ),
  key: wanted('Returns only requests with the API key of this ID.'),
  model: wanted('Returns only requests for this model.'),
  provider: wanted('Returns only requests served by this provider.'),
  outcome: wanted(
    'Returns only requests with this outcome: `charged`, `refunded` if it cost nothing because of the client or its terms, `failed` if it cost nothing because the gateway or a provider failed, or `refused`.',
  ),
  error: wanted('Returns only requests with this error name, or with this reason for not being charged.'),
  from: wanted('Start of the range (inclusive), in ISO 8601 format.'),
  to: wanted('End of the range (exclusive), in ISO 8601 format.'),
  before: wanted('`next_cursor` of the previous page.'),
  limit: wanted('Requests per page, from 1 to 100. Defaults to 20.'),
})

export const requestListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        request_id: Type.String(),
        received_at: Type.String({ format: 'date-time' }),
        outcome: Type.Enum([...requestOutcomes]),
        customer: customerNameSchema,
        wallet_id: Type.String({ format: 'uuid' }),
        key: Type.Object({
          id: Type.String({ format: 'uuid' }),
          name: optionalText('Name of the key.'),
          shown: optionalText('First and last characters of the key.'),
        }),
        endpoint: Type.String(),
        model: optionalText('Model that served the request, or that a refused request asked for.'),
        provider: optionalText('Provider that served the request.'),
        status: optionalCount('HTTP status of the refusal, or of the upstream.'),
        error: optionalText('Name of the error of a refused request, or why the request was not charged.'),
        cost: usd('Amount charged'),
        duration_ms: optionalCount('Duration in milliseconds. Null for a refused request.'),
        attempt_count: Type.Integer({ description: 'Number of upstream attempts.' }),
      },
      { $id: 'OperatorRequestEntry' },
    ),
  ),
  next_cursor: optionalText(
    'Cursor to pass as `before` for the next page. Null on the last page. A page with a cursor can have fewer requests than `limit`, or none.',
  ),
})
