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
  account: nullable(Type.String({ description: 'The provider account; null in records of earlier releases.' })),
  own_key: Type.Boolean({ description: "Whether it was an organization's own key." }),
  outcome: Type.String(),
  status: nullable(Type.Integer({ description: "The upstream's HTTP status." })),
  duration_ms: Type.Integer(),
  said: nullable(
    Type.String({ description: "The provider's words when it failed, at most 500 characters, without the client's." }),
  ),
})

const requestSchema = Type.Object(
  {
    id: Type.String(),
    request_id: Type.String(),
    received_at: Type.String({ format: 'date-time' }),
    state: Type.Union([Type.Literal('settled'), Type.Literal('running'), Type.Literal('lapsed')], {
      description: 'running: it has a hold. lapsed: its gateway died, and it cost nothing.',
    }),
    wallet_id: Type.String({ format: 'uuid' }),
    key: Type.Object({ id: Type.String({ format: 'uuid' }), name: text, shown: text }),
    user: nullable(Type.Object({ id: Type.String({ format: 'uuid' }), email: text })),
    organization: named,
    team: named,
    member_id: text,
    hold: nullable(Type.Object({ held: Type.Number({ description: 'USD' }), lease_until: Type.String() })),
    video_state: nullable(Type.String({ description: 'Of a video: where its job stands.' })),
    attempts: Type.Array(attempt),
    receipt: nullable(generationSchema.properties.data),
  },
  { $id: 'OperatorRequest' },
)

/** From the id of a request to everything that is kept of it. */
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
      summary: 'See any request, by the id of the request or of its generation',
      reply: { status: 200, description: 'The request.', schema: requestSchema },
      errors: ['notFound'],
      handle: async (request) => ({ body: renderRequest(await findRequest(deps, referenceOf(request, 'requestId'))) }),
    },
  ]
}
