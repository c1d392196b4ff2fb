import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { amountBody } from './amount-body.ts'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'
import { keepView } from './shown-view.ts'

export interface CustomerFilter {
  readonly q?: string
  readonly kind?: 'user' | 'organization'
  readonly suspended?: 'true' | 'false'
}

export type CustomerListing = Awaited<ReturnType<typeof listCustomers>>['data'][number]
export type Customer = Awaited<ReturnType<typeof readCustomer>>

const pageSize = '50'

function listCustomers(filter: CustomerFilter, before: string | null) {
  const query = { ...filter, limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/customers', { params: { query } }))
}

async function readCustomer(customerRef: string) {
  return (await dataOf(operators.GET('/api/admin/customers/{customerRef}', { params: { path: { customerRef } } }))).data
}

/** Users and organizations, newest first. */
export function customersQuery(filter: CustomerFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'customers', filter],
    queryFn: ({ pageParam }) => listCustomers(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export function customerQuery(customerRef: string) {
  return queryOptions({
    queryKey: ['operator', 'customers', 'one', customerRef],
    queryFn: () => readCustomer(customerRef),
  })
}

/** Suspends a customer, so that all of its keys get 403, or lifts the suspension. */
export function setSuspended({ kind, id }: Pick<Customer, 'kind' | 'id'>, isSuspended: boolean): Promise<unknown> {
  if (kind === 'user') {
    const params = { path: { userRef: id } }
    return isSuspended
      ? dataOf(operators.POST('/api/admin/users/{userRef}/suspend', { params }))
      : dataOf(operators.POST('/api/admin/users/{userRef}/unsuspend', { params }))
  }
  const params = { path: { organizationRef: id } }
  return isSuspended
    ? dataOf(operators.POST('/api/admin/organizations/{organizationRef}/suspend', { params }))
    : dataOf(operators.POST('/api/admin/organizations/{organizationRef}/unsuspend', { params }))
}

/** Begins a read-only view of the user's console for the pages that this tab loads next. */
export async function beginView(userRef: string, reason: string): Promise<void> {
  const params = { path: { userRef } }
  const { data } = await dataOf(operators.POST('/api/admin/users/{userRef}/view', { params, body: { reason } }))
  keepView({ id: data.id, endsAtMs: Date.parse(data.ends_at), user: data.user })
}

export interface CreditWish {
  readonly amount: string
  readonly source: 'usd' | 'local' | 'grant'
  readonly note: string
}

export function creditCustomer(walletId: string, { amount, source, note }: CreditWish, key: string) {
  const params = { path: { walletRef: walletId }, header: { 'Idempotency-Key': key } }
  const body = { amountUsd: amountBody(amount), source, note }
  return dataOf(operators.POST('/api/admin/wallets/{walletRef}/credit', { params, body }))
}

export function addNote(customerRef: string, text: string) {
  const params = { path: { customerRef } }
  return dataOf(operators.POST('/api/admin/customers/{customerRef}/notes', { params, body: { text } }))
}

export function deleteNote(customerRef: string, noteId: string) {
  const params = { path: { customerRef, noteId } }
  return operators.DELETE('/api/admin/customers/{customerRef}/notes/{noteId}', { params })
}

export type CustomerStatement = Awaited<ReturnType<typeof readStatement>>
export type CustomerTransaction = Awaited<ReturnType<typeof listTransactions>>['data'][number]

async function readStatement(walletRef: string, month: string) {
  const params = { path: { walletRef }, query: { month } }
  return (await dataOf(operators.GET('/api/admin/wallets/{walletRef}/statement', { params }))).data
}

export function statementQuery(walletRef: string, month: string) {
  return queryOptions({
    queryKey: ['operator', 'statement', walletRef, month],
    queryFn: () => readStatement(walletRef, month),
  })
}

interface MomentRange {
  readonly from: string
  readonly to: string
}

function listTransactions(walletRef: string, range: MomentRange, before: string | null) {
  const query = { ...range, limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(
    operators.GET('/api/admin/wallets/{walletRef}/transactions', { params: { path: { walletRef }, query } }),
  )
}

export function transactionsQuery(walletRef: string, range: MomentRange) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'transactions', walletRef, range],
    queryFn: ({ pageParam }) => listTransactions(walletRef, range, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** The open holds of any wallet. */
export function listAnyHolds(walletRef: string, query: { readonly limit: string; readonly before?: string }) {
  return dataOf(operators.GET('/api/admin/wallets/{walletRef}/holds', { params: { path: { walletRef }, query } }))
}
