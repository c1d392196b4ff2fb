import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, dataOf } from '../api/client.ts'

/** The organizations that the person belongs to. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => dataOf(api.GET('/v1/orgs')),
  staleTime: 60_000,
})

export interface Wallet {
  readonly kind: 'person' | 'organization'
  /** Null for the person's own. */
  readonly organizationId: string | null
  readonly name: string
  readonly role: string | null
  /** The query parameters that make an answer be about this wallet. */
  readonly query: { readonly organization?: string }
}

const personal: Wallet = { kind: 'person', organizationId: null, name: 'Personal', role: null, query: {} }

/** The wallet that the page is about, by its URL. Put `wallet.organizationId` into every query key. */
export function useWallet(): Wallet {
  const { organization } = useSearch({ from: '/app' })
  const { data } = useQuery({ ...organizationsQuery, enabled: organization !== undefined })
  if (organization === undefined) return personal
  const found = data?.data.find(({ id }) => id === organization)
  return {
    kind: 'organization',
    organizationId: organization,
    name: found?.name ?? 'Organization',
    role: found?.role ?? null,
    query: { organization },
  }
}
