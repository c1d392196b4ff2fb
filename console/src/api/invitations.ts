import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callUnrecorded } from './auth.ts'
import { api, dataOf } from './client.ts'
import type { MemberTerms } from './members.ts'
import type { components } from './schema.d.ts'

const pageSize = 50

export interface InvitationFilter {
  /** Part of an address, a name or a domain. */
  readonly q?: string | undefined
  readonly status?: string | undefined
}

export type Invitation = Awaited<ReturnType<typeof listInvitations>>['data'][number]
export type InviteOutcome = Awaited<ReturnType<typeof invite>>[number]

/** Invitations to an organization, newest first, paginated. */
export function invitationsQuery(orgId: string, filter: InvitationFilter = {}) {
  return infiniteQueryOptions({
    queryKey: ['invitations', orgId, filter.q ?? '', filter.status ?? ''],
    queryFn: ({ pageParam }) => listInvitations(orgId, filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}

function listInvitations(orgId: string, { q, status }: InvitationFilter, cursor: string | null) {
  const query = {
    limit: String(pageSize),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === null ? {} : { cursor }),
  }
  return dataOf(api.GET('/v1/orgs/{orgId}/invitations', { params: { path: { orgId }, query } }))
}

export type InvitationTerms = Partial<MemberTerms> & { readonly expiresInDays: number }
export type NewInvitations = InvitationTerms &
  ({ readonly emails: string[] } | { readonly usesMax: number; readonly domain: string | null })

export async function invite(orgId: string, body: NewInvitations) {
  return (await dataOf(api.POST('/v1/orgs/{orgId}/invitations', { params: { path: { orgId } }, body }))).data
}

export async function resendInvitation(orgId: string, invitationId: string) {
  const params = { path: { orgId, invitationId } }
  return (await dataOf(api.POST('/v1/orgs/{orgId}/invitations/{invitationId}/resend', { params }))).data
}

export function revokeInvitation(orgId: string, invitationId: string) {
  return api.DELETE('/v1/orgs/{orgId}/invitations/{invitationId}', { params: { path: { orgId, invitationId } } })
}

/** The link of an invitation. Without a public URL the API answers a path of this site. */
export function absoluteLink(url: string): string {
  return new URL(url, location.origin).href
}

/** An invitation by its token. */
export function openedInvitationQuery(token: string) {
  return queryOptions({
    queryKey: ['opened-invitation', token],
    queryFn: async () => {
      const answer = await callUnrecorded<{ data: components['schemas']['OpenedInvitation'] }>(
        '/api/invitations/open',
        { token },
      )
      return answer.data
    },
    retry: false,
  })
}

export async function acceptInvitation(token: string) {
  return (await dataOf(api.POST('/api/invitations/accept', { body: { token } }))).data
}
