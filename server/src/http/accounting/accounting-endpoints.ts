import { Type } from 'typebox'
import { closeMonth, type MonthState, readMonth } from '#control/accounting/close-month.ts'
import { journalCsv } from '#control/accounting/journal-csv.ts'
import { reportProcessorMonth } from '#control/accounting/report-processor-month.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type CalendarMonth, parseMonth } from '#lib/utc-calendar.ts'
import type { Accounting } from '#ports/accounting.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint, EndpointRequest } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { closedMonthsSchema, monthSchema } from './accounting-schema.ts'
import { reconciliationSchema } from './reconciliation-schema.ts'

const common = { tag: 'Operators', access: 'operators.payments' } as const

/** The books of the platform by month, in UTC. */
export function accountingEndpoints(accounting: Accounting): Endpoint[] {
  return [
    {
      ...common,
      access: 'operators.payments.read',
      name: 'listClosedMonths',
      method: 'GET',
      paths: ['/api/admin/accounting'],
      summary: 'List closed months',
      reply: { status: 200, description: 'The closed months, oldest first.', schema: closedMonthsSchema },
      handle: async () => {
        const closed = await accounting.listClosed()
        return {
          body: { data: closed.map(({ month, ...rest }) => ({ month: month.slice(0, 7), ...renderClose(rest) })) },
        }
      },
    },
    {
      ...common,
      access: 'operators.payments.read',
      name: 'getAccountingMonth',
      method: 'GET',
      paths: ['/api/admin/accounting/:month'],
      summary: 'Get the books of a month',
      description:
        'Double-entry sums of all bookings, the credit of customers, and the tax of documents by country and rate. Bookings count in the month in which they were made, in UTC.',
      reply: { status: 200, description: 'The books now, and as they were closed.', schema: monthSchema },
      errors: ['notFound'],
      handle: async (request) => ({ body: renderMonth(await readMonth(accounting, accountingMonthOf(request))) }),
    },
    {
      ...common,
      access: 'operators.payments.read',
      name: 'downloadJournal',
      method: 'GET',
      paths: ['/api/admin/accounting/:month/journal.csv'],
      summary: 'Download the journal of a month as CSV',
      reply: {
        status: 200,
        description: 'One line for each sum, with the accounts it debits and credits.',
        schema: Type.String(),
        contentTypes: ['text/csv'],
      },
      errors: ['notFound'],
      handle: async (request) => {
        const { books } = await readMonth(accounting, accountingMonthOf(request))
        const headers = { 'content-disposition': `attachment; filename="journal-${String(books['month'])}.csv"` }
        return { headers, stream: { contentType: 'text/csv; charset=utf-8', chunks: journalCsv(books) } }
      },
    },
    reconcileEndpoint(accounting),
    {
      ...common,
      name: 'closeAccountingMonth',
      method: 'POST',
      paths: ['/api/admin/accounting/:month/close'],
      summary: 'Close a month',
      description: 'Stores the books of a past month. A closed month never changes.',
      reply: { status: 200, description: 'The closed month.', schema: monthSchema },
      errors: ['notFound', 'conflict', 'malformedRequest'],
      handle: async (request) => {
        const month = accountingMonthOf(request)
        await closeMonth(accounting, month, changeAuthorOf(request))
        return { body: renderMonth(await readMonth(accounting, month)) }
      },
    },
  ]
}

function reconcileEndpoint(accounting: Accounting): Endpoint {
  return {
    ...common,
    access: 'operators.payments.read',
    name: 'reconcileAccountingMonth',
    method: 'GET',
    paths: ['/api/admin/accounting/:month/reconciliation'],
    summary: 'Reconcile a month with payment providers',
    description:
      "The balance transactions of payment providers in a month in UTC, beside the bookings, each record that differs, and the providers' payouts.",
    reply: { status: 200, description: 'Both sides of the month.', schema: reconciliationSchema },
    errors: ['notFound'],
    handle: async (request) => ({ body: await reportProcessorMonth(accounting, accountingMonthOf(request)) }),
  }
}

export function accountingMonthOf(request: EndpointRequest): CalendarMonth {
  const month = parseMonth(referenceOf(request, 'month'))
  if (month === undefined) throw new GatewayError('notFound', { message: 'A month is written as 2027-01.' })
  return month
}

function renderMonth({ books, closed, agrees }: MonthState): JsonObject {
  return {
    books,
    closed: closed === null ? null : { ...renderClose(closed), books: parseBooks(closed.journal) },
    agrees,
  }
}

function renderClose({ closedAtMs, sha256 }: { readonly closedAtMs: number; readonly sha256: string }): JsonObject {
  return { closed_at: new Date(closedAtMs).toISOString(), sha256 }
}

function parseBooks(journal: string): JsonObject {
  const books: unknown = JSON.parse(journal)
  return isJsonObject(books) ? books : {}
}
