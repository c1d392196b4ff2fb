import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import { amountBody } from './amount-body.ts'
import { ApiError } from './api-error.ts'
import { dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import { operatorKey } from './operator-key.ts'
import { operatorKeyRefused } from './operator-key-refused.ts'
import type { TopUp } from './payments.ts'
import { recordingFetch } from './recording-fetch.ts'
import type { paths } from './schema.d.ts'

/** A client for the operator endpoints. The key alone identifies the operator, so the cookie is not sent. */
const operators = clientWith(() => operatorKey.use())

function clientWith(readKey: () => string) {
  return createClient<Exact<paths>>({ baseUrl: location.origin, fetch: (request) => fetchWithKey(request, readKey()) })
}

async function fetchWithKey(request: Request, secret: string): Promise<Response> {
  const keyed = new Request(request, { credentials: 'omit' })
  keyed.headers.set('authorization', `Bearer ${secret}`)
  try {
    return await recordingFetch(keyed)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    operatorKey.forget()
    const message = 'Invalid operator key. Create one with `weir operator key create`.'
    throw new ApiError({ status: 401, code: operatorKeyRefused, message, requestId: error.requestId })
  }
}

/** Stores a key after the gateway accepts it. Throws the gateway's error if it does not. */
export async function enterOperatorKey(secret: string): Promise<void> {
  await clientWith(() => secret).GET('/api/admin/top-ups', { params: { query: { limit: '1' } } })
  operatorKey.keep(secret)
}

interface OrderFilter {
  readonly state?: string
  readonly mismatched?: 'true'
  readonly wallet?: string
}

const pageSize = '50'

/** Orders of all wallets, paginated, newest first. */
export function allTopUpsQuery(filter: OrderFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'top-ups', filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: pageSize, ...(pageParam === null ? {} : { before: pageParam }) }
      return dataOf(operators.GET('/api/admin/top-ups', { params: { query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export function anyTopUpQuery(topUpId: string) {
  return queryOptions({
    queryKey: ['operator', 'top-ups', 'one', topUpId],
    queryFn: async () =>
      (await dataOf(operators.GET('/api/admin/top-ups/{topUpId}', { params: { path: { topUpId } } }))).data,
  })
}

/** Receipts, credit notes and invoices of all wallets, paginated, newest first. */
export function allDocumentsQuery(filter: { readonly kind?: string; readonly wallet?: string }) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'documents', filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: pageSize, ...(pageParam === null ? {} : { before: pageParam }) }
      return dataOf(operators.GET('/api/admin/invoices', { params: { query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export interface RefundWish {
  /** The amount as typed, or empty to refund the rest. */
  readonly amount: string
  readonly force: boolean
}

export async function refundTopUp(topUpId: string, { amount, force }: RefundWish, key: string): Promise<TopUp> {
  const params = { path: { topUpId }, header: { 'Idempotency-Key': key } }
  const body = { force, ...(amount === '' ? {} : { amount: amountBody(amount) }) }
  return (await dataOf(operators.POST('/api/admin/top-ups/{topUpId}/refund', { params, body }))).data
}

export interface BankTransfer {
  readonly wallet: string
  readonly amount: string
  readonly reference: string
  readonly channel: 'usd' | 'local'
}

export async function bookTransfer({ wallet, amount, reference, channel }: BankTransfer): Promise<TopUp> {
  const params = { path: { walletRef: wallet } }
  const body = { amountUsd: amountBody(amount), reference, channel }
  return (await dataOf(operators.POST('/api/admin/wallets/{walletRef}/transfers', { params, body }))).data
}

export interface Debt {
  readonly wallet: string
  readonly amount: string
  readonly note: string
}

export function writeOff({ wallet, amount, note }: Debt, key: string) {
  const params = { path: { walletRef: wallet }, header: { 'Idempotency-Key': key } }
  const body = { amountUsd: amountBody(amount), note }
  return dataOf(operators.POST('/api/admin/wallets/{walletRef}/write-off', { params, body }))
}

export type Campaign = Awaited<ReturnType<typeof listCampaigns>>['data'][number]

function listCampaigns(before: string | null) {
  const query = { limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/redemption-campaigns', { params: { query } }))
}

export const campaignsQuery = infiniteQueryOptions({
  queryKey: ['operator', 'campaigns'],
  queryFn: ({ pageParam }) => listCampaigns(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

export interface CampaignWish {
  readonly name: string
  readonly amount: string
  readonly codes: number
  readonly usesPerCode: number
  /** The last valid day, such as `2026-12-31`, or empty for no expiry. */
  readonly endsOn: string
}

/** Creates a campaign. Only this response contains the codes, as CSV. */
export function createCampaign({ name, amount, codes, usesPerCode, endsOn }: CampaignWish, key: string) {
  const params = { header: { 'Idempotency-Key': key } }
  const endsAt = endsOn === '' ? null : `${endsOn}T23:59:59Z`
  const body = { name, amountUsd: amountBody(amount), codes, usesPerCode, endsAt }
  return dataOf(operators.POST('/api/admin/redemption-campaigns', { params, body, parseAs: 'text' }))
}

export function switchCampaign(campaignId: string, enabled: boolean) {
  const params = { path: { campaignId } }
  return dataOf(operators.PATCH('/api/admin/redemption-campaigns/{campaignId}', { params, body: { enabled } }))
}

export const paymentBooksQuery = queryOptions({
  queryKey: ['operator', 'books'],
  queryFn: compareBooks,
})

export type PaymentBooks = Awaited<ReturnType<typeof compareBooks>>

async function compareBooks() {
  return (await dataOf(operators.GET('/api/admin/books'))).data
}
