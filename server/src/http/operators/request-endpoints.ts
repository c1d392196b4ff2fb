import { Type } from 'typebox'
import { findRequest } from '#control/generations/find-request.ts'
import type { GenerationArchive } from '#ports/account-reads.ts'
import type { RequestLookup } from '#ports/request-lookup.ts'
import { generationSchema } from '../account/account-schema.ts'
import type { Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
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
})

const requestSchema = Type.Object(
  {
    id: Type.String(),
    request_id: Type.String(),
    received_at: Type.String({ format: 'date-time' }),
    state: Type.Union([Type.Literal('settled'), Type.Literal('running'), Type.Literal('lapsed')], {
      description:
        'Status of the request. `running`: a hold is open. `lapsed`: the gateway stopped before settlement, and nothing was charged.',
    }),
    wallet_id: Type.String({ format: 'uuid' }),
    key: Type.Object({ id: Type.String({ format: 'uuid' }), name: text, shown: text }),
    user: nullable(Type.Object({ id: Type.String({ format: 'uuid' }), email: text })),
    organization: named,
    team: named,
    member_id: text,
    hold: nullable(
      Type.Object({ held: Type.Number({ description: 'Amount on hold in USD.' }), lease_until: Type.String() }),
    ),
    video_state: nullable(Type.String({ description: 'Status of the video job. Null for other requests.' })),
    attempts: Type.Array(attempt),
    receipt: nullable(generationSchema.properties.data),
  },
  { $id: 'OperatorRequest' },
)

/** All stored data of a request, by its id. */
export function requestEndpoints(deps: {
  readonly lookup: RequestLookup
  readonly generations: GenerationArchive
}): Endpoint[] {
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
