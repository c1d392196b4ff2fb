import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, dataOf } from '../api/client.ts'

/** Organizations of the person. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => dataOf(api.GET('/v1/orgs')),
  staleTime: 60_000,
})

export interface Wallet {
  readonly kind: 'person' | 'organization'
  /** Null for the person's own wallet. */
  readonly organizationId: string | null
  readonly name: string
  readonly role: string | null
  /** Query parameters that select this wallet. */
  readonly query: { readonly organization?: string }
}

const personal: Wallet = { kind: 'person', organizationId: null, name: 'Personal', role: null, query: {} }

/** The wallet of the page, from its URL. Put `wallet.organizationId` into every query key. */
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
