import { type BreakerDeps, changeBreaker, readBreaker } from '#control/breakers/change-breaker.ts'
import { parseBreakerChange } from '#control/breakers/parse-breaker-change.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import { coversMember } from '#domain/access/judge-access.ts'
import { type LayerKind, layerKinds, type LayerOwner } from '#domain/access/layer-owner.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { breakerSchema, organizationBreakerChangeSchema, renderBreaker } from './breaker-schema.ts'

/** The spend breakers of an organization, its teams and its members: one endpoint to read and one to change each. */
export function organizationBreakerEndpoints(deps: BreakerDeps): Endpoint[] {
  return layerKinds.flatMap((kind) => endpointsOf(deps, kind))
}

const places = {
  organization: {
    path: '/api/orgs/:orgId/circuit-breaker',
    access: 'breaker.organization',
    name: 'OrganizationBreaker',
    whose: 'an organization',
  },
  team: {
    path: '/api/orgs/:orgId/teams/:teamId/circuit-breaker',
    access: 'breaker.team',
    name: 'TeamBreaker',
    whose: 'a team',
  },
  member: {
    path: '/api/orgs/:orgId/members/:memberId/circuit-breaker',
    access: 'breaker.team',
    name: 'MemberBreaker',
    whose: 'a member',
  },
} as const satisfies Record<LayerKind, { path: string; access: AccessAction; name: string; whose: string }>

// The API contract has a minimum limit only for a personal breaker; here any amount is valid.
const leastLimit = nanoUsd(1n)

function endpointsOf(deps: BreakerDeps, kind: LayerKind): Endpoint[] {
  const { path, access, name, whose } = places[kind]
  const common = {
    paths: [path],
    tag: 'Organizations',
    access,
    reply: { status: 200, description: 'The spend breaker and its current spend.', schema: breakerSchema },
  } as const
  const show = async (request: EndpointRequest) => {
    const state = await readBreaker(deps.store, ownerOf(kind, request), request.nowMs)
    return { body: renderBreaker(state) }
  }
  return [
    {
      ...common,
      name: `get${name}`,
      method: 'GET',
      summary: `Get the spend breaker for ${whose}`,
      handle: show,
    },
    {
      ...common,
      name: `change${name}`,
      method: 'PATCH',
      summary: `Update the spend breaker for ${whose}`,
      body: organizationBreakerChangeSchema,
      handle: async (request) => {
        refuseOthers(request)
        const change = parseBreakerChange(request.body, leastLimit)
        await changeBreaker(deps, { owner: ownerOf(kind, request), change, stamp: auditStampOf(request) })
        return show(request)
      },
    },
  ]
}

/** A team_admin can see the breakers of organization roles in the team, but cannot change them. */
function refuseOthers(request: EndpointRequest): void {
  const { grant, member } = organizationOf(request)
  if (member === null || coversMember(grant, member)) return
  const message = 'As a team_admin, you can only change the spend breakers of members and team_admins of your own team.'
  throw new GatewayError('forbidden', { message })
}

function ownerOf(kind: LayerKind, request: EndpointRequest): LayerOwner {
  const { organizationId, team, member } = organizationOf(request)
  const id = { organization: organizationId, team: team?.id, member: member?.id }[kind]
  assert(id !== undefined, 'a path with a team or member has opened it')
  return { kind, id, organizationId }
}
