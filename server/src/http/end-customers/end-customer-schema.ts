import { Type } from 'typebox'
import { type EndCustomerLimits, externalIdRule } from '#domain/end-customers/end-customer.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { BookedCustomerTransfer, EndCustomerDay, EndCustomerRecord } from '#ports/end-customers.ts'
import { nextCursor } from '../page-query.ts'
import { ofOrganization, optionalText, optionalUsd, usd } from '../schema-types.ts'

export const limitFields = {
  daily_limit: optionalUsd('Limit per UTC day, or null for none'),
  monthly_limit: optionalUsd('Limit per calendar month (UTC), or null for none'),
  total_limit: optionalUsd('Limit over the whole life of the customer, or null for none'),
}
const markup = Type.Union([Type.Integer({ minimum: 0, maximum: 100_000 }), Type.Null()], {
  description: 'Markup of this customer on the cost, in basis points (250 is 2.5 %). Null for your default.',
})
const prepaid = Type.Boolean({
  description:
    "Whether requests are paid from the customer's balance alone. The first transfer to the customer sets it. You can set it to false only if the balance is empty.",
})
const name = optionalText('A name for your own lists. Null for none.')

export const newEndCustomerSchema = Type.Object({
  id: Type.String({ description: `Your own id of the customer: ${externalIdRule}.` }),
  ...Type.Partial(Type.Object({ name, ...limitFields, prepaid })).properties,
})

export const endCustomerChangeSchema = Type.Partial(
  Type.Object({
    name,
    ...limitFields,
    suspended: Type.Boolean({ description: 'Whether requests that name the customer are rejected with 403.' }),
    markup_basis_points: markup,
    prepaid,
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

export const endCustomerPageSchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of entries per page, from 1 to 100. Defaults to 20.'),
  cursor: wanted('`next_cursor` of the previous page.'),
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
  markup_basis_points: markup,
  prepaid,
  balance: optionalUsd("The customer's balance, or null if requests are paid from the wallet"),
  balance_held: optionalUsd('The part of the balance that running requests hold, or null'),
  created_at: Type.String({ format: 'date-time' }),
  spent_today: usd('Spent in the current UTC day'),
  spent_this_month: usd('Spent in the current calendar month (UTC)'),
  spent: usd('Spent in total'),
  requests: Type.Integer({ description: 'Number of requests in total.' }),
})

export const endCustomerSchema = Type.Object({ data: endCustomerFields })
export const endCustomerListSchema = Type.Object({ data: Type.Array(endCustomerFields), next_cursor: nextCursor })

export const customerTransferSchema = Type.Object({
  amount: usd('Amount to move, greater than zero'),
  to: Type.Union([Type.Literal('customer'), Type.Literal('wallet')], {
    description: '`customer` adds the amount to the balance of the customer, `wallet` takes it back.',
  }),
})

export const customerTransferReplySchema = Type.Object({
  data: Type.Object({
    transaction_id: Type.String({ description: 'ID of the ledger transaction.' }),
    customer: endCustomerFields,
  }),
})

export const customerTransferQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of transfers per page, from 1 to 100. Defaults to 20.'),
  cursor: wanted('`next_cursor` of the previous page.'),
})

export const customerTransferListSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      transaction_id: Type.String({ description: 'ID of the ledger transaction.' }),
      to: Type.Union([Type.Literal('customer'), Type.Literal('wallet')]),
      amount: usd('Transferred amount'),
      created_at: Type.String({ format: 'date-time' }),
    }),
  ),
  next_cursor: nextCursor,
})

export function renderTransfer({ id, to, amount, bookedAtMs }: BookedCustomerTransfer): JsonObject {
  return { transaction_id: id, to, amount: usdJson(amount), created_at: new Date(bookedAtMs).toISOString() }
}

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
  const { externalId, name: shown, limits, suspended, markup: basisPoints, balance, createdAtMs } = customer
  return {
    id: externalId,
    name: shown,
    ...renderLimits(limits),
    suspended,
    markup_basis_points: basisPoints,
    prepaid: balance !== null,
    balance: nullableUsdJson(balance?.amount ?? null),
    balance_held: nullableUsdJson(balance?.held ?? null),
    created_at: new Date(createdAtMs).toISOString(),
  }
}

export function renderDay({ day, spent, requests, tokens }: EndCustomerDay): JsonObject {
  return { date: day, spent: usdJson(spent), requests, tokens }
}

export function renderLimits({ day, month, total }: EndCustomerLimits): JsonObject {
  return {
    daily_limit: nullableUsdJson(day),
    monthly_limit: nullableUsdJson(month),
    total_limit: nullableUsdJson(total),
  }
}
