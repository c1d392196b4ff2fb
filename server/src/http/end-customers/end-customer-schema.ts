import { Type } from 'typebox'
import { externalIdRule } from '#domain/end-customers/end-customer.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { EndCustomerDay, EndCustomerRecord } from '#ports/end-customers.ts'
import { nextCursor } from '../page-query.ts'
import { ofOrganization, optionalText, optionalUsd, usd } from '../schema-types.ts'

const limitFields = {
  daily_limit: optionalUsd('Limit per UTC day, or null for none'),
  monthly_limit: optionalUsd('Limit per calendar month (UTC), or null for none'),
  total_limit: optionalUsd('Limit over the whole life of the customer, or null for none'),
}
const name = optionalText('A name for your own lists. Null for none.')

export const newEndCustomerSchema = Type.Object({
  id: Type.String({ description: `Your own id of the customer: ${externalIdRule}.` }),
  ...Type.Partial(Type.Object({ name, ...limitFields })).properties,
})

export const endCustomerChangeSchema = Type.Partial(
  Type.Object({
    name,
    ...limitFields,
    suspended: Type.Boolean({ description: 'Whether requests that name the customer are rejected with 403.' }),
  }),
)

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const endCustomerScopeSchema = Type.Object({ organization: ofOrganization })

export const endCustomerQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of customers per page, from 1 to 100. Defaults to 20.'),
  cursor: wanted('`next_cursor` of the previous page.'),
  q: wanted('Returns customers whose id begins with it.'),
  sort: wanted('`created` or `-created`. Defaults to `-created`, the newest first.'),
})

export const endCustomerUsageQuerySchema = Type.Object({
  organization: ofOrganization,
  from: wanted('First UTC day, such as 2026-11-01. Defaults to 29 days before `to`.'),
  to: wanted('Last UTC day. Defaults to today. At most 366 days after `from`.'),
})

const endCustomerFields = Type.Object({
  id: Type.String({ description: 'Your own id of the customer.' }),
  name,
  ...limitFields,
  suspended: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  spent_today: usd('Spent in the current UTC day'),
  spent_this_month: usd('Spent in the current calendar month (UTC)'),
  spent: usd('Spent in total'),
  requests: Type.Integer({ description: 'Number of requests in total.' }),
})

export const endCustomerSchema = Type.Object({ data: endCustomerFields })
export const endCustomerListSchema = Type.Object({ data: Type.Array(endCustomerFields), next_cursor: nextCursor })

export const endCustomerUsageSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      spent: usd('Spent on this UTC day'),
      requests: Type.Integer(),
      tokens: Type.Integer({ description: 'Prompt and completion tokens.' }),
    }),
  ),
  total: Type.Object({ spent: usd('Sum of the days'), requests: Type.Integer(), tokens: Type.Integer() }),
})

export function renderEndCustomer(customer: EndCustomerRecord): JsonObject {
  const { spent, requests } = customer
  return {
    ...renderSettings(customer),
    spent_today: usdJson(spent.day),
    spent_this_month: usdJson(spent.month),
    spent: usdJson(spent.total),
    requests,
  }
}

export function renderSettings(customer: Omit<EndCustomerRecord, 'id' | 'spent' | 'requests'>): JsonObject {
  const { externalId, name: shown, limits, suspended, createdAtMs } = customer
  return {
    id: externalId,
    name: shown,
    daily_limit: nullableUsdJson(limits.day),
    monthly_limit: nullableUsdJson(limits.month),
    total_limit: nullableUsdJson(limits.total),
    suspended,
    created_at: new Date(createdAtMs).toISOString(),
  }
}

export function renderDay({ day, spent, requests, tokens }: EndCustomerDay): JsonObject {
  return { date: day, spent: usdJson(spent), requests, tokens }
}
