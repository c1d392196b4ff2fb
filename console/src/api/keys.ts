import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const pageSize = 50

interface WalletOf {
  readonly organizationId: string | null
}

type Query = Readonly<Record<'limit' | 'q' | 'sort' | 'cursor', string | undefined>>

const listOwn = (query: Partial<Query>) => dataOf(api.GET('/v1/keys', { params: { query: strip(query) } }))

export type Key = Awaited<ReturnType<typeof listOwn>>['data'][number]

/** Keys of a person or an organization, paginated. */
export function keysQuery({ organizationId }: WalletOf, { q, sort }: { readonly q?: string; readonly sort?: string }) {
  return infiniteQueryOptions({
    queryKey: ['keys', organizationId, q ?? '', sort ?? ''],
    queryFn: ({ pageParam }) => {
      const query = { limit: String(pageSize), q, sort, cursor: pageParam ?? undefined }
      if (organizationId === null) return listOwn(query)
      const params = { path: { orgId: organizationId }, query: strip(query) }
      return dataOf(api.GET('/v1/orgs/{orgId}/keys', { params }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
}

/** One key with its usage, or null if the account has no such key. The list endpoint finds a key by its id. */
export function keyQuery({ organizationId }: WalletOf, keyId: string) {
  return queryOptions({
    queryKey: ['keys', organizationId, 'one', keyId],
    queryFn: async () => {
      const query = { limit: '1', q: keyId }
      const { data } =
        organizationId === null
          ? await listOwn(query)
          : await dataOf(api.GET('/v1/orgs/{orgId}/keys', { params: { path: { orgId: organizationId }, query } }))
      return data.find(({ id }) => id === keyId) ?? null
    },
  })
}

const readOwnLimits = (id: string) => dataOf(api.GET('/v1/keys/{id}/limits', { params: { path: { id } } }))

export type KeyLimits = Awaited<ReturnType<typeof readOwnLimits>>['data']

/** Every limit that applies to a request of the key, and the tightest. */
export function keyLimitsQuery({ organizationId }: WalletOf, keyId: string) {
  return queryOptions({
    queryKey: ['keys', organizationId, 'limits', keyId],
    queryFn: async () => {
      if (organizationId === null) return (await readOwnLimits(keyId)).data
      const params = { path: { orgId: organizationId, keyId } }
      return (await dataOf(api.GET('/v1/orgs/{orgId}/keys/{keyId}/limits', { params }))).data
    },
  })
}

/** Removes undefined values, which would be sent as the string `undefined`. */
function strip(query: Partial<Query>): Partial<Record<keyof Query, string>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}
