import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { amountBody } from './amount-body.ts'
import { api, dataOf } from './client.ts'

export type PaymentOffer = Awaited<ReturnType<typeof readOffer>>
export type PaymentQuote = Awaited<ReturnType<typeof readQuote>>
export type TopUp = Awaited<ReturnType<typeof readTopUp>>

/** A purchase as entered in the form: credit amount as typed, currency and payment provider. */
export interface PaymentWish {
  readonly amount: string
  readonly currency: string
  readonly provider: string
  /** Whether the provider saves the card. */
  readonly isSaving: boolean
}

const pageSize = '20'

export const offerQuery = queryOptions({ queryKey: ['payment-offer'], queryFn: readOffer, staleTime: 60_000 })

/** The price breakdown of an order before it is created. */
export function quoteQuery(ownerId: string, { amount, currency }: Pick<PaymentWish, 'amount' | 'currency'>) {
  return queryOptions({
    queryKey: ['payment-quote', ownerId, amount, currency],
    queryFn: () => readQuote({ amount, currency, wallet: ownerId }),
  })
}

/** Orders of a wallet, paginated, newest first. */
export function topUpsQuery(ownerId: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['top-ups', ownerId],
    queryFn: ({ pageParam }) => {
      const query = { limit: pageSize, ...(pageParam === null ? {} : { before: pageParam }) }
      return dataOf(
        api.GET('/api/wallets/{walletId}/top-ups', { params: { path: { walletId: ownerId ?? '' }, query } }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: ownerId !== undefined,
  })
}

export function topUpQuery(ownerId: string | undefined, id: string) {
  return queryOptions({
    queryKey: ['top-ups', ownerId, 'one', id],
    queryFn: () => readTopUp(ownerId ?? '', id),
    enabled: ownerId !== undefined,
  })
}

/** Creates an order for credit. Requests with the same idempotency key create one order. */
export async function orderTopUp(ownerId: string, wish: PaymentWish, key: string): Promise<TopUp> {
  const params = { path: { walletId: ownerId }, header: { 'Idempotency-Key': key } }
  const { amount, currency, provider, isSaving } = wish
  const body = { amount: amountBody(amount), currency, provider, save_method: isSaving }
  return (await dataOf(api.POST('/api/wallets/{walletId}/top-ups', { params, body }))).data
}

/** Makes the gateway ask the payment provider for the state of an order. */
export async function checkTopUp(ownerId: string, id: string): Promise<TopUp> {
  const params = { path: { walletId: ownerId, topUpId: id } }
  return (await dataOf(api.POST('/api/wallets/{walletId}/top-ups/{topUpId}/check', { params }))).data
}

export async function redeemCode(ownerId: string, code: string) {
  const params = { path: { walletId: ownerId } }
  return (await dataOf(api.POST('/api/wallets/{walletId}/redemptions', { params, body: { code } }))).data
}

async function readOffer() {
  return (await dataOf(api.GET('/api/payments'))).data
}

/** The billing profile of the wallet determines the tax. */
async function readQuote(query: { readonly amount: string; readonly currency: string; readonly wallet: string }) {
  return (await dataOf(api.GET('/api/payments/quote', { params: { query } }))).data
}

async function readTopUp(ownerId: string, id: string) {
  const params = { path: { walletId: ownerId, topUpId: id } }
  return (await dataOf(api.GET('/api/wallets/{walletId}/top-ups/{topUpId}', { params }))).data
}
