import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { sessionQuery } from './session.ts'

export type WalletTotals = Awaited<ReturnType<typeof readBooks>>
export type Transaction = Awaited<ReturnType<typeof listTransactions>>['data'][number]
export type Hold = Awaited<ReturnType<typeof listHolds>>['data'][number]
export type Statement = Awaited<ReturnType<typeof readStatement>>

/**
 * The owner of the wallet on the page: the organization's id or the person's id. Undefined until the session is loaded.
 */
export function useOwnerId(wallet: { readonly organizationId: string | null }): string | undefined {
  const { data } = useQuery(sessionQuery)
  return wallet.organizationId ?? data?.user.id
}

export function booksQuery(ownerId: string | undefined) {
  return queryOptions({
    queryKey: ['books', ownerId],
    queryFn: () => readBooks(ownerId ?? ''),
    enabled: ownerId !== undefined,
  })
}

export function statementQuery(ownerId: string | undefined, month: string) {
  return queryOptions({
    queryKey: ['statement', ownerId, month],
    queryFn: () => readStatement(ownerId ?? '', month),
    enabled: ownerId !== undefined,
  })
}

/** The ledger entries of a request, or null if there are none. A charge is dated at the start of its request. */
export function bookedQuery(ownerId: string | undefined, request: { readonly id: string; readonly createdAt: string }) {
  return queryOptions({
    queryKey: ['booked', ownerId, request.id],
    queryFn: () => findBooked(ownerId ?? '', request),
    enabled: ownerId !== undefined,
  })
}

async function findBooked(ownerId: string, { id, createdAt }: { readonly id: string; readonly createdAt: string }) {
  const to = new Date(Date.parse(createdAt) + 1).toISOString()
  let before: string | undefined
  do {
    const page = await listTransactions(ownerId, { kind: 'charge', from: createdAt, to, limit: '100', before })
    const found = page.data.find(({ generation_id }) => generation_id === id)
    if (found !== undefined) return found
    before = page.next_cursor ?? undefined
  } while (before !== undefined)
  return null
}

async function readBooks(id: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}', { params: { path: { walletId: id } } }))).data
}

async function readStatement(id: string, month: string) {
  const params = { path: { walletId: id }, query: { month } }
  return (await dataOf(api.GET('/api/wallets/{walletId}/statement', { params }))).data
}

interface TransactionQuery {
  readonly kind?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit?: string | undefined
  readonly before?: string | undefined
}

export function listTransactions(id: string, query: TransactionQuery) {
  const known = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  return dataOf(api.GET('/api/wallets/{walletId}/transactions', { params: { path: { walletId: id }, query: known } }))
}

export function listHolds(id: string, query: { readonly limit: string; readonly before?: string }) {
  return dataOf(api.GET('/api/wallets/{walletId}/holds', { params: { path: { walletId: id }, query } }))
}
