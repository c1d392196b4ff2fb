import { queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export const revenueGroups = ['day', 'model', 'provider', 'customer'] as const
export type RevenueGroup = (typeof revenueGroups)[number]

export type Revenue = Awaited<ReturnType<typeof readRevenue>>
export type RevenueRow = Revenue['data'][number]

function readRevenue(month: string, by: RevenueGroup) {
  const params = { path: { month }, query: { by, limit: 500 } }
  return dataOf(operators.GET('/api/admin/revenue/{month}', { params }))
}

/** What a month brought in and cost. All sums equal the ledger. */
export function revenueQuery(month: string, by: RevenueGroup) {
  return queryOptions({ queryKey: ['operator', 'revenue', month, by], queryFn: () => readRevenue(month, by) })
}

export type AccountingMonth = Awaited<ReturnType<typeof readAccounting>>

function readAccounting(month: string) {
  return dataOf(operators.GET('/api/admin/accounting/{month}', { params: { path: { month } } }))
}

export function accountingQuery(month: string) {
  return queryOptions({ queryKey: ['operator', 'accounting', month], queryFn: () => readAccounting(month) })
}

export type MonthReconciliation = Awaited<ReturnType<typeof readReconciliation>>

function readReconciliation(month: string) {
  return dataOf(operators.GET('/api/admin/accounting/{month}/reconciliation', { params: { path: { month } } }))
}

/** The payment provider's balance transactions of a month beside the bookings. */
export function reconciliationQuery(month: string) {
  return queryOptions({
    queryKey: ['operator', 'accounting', month, 'reconciliation'],
    queryFn: () => readReconciliation(month),
  })
}

export const closedMonthsQuery = queryOptions({
  queryKey: ['operator', 'accounting', 'closed'],
  queryFn: async () => (await dataOf(operators.GET('/api/admin/accounting'))).data,
})

export function closeMonth(month: string) {
  return dataOf(operators.POST('/api/admin/accounting/{month}/close', { params: { path: { month } } }))
}

/** The journal as CSV. */
export function readJournal(month: string): Promise<string> {
  const params = { path: { month } }
  return dataOf(operators.GET('/api/admin/accounting/{month}/journal.csv', { params, parseAs: 'text' }))
}
