import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const pageSize = 50

/** Whose keys are listed: a person's, an organization's, or the person's own in an organization. */
export interface KeyHolder {
  readonly organizationId: string | null
  /** Whether only the person's own keys are meant. */
  readonly isOwn: boolean
}

type Query = Readonly<
  Record<'limit' | 'q' | 'sort' | 'cursor' | 'member_id' | 'team_id' | 'shared', string | undefined>
>

/** The organization whose path is called, or null for the path of the person's own keys. */
export function managedOrganization({ organizationId, isOwn }: KeyHolder): string | null {
  return isOwn ? null : organizationId
}

/** The query that selects the person's own keys in an organization. */
export function ownKeysQuery({ organizationId }: KeyHolder): { readonly organization?: string } {
  return organizationId === null ? {} : { organization: organizationId }
}

const listOwn = (holder: KeyHolder, query: Partial<Query>) =>
  dataOf(api.GET('/v1/keys', { params: { query: { ...ownKeysQuery(holder), ...strip(query) } } }))

export type Key = Awaited<ReturnType<typeof listOwn>>['data'][number]

export interface KeyChoice {
  readonly q?: string
  readonly sort?: string
  readonly member?: string
  readonly team?: string
  readonly shared?: true
}

/** Keys of a person or an organization, paginated. */
export function keysQuery(holder: KeyHolder, { q, sort, member, team, shared }: KeyChoice) {
  const { organizationId, isOwn } = holder
  const chosen = { member_id: member, team_id: team, shared: shared === true ? 'true' : undefined }
  return infiniteQueryOptions({
    queryKey: ['keys', organizationId, isOwn, q ?? '', sort ?? '', chosen],
    queryFn: ({ pageParam }) => {
      const query = { limit: String(pageSize), q, sort, cursor: pageParam ?? undefined }
      const orgId = managedOrganization(holder)
      if (orgId === null) return listOwn(holder, query)
      const params = { path: { orgId }, query: strip({ ...query, ...chosen }) }
      return dataOf(api.GET('/v1/orgs/{orgId}/keys', { params }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}

/** One key with its usage, or null if the account has no such key. The list endpoint finds a key by its id. */
export function keyQuery(holder: KeyHolder, keyId: string) {
  return queryOptions({
    queryKey: ['keys', holder.organizationId, 'one', keyId],
    queryFn: async () => {
      const query = { limit: '1', q: keyId }
      const orgId = managedOrganization(holder)
      const { data } =
        orgId === null
          ? await listOwn(holder, query)
          : await dataOf(api.GET('/v1/orgs/{orgId}/keys', { params: { path: { orgId }, query } }))
      return data.find(({ id }) => id === keyId) ?? null
    },
  })
}

const readOwnLimits = (holder: KeyHolder, id: string) =>
  dataOf(api.GET('/v1/keys/{id}/limits', { params: { path: { id }, query: ownKeysQuery(holder) } }))

export type KeyLimits = Awaited<ReturnType<typeof readOwnLimits>>['data']

/** Every limit that applies to a request of the key, and the tightest. */
export function keyLimitsQuery(holder: KeyHolder, keyId: string) {
  return queryOptions({
    queryKey: ['keys', holder.organizationId, 'limits', keyId],
    queryFn: async () => {
      const orgId = managedOrganization(holder)
      if (orgId === null) return (await readOwnLimits(holder, keyId)).data
      return (await dataOf(api.GET('/v1/orgs/{orgId}/keys/{keyId}/limits', { params: { path: { orgId, keyId } } })))
        .data
    },
  })
}

/** Removes undefined values, which would be sent as the string `undefined`. */
function strip(query: Partial<Query>): Partial<Record<keyof Query, string>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}
