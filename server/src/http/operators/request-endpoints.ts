import { Type } from 'typebox'
import { findRequest, type FindRequestDeps } from '#control/generations/find-request.ts'
import { generationSchema } from '../account/account-schema.ts'
import type { Endpoint } from '../endpoint.ts'
import { refusalReasonSchema } from '../generations/refusal-entry.ts'
import { referenceOf } from '../request-values.ts'
import { transactionListSchema } from '../wallets/wallet-schema.ts'
import { renderRequest } from './render-request.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const text = nullable(Type.String())
const named = nullable(Type.Object({ id: Type.String({ format: 'uuid' }), name: text }))

const attempt = Type.Object({
  model: Type.String(),
  provider: Type.String(),
  account: nullable(
    Type.String({ description: 'Name of the provider account. Null in records written by earlier releases.' }),
  ),
  own_key: Type.Boolean({ description: 'Whether the attempt used a BYOK key of the organization.' }),
  outcome: Type.String(),
  status: nullable(Type.Integer({ description: 'HTTP status returned by the upstream.' })),
  duration_ms: Type.Integer(),
  said: nullable(
    Type.String({
      description: "Error message from the provider, at most 500 characters, with the client's content removed.",
    }),
  ),
  estimated_cost_usd: nullable(
    Type.String({
      description:
        'For outcome `hedge_lost`: estimated cost of the cancelled attempt to you, at list price. No client is charged for it.',
    }),
  ),
})

const requestSchema = Type.Object(
  {
    id: Type.String(),
    request_id: Type.String(),
    received_at: Type.String({ format: 'date-time' }),
    state: Type.Union(
      [Type.Literal('settled'), Type.Literal('running'), Type.Literal('lapsed'), Type.Literal('refused')],
      {
        description:
          'Status of the request. `running`: a hold is open. `lapsed`: the gateway stopped before settlement, and nothing was charged. `refused`: it was refused before a hold.',
      },
    ),
    wallet_id: Type.String({ format: 'uuid' }),
    key: Type.Object({ id: Type.String({ format: 'uuid' }), name: text, shown: text }),
    user: nullable(Type.Object({ id: Type.String({ format: 'uuid' }), email: text })),
    organization: named,
    team: named,
    member_id: text,
    hold: nullable(
      Type.Object({ held: Type.Number({ description: 'Amount on hold in USD.' }), lease_until: Type.String() }),
    ),
    refusal: nullable(
      Type.Object({
        endpoint: Type.String(),
        model: nullable(Type.String({ description: 'Model that the request asked for, if it named one.' })),
        ...refusalReasonSchema.properties,
      }),
    ),
    video_state: nullable(Type.String({ description: 'Status of the video job. Null for other requests.' })),
    attempts: Type.Array(attempt),
    provider_cost: nullable(
      Type.Number({ description: "The operator's cost at the provider in USD. Null while the request is running." }),
    ),
    transfers: Type.Array(transactionListSchema.properties.data.items, {
      description: 'Ledger transactions of the request. A request is charged once or not at all.',
    }),
    receipt: nullable(generationSchema.properties.data),
  },
  { $id: 'OperatorRequest' },
)

/** All stored data of a request, by its id. */
export function requestEndpoints(deps: FindRequestDeps): Endpoint[] {
  return [
    {
      tag: 'Operators',
      access: 'operators.requests',
      name: 'findRequest',
      method: 'GET',
      paths: ['/api/admin/requests/:requestId'],
      summary: 'Get any request',
      description: 'Finds a request by its request ID or generation ID.',
      reply: {
        status: 200,
        description: 'The request. It can be looked up by request ID or generation ID.',
        schema: requestSchema,
      },
      errors: ['notFound'],
      handle: async (request) => ({ body: renderRequest(await findRequest(deps, referenceOf(request, 'requestId'))) }),
    },
  ]
}
