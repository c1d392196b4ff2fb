import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const pageSize = 50

export interface MemberFilter {
  /** Part of a name or an email address. */
  readonly q?: string | undefined
  /** The id of a team, or `none` for members without a team. */
  readonly team?: string | undefined
  readonly sort?: string | undefined
  /** Only members who have spent nothing this month. */
  readonly idle?: true | undefined
}

export type Member = Awaited<ReturnType<typeof listMembers>>['data'][number]

/** Members of an organization in the order they joined, paginated. */
export function membersQuery(orgId: string, filter: MemberFilter = {}) {
  const { q = '', team = '', sort = '', idle = false } = filter
  return infiniteQueryOptions({
    queryKey: ['members', orgId, 'list', q, team, sort, idle],
    queryFn: ({ pageParam }) => listMembers(orgId, filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}

function listMembers(orgId: string, { q, team, sort, idle }: MemberFilter, cursor: string | null) {
  const query = {
    limit: String(pageSize),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(team === undefined ? {} : { team }),
    ...(sort === undefined ? {} : { sort }),
    ...(idle === undefined ? {} : { idle: 'true' }),
    ...(cursor === null ? {} : { cursor }),
  }
  return dataOf(api.GET('/v1/orgs/{orgId}/members', { params: { path: { orgId }, query } }))
}

export function memberQuery(orgId: string, memberId: string) {
  return queryOptions({
    queryKey: ['members', orgId, 'one', memberId],
    queryFn: async () => {
      const params = { path: { orgId, memberId } }
      return (await dataOf(api.GET('/v1/orgs/{orgId}/members/{memberId}', { params }))).data
    },
  })
}

type Role = Member['role']

export interface MemberTerms {
  readonly role: Role
  readonly teamId: string | null
  /** Null for no budget. */
  readonly monthlyBudget: number | null
}

export function addMember(orgId: string, body: Partial<MemberTerms> & { readonly email: string }) {
  return dataOf(api.POST('/v1/orgs/{orgId}/members', { params: { path: { orgId } }, body }))
}

type MemberChange = Partial<MemberTerms> & { readonly suspended?: boolean }

export function changeMember(orgId: string, memberId: string, body: MemberChange) {
  return dataOf(api.PATCH('/v1/orgs/{orgId}/members/{memberId}', { params: { path: { orgId, memberId } }, body }))
}

export function removeMember(orgId: string, memberId: string) {
  return api.DELETE('/v1/orgs/{orgId}/members/{memberId}', { params: { path: { orgId, memberId } } })
}
