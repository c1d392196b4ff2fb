import { queryOptions } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
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
  /** How many API keys the person can create in the organization. Absent for the person's own wallet. */
  readonly ownKeysMax?: number
  /** Query parameters that select this wallet. */
  readonly query: { readonly organization?: string }
}

/** The wallet of the page, from its URL. Put `wallet.organizationId` into every query key. */
export function useWallet(): Wallet {
  return useRouteContext({ from: '/app', select: ({ wallet }) => wallet })
}

/** The organization of a page below `requireOrganization`. */
export function useOrganization(): Wallet & { readonly organizationId: string } {
  const wallet = useWallet()
  const { organizationId } = wallet
  if (organizationId === null) throw new Error('This page belongs to an organization.')
  return { ...wallet, organizationId }
}
