import { queryOptions } from '@tanstack/react-query'
import { type DayRange, utcDay } from '../lib/utc-days.ts'
import { amountBody } from './amount-body.ts'
import { api, dataOf } from './client.ts'
import { cursorPages } from './cursor-pages.ts'
import { linkTo } from './link-to.ts'

const pageSize = 50

/** The wallet whose customers are meant: the person's own without `organization`. */
interface WalletOf {
  readonly query: { readonly organization?: string }
}

interface CustomerChoice {
  /** The beginning of an id. */
  readonly q?: string
  readonly sort?: string
}

/** Begins the key of every query of customers. */
export const endCustomersKey = 'end-customers'

type ListQuery = WalletOf['query'] & CustomerChoice & { readonly limit: string; readonly cursor?: string }

function listEndCustomers(query: ListQuery) {
  return dataOf(api.GET('/v1/customers', { params: { query } }))
}

export type EndCustomer = Awaited<ReturnType<typeof listEndCustomers>>['data'][number]

/** The customers of the wallet's owner, paginated. */
export function endCustomersQuery({ query }: WalletOf, { q, sort }: CustomerChoice) {
  const choice = { ...(q === undefined ? {} : { q }), ...(sort === undefined ? {} : { sort }) }
  return cursorPages([endCustomersKey, query.organization ?? null, 'list', choice], (place) =>
    listEndCustomers({ ...query, ...choice, limit: String(pageSize), ...place }),
  )
}

export function endCustomerQuery({ query }: WalletOf, customerId: string) {
  return queryOptions({
    queryKey: [endCustomersKey, query.organization ?? null, 'one', customerId],
    queryFn: async () =>
      (await dataOf(api.GET('/v1/customers/{customerId}', { params: { path: { customerId }, query } }))).data,
  })
}

/** What a customer used on each of these UTC days. */
export function endCustomerUsageQuery({ query }: WalletOf, customerId: string, { fromMs, toMs }: DayRange) {
  const [from, to] = [utcDay(fromMs), utcDay(toMs - 1)]
  return queryOptions({
    queryKey: [endCustomersKey, query.organization ?? null, 'usage', customerId, from, to],
    queryFn: () =>
      dataOf(
        api.GET('/v1/customers/{customerId}/usage', {
          params: { path: { customerId }, query: { ...query, from, to } },
        }),
      ),
  })
}

/** What the owner of the wallet decides about a customer. */
export interface EndCustomerChange {
  readonly name?: string | null
  readonly daily_limit?: number | null
  readonly monthly_limit?: number | null
  readonly total_limit?: number | null
  readonly markup_basis_points?: number | null
  readonly suspended?: boolean
}

export type NewEndCustomer = Omit<EndCustomerChange, 'suspended'> & { readonly id: string }

export function createEndCustomer({ query }: WalletOf, body: NewEndCustomer) {
  return dataOf(api.POST('/v1/customers', { params: { query }, body }))
}

/** Changes the given settings, and keeps the others. */
export function changeEndCustomer({ query }: WalletOf, customerId: string, body: EndCustomerChange) {
  return dataOf(api.PATCH('/v1/customers/{customerId}', { params: { path: { customerId }, query }, body }))
}

/** The default limits and markup of customers. */
export function customerSettingsQuery({ query }: WalletOf) {
  return queryOptions({
    queryKey: [endCustomersKey, query.organization ?? null, 'settings'],
    queryFn: async () => (await dataOf(api.GET('/v1/customer-settings', { params: { query } }))).data,
  })
}

export type CustomerSettings = Awaited<ReturnType<NonNullable<ReturnType<typeof customerSettingsQuery>['queryFn']>>>

export interface CustomerSettingsChange {
  readonly daily_limit?: number | null
  readonly monthly_limit?: number | null
  readonly total_limit?: number | null
  readonly markup_basis_points?: number
}

export function changeCustomerSettings({ query }: WalletOf, body: CustomerSettingsChange) {
  return dataOf(api.PATCH('/v1/customer-settings', { params: { query }, body }))
}

const readTokens = ({ query }: WalletOf, customerId: string, place: { readonly cursor?: string }) => {
  const params = { path: { customerId }, query: { ...query, limit: '20', ...place } }
  return dataOf(api.GET('/v1/customers/{customerId}/tokens', { params }))
}

export type CustomerToken = Awaited<ReturnType<typeof readTokens>>['data'][number]

/** The tokens of a customer's devices, paginated, without their secrets. */
export function customerTokensQuery(wallet: WalletOf, customerId: string) {
  return cursorPages([endCustomersKey, wallet.query.organization ?? null, 'tokens', customerId], (place) =>
    readTokens(wallet, customerId, place),
  )
}

export function revokeCustomerToken({ query }: WalletOf, customerId: string, customerTokenId: string) {
  const path = { customerId, customerTokenId }
  return api.DELETE('/v1/customers/{customerId}/tokens/{customerTokenId}', { params: { path, query } })
}

/** The URL of a customer's statement as a CSV file. */
export function statementLink({ query }: WalletOf, customerId: string, { fromMs, toMs }: DayRange): string {
  const range = { from: utcDay(fromMs), to: utcDay(toMs - 1) }
  return linkTo('/v1/customers/{customerId}/statement', {
    path: { customerId },
    query: { ...query, ...range, format: 'csv' },
  })
}

const readTransfers = ({ query }: WalletOf, customerId: string, place: { readonly cursor?: string }) => {
  const params = { path: { customerId }, query: { ...query, limit: '10', ...place } }
  return dataOf(api.GET('/v1/customers/{customerId}/transfers', { params }))
}

/** The transfers between the wallet and a customer's balance, paginated, newest first. */
export function customerTransfersQuery(wallet: WalletOf, customerId: string) {
  return cursorPages([endCustomersKey, wallet.query.organization ?? null, 'transfers', customerId], (place) =>
    readTransfers(wallet, customerId, place),
  )
}

export interface BalanceMove {
  /** In USD, digit by digit. */
  readonly amount: string
  readonly to: 'customer' | 'wallet'
}

/** Moves money between the wallet and a customer's balance. Requests with the same idempotency key move it once. */
export function moveCustomerBalance(
  { query }: WalletOf,
  customerId: string,
  { move: { amount, to }, key }: { readonly move: BalanceMove; readonly key: string },
) {
  const params = { path: { customerId }, query, header: { 'Idempotency-Key': key } }
  return dataOf(api.POST('/v1/customers/{customerId}/transfers', { params, body: { amount: amountBody(amount), to } }))
}
