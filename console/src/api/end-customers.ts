import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type DayRange, utcDay } from '../lib/utc-days.ts'
import { api, dataOf } from './client.ts'

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
  return infiniteQueryOptions({
    queryKey: [endCustomersKey, query.organization ?? null, 'list', choice],
    queryFn: ({ pageParam }) =>
      listEndCustomers({
        ...query,
        ...choice,
        limit: String(pageSize),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  })
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
