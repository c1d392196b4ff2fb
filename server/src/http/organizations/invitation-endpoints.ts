import { Type } from 'typebox'
import { resendInvitation, revokeInvitation } from '#control/organizations/invitations/change-invitation.ts'
import { parseNewInvitations } from '#control/organizations/invitations/invitation-bodies.ts'
import type { InvitationDeps } from '#control/organizations/invitations/invitation-deps.ts'
import { invite } from '#control/organizations/invitations/invite.ts'
import type { Role } from '#domain/access/roles.ts'
import { invitationStatuses } from '#domain/organizations/invitation.ts'
import type { InvitationSort } from '#ports/pages.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { cursorText, type PageRules, pageQuerySchema, pageRequestOf } from '../page-query.ts'
import { refuseValue, textOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { invitationListSchema, invitedSchema, newInvitationsSchema, sentInvitationSchema } from './invitation-schema.ts'
import { nothingSchema } from './organization-schema.ts'
import { renderInvitation, renderOutcome, renderSent } from './render-invitation.ts'

const tag = 'Organizations'
const all = '/v1/orgs/:orgId/invitations'
const one = `${all}/:invitationId`

const pages: PageRules<InvitationSort> = { sorts: { created: 'time' }, usual: '-created' }

const querySchema = Type.Object({
  ...pageQuerySchema(pages, 'the email address, name or domain').properties,
  status: Type.Optional(Type.String({ description: `One of ${invitationStatuses.join(', ')}.` })),
})

/** Invitations to an organization. A team_admin can see and manage only those to their own team. */
export function invitationEndpoints(deps: InvitationDeps): Endpoint[] {
  return [
    {
      name: 'listInvitations',
      method: 'GET',
      paths: [all],
      tag,
      summary: 'List invitations',
      access: 'members.read',
      query: querySchema,
      reply: { status: 200, description: 'A page of invitations, newest first.', schema: invitationListSchema },
      errors: ['malformedRequest'],
      handle: (request) => listInvitations(deps, request),
    },
    {
      name: 'createInvitations',
      method: 'POST',
      paths: [all],
      tag,
      summary: 'Invite people',
      description: 'Sends an invitation to each address, or creates an open link that several people can use.',
      access: 'members.manage',
      body: newInvitationsSchema,
      reply: { status: 201, description: 'The outcome for each address, or for the link.', schema: invitedSchema },
      errors: ['missingRequiredField', 'conflict', 'staleSession'],
      handle: async (request) => {
        const { grant, membership } = organizationOf(request)
        const wanted = parseNewInvitations(request.body)
        requireRightTo(wanted.role, request)
        const input = { wanted, inviterId: membership.userId, grant, stamp: auditStampOf(request) }
        return { body: { data: (await invite(deps, input, request.nowMs)).map(renderOutcome) } }
      },
    },
    ...invitationChanges(deps),
  ]
}

function invitationChanges(deps: InvitationDeps): Endpoint[] {
  return [
    {
      name: 'resendInvitation',
      method: 'POST',
      paths: [`${one}/resend`],
      tag,
      summary: 'Resend an invitation',
      description: 'Creates a new link and sends it again. The old link stops working.',
      access: 'members.manage',
      reply: { status: 200, description: 'The new link.', schema: sentInvitationSchema },
      errors: ['conflict', 'staleSession'],
      handle: async (request) => {
        const { grant, membership } = organizationOf(request)
        const about = { invitationId: request.params['invitationId'] ?? '', grant, stamp: auditStampOf(request) }
        const requireRight = (role: Role) => requireRightTo(role, request)
        const input = { ...about, inviterId: membership.userId, requireRight }
        const sent = await resendInvitation(deps, input, request.nowMs)
        return { body: { data: renderSent(sent) } }
      },
    },
    {
      name: 'revokeInvitation',
      method: 'DELETE',
      paths: [one],
      tag,
      summary: 'Revoke an invitation',
      access: 'members.manage',
      reply: { status: 204, description: 'The invitation can no longer be accepted.', schema: nothingSchema },
      errors: ['conflict'],
      handle: async (request) => {
        const { grant } = organizationOf(request)
        const about = { invitationId: request.params['invitationId'] ?? '', grant, stamp: auditStampOf(request) }
        await revokeInvitation(deps, about, request.nowMs)
        return {}
      },
    },
  ]
}

/** The link of an invitation gives its role, so a session that is not fresh gets none to more than a member's. */
function requireRightTo(role: Role | undefined, request: EndpointRequest): void {
  if (role !== undefined && role !== 'member') requireFreshSession(request)
}

async function listInvitations({ invitations }: InvitationDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { organizationId, grant } = organizationOf(request)
  const { nowMs } = request
  const page = pageRequestOf({ limit: '20', ...request.query }, pages)
  if (page === null) throw refuseValue('limit', 'an integer from 1 to 100')
  const status = statusIn(request)
  const only = grant.reach === 'own_team' ? { ofTeam: grant.teamId } : {}
  const query = { organizationId, nowMs, ...only, ...(status === undefined ? {} : { status }) }
  const { entries, next } = await invitations.listPage(query, page)
  const data = entries.map((entry) => renderInvitation(entry, nowMs))
  return { body: { data, next_cursor: cursorText(page, next) } }
}

function statusIn({ query }: EndpointRequest) {
  const text = textOf(query, 'status')
  const status = invitationStatuses.find((each) => each === text)
  if (text !== null && status === undefined) throw refuseValue('status', `one of ${invitationStatuses.join(', ')}`)
  return status
}
