import { restOf, splitRevenue } from '#control/accounting/split-revenue.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { dateOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import type { Accounting, MonthRevenue } from '#ports/accounting.ts'
import type { EarningsGroup } from '#ports/earnings.ts'
import type { Endpoint } from '../endpoint.ts'
import { earningsGroupOf } from '../operators/earnings-endpoint.ts'
import { renderEarningsRow, renderSums } from '../operators/render-earnings.ts'
import { limitOf } from '../request-values.ts'
import { accountingMonthOf } from './accounting-endpoints.ts'
import { revenueQuerySchema, revenueSchema } from './revenue-schema.ts'

const rowsMax = 1_000

/** What a month brought in and cost, from one snapshot of the ledger and of the sums of requests. */
export function revenueEndpoint(accounting: Pick<Accounting, 'readRevenue'>): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.payments.read',
    name: 'getRevenue',
    method: 'GET',
    paths: ['/api/admin/revenue/:month'],
    summary: 'Get the revenue of a month',
    description:
      'Usage, fees, cost, margin, deferred credit and tax of a month in UTC. All sums equal the ledger; the groups, `others` and `unattributed` sum to `usage`.',
    query: revenueQuerySchema,
    reply: { status: 200, description: 'The sums of the month, and its groups.', schema: revenueSchema },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => {
      const range = rangeOfMonth(accountingMonthOf(request))
      const by = earningsGroupOf(request.query)
      const limit = limitOf(request.query, { fallback: 100, max: rowsMax })
      const revenue = await accounting.readRevenue({ range, by, limit })
      return { body: render(dateOf(range.startMs).slice(0, 7), by, revenue) }
    },
  }
}

function render(month: string, by: EarningsGroup, { books, total, rows }: MonthRevenue): JsonObject {
  const sums = splitRevenue(books.entries)
  const { others, unattributed } = restOf(sums.usage, { total, rows })
  return {
    month,
    usage: usdJson(sums.usage),
    fees: usdJson(sums.fees),
    provider_cost: usdJson(sums.providerCost),
    margin: usdJson(nanoUsd(sums.usage - sums.providerCost)),
    promotions: usdJson(sums.promotions),
    bad_debts: usdJson(sums.badDebts),
    processing: usdJson(sums.processing),
    result: usdJson(sums.result),
    received: usdJson(sums.received),
    tax: usdJson(sums.tax),
    deferred_credit: { before: usdJson(books.creditBefore), after: usdJson(books.creditAfter) },
    taxes: books.taxes.map(({ net, tax, ...row }) => ({ ...row, net: usdJson(net), tax: usdJson(tax) })),
    by,
    data: rows.map(renderEarningsRow),
    others: renderSums(others),
    unattributed: usdJson(unattributed),
  }
}
