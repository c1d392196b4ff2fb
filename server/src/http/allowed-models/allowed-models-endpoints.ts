import { Type } from 'typebox'
import {
  type AllowedModelsDeps,
  changeAllowedModels,
  readAllowedModels,
} from '#control/allowed-models/allowed-models.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import { allowedModelsMax } from '#domain/access/parse-allowed-models.ts'
import { assert } from '#lib/assert.ts'
import type { ModelListOwner } from '#ports/organization-rules.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'

/** The allowed models of an organization, a team and a member: one endpoint to read and one to replace each. */
export function allowedModelsEndpoints(deps: AllowedModelsDeps): Endpoint[] {
  return owners.flatMap((kind) => endpointsOf(deps, kind))
}

const owners = ['organization', 'team', 'member'] as const
type OwnerKind = ModelListOwner['kind']

const paths = {
  organization: '/api/orgs/:orgId/allowed-models',
  team: '/api/orgs/:orgId/teams/:teamId/allowed-models',
  member: '/api/orgs/:orgId/members/:memberId/allowed-models',
} as const satisfies Record<OwnerKind, string>

const access = {
  organization: { read: 'allowedModels.organization', change: 'allowedModels.organization' },
  team: { read: 'allowedModels.read', change: 'allowedModels.change' },
  member: { read: 'allowedModels.read', change: 'allowedModels.change' },
} as const satisfies Record<OwnerKind, { read: AccessAction; change: AccessAction }>

const titles = { organization: 'Organization', team: 'Team', member: 'Member' } as const

const patternList = Type.Array(Type.String(), { maxItems: allowedModelsMax })
const bodySchema = Type.Object({
  allowedModels: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: allowedModelsMax,
    description:
      'Allowed models as `<provider>/<model>` or `<provider>/*`, in lower case. Replaces the stored array. An empty array allows all models.',
  }),
})
const viewSchema = Type.Object(
  {
    allowedModels: patternList,
    resolvedAllowedModels: Type.Union([patternList, Type.Null()], {
      description:
        'Models allowed by all layers combined. Null if no layer restricts models, so all models are allowed.',
    }),
    layers: Type.Object({ organization: patternList, team: patternList, member: patternList }),
  },
  { $id: 'AllowedModels' },
)

function endpointsOf(deps: AllowedModelsDeps, kind: OwnerKind): Endpoint[] {
  const common = {
    paths: [paths[kind]],
    tag: 'Organizations',
    reply: {
      status: 200,
      description: 'The allowed models of this layer and the combined result of all layers.',
      schema: viewSchema,
    },
  } as const
  return [
    {
      ...common,
      name: `get${titles[kind]}AllowedModels`,
      method: 'GET',
      summary: `Get allowed models for ${which[kind]}`,
      access: access[kind].read,
      handle: async (request) => ({ body: await readAllowedModels(deps.store, ownerOf(kind, request)) }),
    },
    {
      ...common,
      name: `replace${titles[kind]}AllowedModels`,
      method: 'PATCH',
      summary: `Replace allowed models for ${which[kind]}`,
      access: access[kind].change,
      body: bodySchema,
      handle: async (request) => {
        const { allowedModels } = request.body
        const change = { owner: ownerOf(kind, request), allowedModels, stamp: auditStampOf(request) }
        return { body: await changeAllowedModels(deps, change) }
      },
    },
  ]
}

const which = { organization: 'an organization', team: 'a team', member: 'a member' } as const

function ownerOf(kind: OwnerKind, request: EndpointRequest): ModelListOwner {
  const { organizationId, team, member } = organizationOf(request)
  switch (kind) {
    case 'organization':
      return { kind, organizationId }
    case 'team':
      assert(team !== null, 'a path with a team has opened it')
      return { kind, organizationId, teamId: team.id }
    case 'member':
      assert(member !== null, 'a path with a member has opened them')
      return { kind, organizationId, memberId: member.id }
  }
}
