import { Type } from 'typebox'
import { missingEndCustomer } from '#control/end-customers/change-end-customer.ts'
import { openCustomersToRead } from '#control/end-customers/open-customers.ts'
import { formatUsd, nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { byteOrderMark, csvLine } from '#lib/csv-line.ts'
import { dateOf, dayMs } from '#lib/utc-calendar.ts'
import type { DayRange, EndCustomers, StatementLine } from '#ports/end-customers.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { Endpoint } from '../endpoint.ts'
import { momentOf, type Query, referenceOf, refuseValue, scopeQuestionOf, textOf } from '../request-values.ts'
import { ofOrganization, usd } from '../schema-types.ts'

interface StatementEndpointDeps {
  readonly endCustomers: Pick<EndCustomers, 'readStatement'>
  readonly memberships: Memberships
}

const wanted = (description: string) => Type.Optional(Type.String({ description }))
const query = Type.Object({
  organization: ofOrganization,
  from: wanted('First UTC day, such as 2026-11-01. Defaults to 29 days before `to`.'),
  to: wanted('Last UTC day. Defaults to today. At most 30 days after `from`.'),
  format: wanted('`json` or `csv`. Defaults to `json`.'),
})
const price = usd('Cost with your markup, each request rounded up to a nano-dollar')
const schema = Type.Object({
  data: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      model: Type.String(),
      requests: Type.Integer(),
      tokens: Type.Integer({ description: 'Prompt and completion tokens.' }),
      price,
    }),
  ),
  total: Type.Object({ requests: Type.Integer(), tokens: Type.Integer(), price }),
})

/** The amount that a customer owes to the wallet's owner. The wallet itself pays the cost without the markup. */
export function customerStatementEndpoint({ endCustomers, memberships }: StatementEndpointDeps): Endpoint {
  return {
    name: 'getCustomerStatement',
    method: 'GET',
    paths: ['/v1/customers/:customerId/statement'],
    tag: 'Account',
    access: 'customers.read',
    summary: "Get a customer's statement",
    description: 'Sums the `customer_price` of requests by UTC day and model.',
    query,
    reply: {
      status: 200,
      description: 'The days and models with requests, and the total.',
      schema,
      contentTypes: ['application/json', 'text/csv'],
    },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const range = rangeOf(request.query, request.nowMs)
      const format = formatOf(request.query)
      const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
      const which = { account, externalId: referenceOf(request, 'customerId') }
      const statement = await endCustomers.readStatement(which, range)
      if (statement === null) throw missingEndCustomer()
      const { lines, keptFrom } = statement
      if (range.from < keptFrom) throw refuseValue('from', `${keptFrom} or later: earlier requests are not kept`)
      if (format === 'json') return { body: render(lines) }
      const headers = { 'content-disposition': `attachment; filename="statement-${range.from}-${range.to}.csv"` }
      return { headers, stream: { contentType: 'text/csv; charset=utf-8', chunks: statementCsv(lines) } }
    },
  }
}

const daysMax = 31

/** A statement sums single requests, so its range is shorter than that of usage. */
function rangeOf(asked: Query, nowMs: number): DayRange {
  const toMs = momentOf(asked, 'to') ?? nowMs
  const fromMs = momentOf(asked, 'from') ?? toMs - 29 * dayMs
  const [from, to] = [dateOf(fromMs), dateOf(toMs)]
  if (from > to || toMs - fromMs >= daysMax * dayMs) throw refuseValue('from', 'at most 30 days before to')
  return { from, to }
}

function formatOf(asked: Query): 'json' | 'csv' {
  const format = textOf(asked, 'format') ?? 'json'
  if (format !== 'json' && format !== 'csv') throw refuseValue('format', 'json or csv')
  return format
}

function render(lines: readonly StatementLine[]) {
  const sumOf = (name: 'requests' | 'tokens') => lines.reduce((sum, line) => sum + line[name], 0)
  const sum = nanoUsd(lines.reduce((total, line) => total + line.price, 0n))
  return {
    data: lines.map(({ day, model, requests, tokens, price: asked }) => ({
      date: day,
      model,
      requests,
      tokens,
      price: usdJson(asked),
    })),
    total: { requests: sumOf('requests'), tokens: sumOf('tokens'), price: usdJson(sum) },
  }
}

async function* statementCsv(lines: readonly StatementLine[]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(['date', 'model', 'requests', 'tokens', 'price_usd'])
  for (const { day, model, requests, tokens, price: asked } of lines) {
    yield csvLine([day, model, requests, tokens, formatUsd(asked)])
  }
}
