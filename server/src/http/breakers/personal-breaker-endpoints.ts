import { changePersonalBreaker } from '#control/breakers/change-breaker.ts'
import { parseBreakerChange } from '#control/breakers/parse-breaker-change.ts'
import { resolveBreaker } from '#domain/access/breaker.ts'
import { userOf } from '#domain/access/client.ts'
import { actorOf } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { Users } from '#ports/people.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import { breakerChangeSchema, breakerSchema, renderBreaker } from './breaker-schema.ts'

interface PersonalBreakerDeps {
  readonly users: Pick<Users, 'readBreaker' | 'changeBreaker'>
  readonly announce: Announce
}

/** The spend breaker over all spend of a person's keys, from any wallet. */
export function personalBreakerEndpoints(deps: PersonalBreakerDeps): Endpoint[] {
  const common = {
    paths: ['/api/user/circuit-breaker'],
    tag: 'Account',
    access: 'account.breaker',
    reply: { status: 200, description: 'The spend breaker and its current spend.', schema: breakerSchema },
  } as const
  return [
    {
      ...common,
      name: 'getPersonalBreaker',
      method: 'GET',
      summary: 'Get your spend breaker',
      handle: async (request) => ({ body: await show(deps, personOf(request), request.nowMs) }),
    },
    {
      ...common,
      name: 'changePersonalBreaker',
      method: 'PATCH',
      summary: 'Update your spend breaker',
      body: breakerChangeSchema,
      handle: async (request) => {
        const userId = personOf(request)
        const change = parseBreakerChange(request.body)
        const { requestId } = request
        await changePersonalBreaker(deps, { userId, change, actor: actorOf(clientOf(request)), requestId })
        return { body: await show(deps, userId, request.nowMs) }
      },
    },
  ]
}

async function show({ users }: PersonalBreakerDeps, userId: Uuid, nowMs: number): Promise<JsonObject> {
  const found = await users.readBreaker(userId, nowMs)
  if (found === null) throw new GatewayError('notFound', { message: 'User not found.' })
  return renderBreaker({ ...found, resolved: resolveBreaker([found.settings]) })
}

function personOf(request: EndpointRequest): Uuid {
  const userId = userOf(clientOf(request))
  if (userId !== null) return userId
  throw new GatewayError('forbidden', {
    message: 'This key does not belong to a user, so it has no personal spend breaker.',
  })
}
