import { changeTeam } from '#control/organizations/change-team.ts'
import type { OrganizationDeps } from '#control/organizations/change-within.ts'
import { createTeam } from '#control/organizations/create-team.ts'
import { deleteTeam } from '#control/organizations/delete-team.ts'
import { parseNewTeam, parseTeamChange } from '#control/organizations/organization-bodies.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import type { TeamListing } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { TeamSort } from '#ports/pages.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { cursorText, type PageRules, pageQuerySchema, pageRequestOf } from '../page-query.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { newTeamSchema, nothingSchema, teamChangeSchema, teamListSchema, teamSchema } from './organization-schema.ts'
import { renderTeam } from './render-organization.ts'

const tag = 'Organizations'
const paths = { all: ['/v1/orgs/:orgId/teams'], one: ['/v1/orgs/:orgId/teams/:teamId'] }

const teamPages: PageRules<TeamSort> = { sorts: { created: 'time', name: 'text' }, usual: 'name' }

/** Teams. A team_admin can see only their own. */
export function teamEndpoints(deps: OrganizationDeps): Endpoint[] {
  const reads: Endpoint[] = [
    {
      name: 'listTeams',
      method: 'GET',
      paths: paths.all,
      tag,
      summary: 'List teams',
      access: 'teams.read',
      query: pageQuerySchema(teamPages, 'the name'),
      reply: { status: 200, description: 'The teams with their spend, sorted by name.', schema: teamListSchema },
      errors: ['malformedRequest'],
      handle: (request) => listTeams(deps, request),
    },
    {
      name: 'getTeam',
      method: 'GET',
      paths: paths.one,
      tag,
      summary: 'Get a team',
      access: 'teams.read',
      reply: { status: 200, description: 'The team.', schema: teamSchema },
      handle: async (request) => ({ body: await teamBody(deps, request, teamIdOf(request)) }),
    },
  ]
  return [...reads, ...teamWrites(deps)]
}

function teamWrites(deps: OrganizationDeps): Endpoint[] {
  return [
    {
      name: 'createTeam',
      method: 'POST',
      paths: paths.all,
      tag,
      summary: 'Create a team',
      access: 'teams.manage',
      body: newTeamSchema,
      reply: { status: 201, description: 'The new team.', schema: teamSchema },
      errors: ['missingRequiredField', 'conflict', 'staleSession'],
      handle: async (request) => {
        const terms = parseNewTeam(request.body)
        if (terms.defaultRole !== null) requireFreshSession(request)
        const input = { terms, stamp: auditStampOf(request) }
        const team = await createTeam(deps, input, request.nowMs)
        return { body: await teamBody(deps, request, team.id) }
      },
    },
    {
      name: 'changeTeam',
      method: 'PATCH',
      paths: paths.one,
      tag,
      summary: 'Update a team',
      access: 'team.change',
      body: teamChangeSchema,
      reply: {
        status: 200,
        description: 'The updated team. Fields omitted from the request are unchanged.',
        schema: teamSchema,
      },
      errors: ['conflict', 'staleSession'],
      handle: async (request) => {
        const teamId = teamIdOf(request)
        const { grant } = organizationOf(request)
        const change = parseTeamChange(request.body)
        if (change.defaultRole !== undefined) requireFreshSession(request)
        await changeTeam(deps, { teamId, change, grant, stamp: auditStampOf(request) })
        return { body: await teamBody(deps, request, teamId) }
      },
    },
    {
      name: 'deleteTeam',
      method: 'DELETE',
      paths: paths.one,
      tag,
      summary: 'Delete a team',
      description: 'Deletes the team and its keys. Its members stay.',
      access: 'teams.manage',
      reply: {
        status: 204,
        description: 'The team and its keys were deleted. Its members remain in the organization.',
        schema: nothingSchema,
      },
      handle: async (request) => {
        await deleteTeam(deps, { teamId: teamIdOf(request), stamp: auditStampOf(request) })
        return {}
      },
    },
  ]
}

async function listTeams({ organizations }: OrganizationDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { organizationId, grant } = organizationOf(request)
  const only = grant.reach === 'own_team' ? { teamId: grant.teamId } : {}
  const query = { organizationId, ...only, monthStart: monthStartOf(request.nowMs) }
  const page = pageRequestOf(request.query, teamPages)
  if (page !== null) {
    const { entries, next } = await organizations.listTeamPage(query, page)
    return { body: { data: entries.map(renderTeam), next_cursor: cursorText(page, next) } }
  }
  const teams = await organizations.listTeams(query)
  return { body: { data: teams.map(renderTeam), total_count: teams.length } }
}

async function teamBody({ organizations }: OrganizationDeps, request: EndpointRequest, teamId: Uuid) {
  const { organizationId } = organizationOf(request)
  const query = { organizationId, teamId, monthStart: monthStartOf(request.nowMs) }
  const [team]: (TeamListing | undefined)[] = await organizations.listTeams(query)
  if (team === undefined) throw new GatewayError('notFound', { message: 'Team not found.' })
  return { data: renderTeam(team) }
}

function teamIdOf(request: EndpointRequest): Uuid {
  const { team } = organizationOf(request)
  assert(team !== null, 'a path with a team has opened it')
  return team.id
}
