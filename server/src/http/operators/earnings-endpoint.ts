import { type DayRange, dateOf, dayMs, endOf, parseDate, startOf } from '#lib/utc-calendar.ts'
import { type EarningsGroup, earningsGroups, type EarningsReads } from '#ports/earnings.ts'
import type { Endpoint } from '../endpoint.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { earningsQuerySchema, earningsSchema } from './earnings-schema.ts'
import { renderEarningsRow, renderSums } from './render-earnings.ts'

const rowsMax = 1_000

/** What customers were charged, and what their requests cost at providers. */
export function earningsEndpoint(earnings: EarningsReads): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.payments.read',
    name: 'getEarnings',
    method: 'GET',
    paths: ['/api/admin/earnings'],
    summary: 'Get charges, provider cost and margin',
    description:
      'Sums over all customers by day, model, provider or customer, in UTC. They are at most a few seconds behind. Requests that used a BYOK key of an organization have no provider cost.',
    query: earningsQuerySchema,
    reply: { status: 200, description: 'The groups with the highest charges first.', schema: earningsSchema },
    errors: ['malformedRequest'],
    handle: async ({ query, nowMs }) => {
      const range = rangeOf(query, nowMs)
      const by = earningsGroupOf(query)
      const { total, rows } = await earnings.sum({ range, by, limit: limitOf(query, { fallback: 100, max: rowsMax }) })
      return {
        body: {
          from: dateOf(range.startMs),
          to: dateOf(range.endMs - dayMs),
          by,
          total: renderSums(total),
          data: rows.map((row) => renderEarningsRow(row)),
        },
      }
    },
  }
}

/** The current month, if no day is given. */
function rangeOf(query: Query, nowMs: number): DayRange {
  const startMs = dayOf(query, 'from') ?? startOf('month', nowMs)
  const lastMs = dayOf(query, 'to')
  const endMs = lastMs === null ? Math.max(endOf('day', nowMs), startMs + dayMs) : lastMs + dayMs
  if (startMs >= endMs) throw refuseValue('to', 'a date that is not before from')
  return { startMs, endMs }
}

function dayOf(query: Query, name: string): number | null {
  const text = textOf(query, name)
  if (text === null) return null
  const day = parseDate(text)
  if (day === undefined) throw refuseValue(name, 'a date such as 2027-01-31')
  return day
}

export function earningsGroupOf(query: Query): EarningsGroup {
  const text = textOf(query, 'by') ?? 'day'
  const group = earningsGroups.find((known) => known === text)
  if (group === undefined) throw refuseValue('by', `one of ${earningsGroups.join(', ')}`)
  return group
}
