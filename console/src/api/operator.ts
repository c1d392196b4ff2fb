import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import { amountBody } from './amount-body.ts'
import { dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import type { TopUp } from './payments.ts'
import { recordingFetch } from './recording-fetch.ts'
import type { paths } from './schema.d.ts'
import { withStepUp } from './step-up.ts'

/**
 * A client for the operator endpoints. Changes need a fresh session, so each of them may ask for step-up
 * authentication.
 */
export const operators = createClient<Exact<paths>>({
  baseUrl: location.origin,
  fetch: (request) =>
    request.method === 'GET' ? recordingFetch(request) : withStepUp(() => recordingFetch(request.clone())),
})

interface OrderFilter {
  readonly state?: string
  readonly mismatched?: 'true'
  readonly transfers?: 'true'
  readonly wallet?: string
}

interface DocumentFilter {
  readonly kind?: string
  readonly wallet?: string
}

const pageSize = '50'

/** Orders of all wallets, paginated, newest first. */
export function allTopUpsQuery(filter: OrderFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'top-ups', filter],
    queryFn: ({ pageParam }) => listTopUps(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

function listTopUps(filter: OrderFilter, before: string | null) {
  const query = { ...filter, limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/top-ups', { params: { query } }))
}

function listDocuments(filter: DocumentFilter, before: string | null) {
  const query = { ...filter, limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/invoices', { params: { query } }))
}

export function anyTopUpQuery(topUpId: string) {
  return queryOptions({
    queryKey: ['operator', 'top-ups', 'one', topUpId],
    queryFn: () => readTopUp(topUpId),
  })
}

async function readTopUp(topUpId: string) {
  return (await dataOf(operators.GET('/api/admin/top-ups/{topUpId}', { params: { path: { topUpId } } }))).data
}

export type AnyTopUp = Awaited<ReturnType<typeof readTopUp>>
export type OperatedTopUp = Awaited<ReturnType<typeof listTopUps>>['data'][number]
export type OperatedDocument = Awaited<ReturnType<typeof listDocuments>>['data'][number]
export type Dispute = Awaited<ReturnType<typeof listDisputes>>['data'][number]

function listDisputes() {
  return dataOf(operators.GET('/api/admin/disputes', { params: { query: { limit: '500' } } }))
}

/** Disputes of all payments: open ones by their deadline, then decided ones. */
export const disputesQuery = queryOptions({ queryKey: ['operator', 'disputes'], queryFn: listDisputes })

/** The PDF of a document. A link could not send the operator's key. */
export function readDocumentFile(number: string): Promise<Blob> {
  const params = { path: { number } }
  return dataOf(operators.GET('/api/admin/invoices/{number}/pdf', { params, parseAs: 'blob' }))
}

/** Receipts, credit notes and invoices of all wallets, paginated, newest first. */
export function allDocumentsQuery(filter: DocumentFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'documents', filter],
    queryFn: ({ pageParam }) => listDocuments(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export interface RefundWish {
  /** The amount as typed, or empty to refund the rest. */
  readonly amount: string
  readonly force: boolean
  readonly reason: string
}

export async function refundTopUp(topUpId: string, { amount, force, reason }: RefundWish, key: string): Promise<TopUp> {
  const params = { path: { topUpId }, header: { 'Idempotency-Key': key } }
  const body = { force, reason, ...(amount === '' ? {} : { amount: amountBody(amount) }) }
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
