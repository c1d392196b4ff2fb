import { acceptInvitation, openInvitation } from '#control/organizations/invitations/accept-invitation.ts'
import { parseToken } from '#control/organizations/invitations/invitation-bodies.ts'
import type { InvitationDeps } from '#control/organizations/invitations/invitation-deps.ts'
import type { LimitTokenGuesses } from '#control/organizations/invitations/limit-guesses.ts'
import { actorOf } from '#domain/audit/audit-entry.ts'
import { assert } from '#lib/assert.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { acceptedInvitationSchema, openedInvitationSchema, tokenSchema } from './invitation-schema.ts'
import { renderOpened } from './render-invitation.ts'

type Deps = InvitationDeps & { readonly limitGuesses: LimitTokenGuesses }

/** What a person can do with the link of an invitation. The token is in the body, because URLs are logged. */
export function ownInvitationEndpoints(deps: Deps): Endpoint[] {
  return [
    {
      name: 'openInvitation',
      method: 'POST',
      paths: ['/api/invitations/open'],
      tag: 'Console',
      summary: 'See an invitation',
      access: 'invitations.open',
      body: tokenSchema,
      reply: { status: 200, description: 'The invitation.', schema: openedInvitationSchema },
      errors: ['missingRequiredField', 'notFound', 'gone', 'rateLimited', 'storeUnavailable'],
      handle: async ({ body, clientIp, nowMs }) => {
        const token = parseToken(body)
        const opened = await deps.limitGuesses(clientIp, () => openInvitation(deps, token, nowMs))
        return { body: { data: renderOpened(opened) } }
      },
    },
    {
      name: 'acceptInvitation',
      method: 'POST',
      paths: ['/api/invitations/accept'],
      tag: 'Console',
      summary: 'Accept an invitation',
      description:
        'Makes the signed-in person a member. An invitation to an address needs an account with that address.',
      access: 'invitations.accept',
      body: tokenSchema,
      reply: { status: 201, description: 'The organization.', schema: acceptedInvitationSchema },
      errors: ['missingRequiredField', 'notFound', 'gone', 'conflict'],
      handle: async (request) => {
        const client = clientOf(request)
        assert(client.kind === 'session', 'an endpoint for sessions alone is called with one')
        const stamp = { actor: actorOf(client), requestId: request.requestId }
        const input = { token: parseToken(request.body), person: client.person, stamp }
        const accepted = await deps.limitGuesses(request.clientIp, () => acceptInvitation(deps, input, request.nowMs))
        const { id, name, slug } = accepted.organization
        return { body: { data: { orgId: id, name, slug, memberId: accepted.member.id } } }
      },
    },
  ]
}
