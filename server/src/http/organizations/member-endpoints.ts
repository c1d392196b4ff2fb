import { Type } from 'typebox'
import { addMember, type FindUser } from '#control/organizations/add-member.ts'
import { changeMember } from '#control/organizations/change-member.ts'
import type { OrganizationDeps } from '#control/organizations/change-within.ts'
import { parseMemberChange, parseNewMember } from '#control/organizations/organization-bodies.ts'
import { removeMember } from '#control/organizations/remove-member.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { MemberSort } from '#ports/pages.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { cursorText, type PageRules, pageQuerySchema, pageRequestOf } from '../page-query.ts'
import { flagOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import {
  memberChangeSchema,
  memberListSchema,
  memberSchema,
  newMemberSchema,
  nothingSchema,
} from './organization-schema.ts'
import { renderMember } from './render-organization.ts'

type MemberDeps = OrganizationDeps & { readonly findUser: FindUser }

const tag = 'Organizations'
const paths = { all: ['/v1/orgs/:orgId/members'], one: ['/v1/orgs/:orgId/members/:memberId'] }

const memberPages: PageRules<MemberSort> = { sorts: { joined: 'time' }, usual: 'joined' }

const memberQuerySchema = Type.Object({
  ...pageQuerySchema(memberPages, 'the email address or name').properties,
  team: Type.Optional(
    Type.String({
      description: 'ID of a team, for its members only, or `none` for members without a team. The response is paged.',
    }),
  ),
  idle: Type.Optional(
    Type.String({
      description: '`true` for members who have spent nothing in the current month only. The response is paged.',
    }),
  ),
})

/** Members. A team_admin can see and change only those of their own team. */
export function memberEndpoints(deps: MemberDeps): Endpoint[] {
  const reads: Endpoint[] = [
    {
      name: 'listMembers',
      method: 'GET',
      paths: paths.all,
      tag,
      summary: 'List members',
      access: 'members.read',
      query: memberQuerySchema,
      reply: {
        status: 200,
        description: 'The members with their spend, in the order they joined.',
        schema: memberListSchema,
      },
      errors: ['malformedRequest'],
      handle: (request) => listMembers(deps, request),
    },
    {
      name: 'getMember',
      method: 'GET',
      paths: paths.one,
      tag,
      summary: 'Get a member',
      access: 'members.read',
      reply: { status: 200, description: 'The member.', schema: memberSchema },
      handle: async (request) => ({ body: await memberBody(deps, request, memberIdOf(request)) }),
    },
  ]
  return [...reads, ...memberWrites(deps)]
}

function memberWrites(deps: MemberDeps): Endpoint[] {
  return [
    {
      name: 'addMember',
      method: 'POST',
      paths: paths.all,
      tag,
      summary: 'Add a member',
      access: 'members.manage',
      body: newMemberSchema,
      reply: {
        status: 201,
        description: 'The new member. The user must already have an account; membership takes effect immediately.',
        schema: memberSchema,
      },
      errors: ['missingRequiredField', 'conflict', 'staleSession'],
      handle: async (request) => {
        const { grant } = organizationOf(request)
        const terms = parseNewMember(request.body)
        if (terms.role !== undefined && terms.role !== 'member') requireFreshSession(request)
        const input = { terms, grant, stamp: auditStampOf(request) }
        const member = await addMember(deps, input, request.nowMs)
        return { body: await memberBody(deps, request, member.id) }
      },
    },
    {
      name: 'changeMember',
      method: 'PATCH',
      paths: paths.one,
      tag,
      summary: 'Update a member',
      access: 'members.manage',
      body: memberChangeSchema,
      reply: {
        status: 200,
        description: 'The updated member. Fields omitted from the request are unchanged.',
        schema: memberSchema,
      },
      errors: ['staleSession'],
      handle: async (request) => {
        const memberId = memberIdOf(request)
        const { grant } = organizationOf(request)
        const change = parseMemberChange(request.body)
        if (change.role !== undefined || change.suspended === false) requireFreshSession(request)
        await changeMember(deps, { memberId, change, grant, stamp: auditStampOf(request) })
        return { body: await memberBody(deps, request, memberId) }
      },
    },
    {
      name: 'removeMember',
      method: 'DELETE',
      paths: paths.one,
      tag,
      summary: 'Remove a member',
      description: "Ends the membership and revokes the member's keys of the organization.",
      access: 'members.manage',
      reply: {
        status: 204,
        description: 'The member was removed, and their keys in the organization were revoked.',
        schema: nothingSchema,
      },
      errors: ['malformedRequest'],
      handle: async (request) => {
        const { grant } = organizationOf(request)
        await removeMember(deps, { memberId: memberIdOf(request), grant, stamp: auditStampOf(request) })
        return {}
      },
    },
  ]
}

async function listMembers({ organizations }: MemberDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { organizationId, grant } = organizationOf(request)
  const only = grant.reach === 'own_team' ? { teamId: grant.teamId } : {}
  const query = { organizationId, ...only, monthStart: monthStartOf(request.nowMs) }
  const filter = {
    ...teamOf(request.query),
    ...(flagOf(request.query, 'idle') === true ? { isIdle: true as const } : {}),
  }
  const isFiltered = Object.keys(filter).length > 0
  const page = pageRequestOf(isFiltered ? { limit: '20', ...request.query } : request.query, memberPages)
  if (page !== null) {
    const { entries, next } = await organizations.listMemberPage({ ...query, ...filter }, page)
    return { body: { data: entries.map(renderMember), next_cursor: cursorText(page, next) } }
  }
  const members = await organizations.listMembers(query)
  return { body: { data: members.map(renderMember), total_count: members.length } }
}

/** A team of others has no members here, like a team that does not exist. */
function teamOf(query: Query): { inTeam?: Uuid | null } {
  const team = textOf(query, 'team')
  if (team === null) return {}
  if (team === 'none') return { inTeam: null }
  if (!isUuid(team)) throw refuseValue('team', 'the ID of a team or `none`')
  return { inTeam: team }
}

async function memberBody({ organizations }: MemberDeps, request: EndpointRequest, memberId: Uuid) {
  const { organizationId } = organizationOf(request)
  const query = { organizationId, memberId, monthStart: monthStartOf(request.nowMs) }
  const [member] = await organizations.listMembers(query)
  if (member === undefined) throw new GatewayError('notFound', { message: 'Member not found.' })
  return { data: renderMember(member) }
}

function memberIdOf(request: EndpointRequest): Uuid {
  const { member } = organizationOf(request)
  assert(member !== null, 'a path with a member has opened it')
  return member.id
}
