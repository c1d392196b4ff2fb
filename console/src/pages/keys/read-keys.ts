import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'
import type { Wallet } from '../../app/wallet.ts'
import type { KeysSearch } from './route.tsx'

const pageSize = 50

type Query = Readonly<Record<'limit' | 'q' | 'sort' | 'cursor', string | undefined>>

const listOwn = (query: Partial<Query>) => dataOf(api.GET('/v1/keys', { params: { query: strip(query) } }))

export type Key = Awaited<ReturnType<typeof listOwn>>['data'][number]

/** The keys of a wallet, page by page: a person's own, or an organization's. */
export function keysQuery({ organizationId }: Wallet, { q, sort }: KeysSearch) {
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

/** Without what is undefined, which would be sent as a word. */
function strip(query: Partial<Query>): Partial<Record<keyof Query, string>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}
