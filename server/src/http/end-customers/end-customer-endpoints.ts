import {
  changeEndCustomer,
  createEndCustomer,
  type EndCustomerDeps,
  missingEndCustomer,
  readEndCustomer,
} from '#control/end-customers/change-end-customer.ts'
import { parseEndCustomerChange, parseNewEndCustomer } from '#control/end-customers/end-customer-bodies.ts'
import { openCustomersToChange, openCustomersToRead } from '#control/end-customers/open-customers.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { dateOf, dayMs } from '#lib/utc-calendar.ts'
import type { DayRange, EndCustomerReference } from '#ports/end-customers.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint, EndpointRequest } from '../endpoint.ts'
import { customerTransferEndpoints } from './customer-transfer-endpoint.ts'
import { cursorText, pageRequestOf, type PageRules } from '../page-query.ts'
import { momentOf, type Query, referenceOf, refuseValue, scopeQuestionOf } from '../request-values.ts'
import {
  endCustomerChangeSchema,
  endCustomerListSchema,
  endCustomerQuerySchema,
  endCustomerSchema,
  endCustomerScopeSchema,
  endCustomerUsageQuerySchema,
  endCustomerUsageSchema,
  newEndCustomerSchema,
  renderDay,
  renderEndCustomer,
} from './end-customer-schema.ts'

interface EndCustomerEndpointDeps extends EndCustomerDeps {
  readonly memberships: Memberships
}

const path = '/v1/customers'
const reading = { tag: 'Account', access: 'customers.read', method: 'GET' } as const
const changing = { tag: 'Account', access: 'customers.manage', query: endCustomerScopeSchema } as const
const pages: PageRules<'created'> = { sorts: { created: 'time' }, usual: '-created' }
const firstPage = { sort: 'created', descending: true, search: null, after: null, limit: 20 } as const

/** The customers of a product that is built on the gateway: created, limited, funded, suspended and billed. */
export function endCustomerEndpoints(deps: EndCustomerEndpointDeps): Endpoint[] {
  return [
    listEndpoint(deps),
    getEndpoint(deps),
    usageEndpoint(deps),
    createEndpoint(deps),
    changeEndpoint(deps),
    ...customerTransferEndpoints(deps),
  ]
}

function listEndpoint({ endCustomers, memberships }: EndCustomerEndpointDeps): Endpoint {
  return {
    ...reading,
    name: 'listEndCustomers',
    paths: [path],
    summary: 'List customers',
    query: endCustomerQuerySchema,
    reply: { status: 200, description: 'A page of customers, newest first.', schema: endCustomerListSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const page = pageRequestOf(request.query, pages) ?? firstPage
      const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
      const { entries, next } = await endCustomers.list(account, page, request.nowMs)
      return { body: { data: entries.map(renderEndCustomer), next_cursor: cursorText(page, next) } }
    },
  }
}

function getEndpoint({ endCustomers, memberships }: EndCustomerEndpointDeps): Endpoint {
  return {
    ...reading,
    name: 'getEndCustomer',
    paths: [`${path}/:customerId`],
    summary: 'Get a customer',
    query: endCustomerScopeSchema,
    reply: { status: 200, description: 'The customer, with limits and spend.', schema: endCustomerSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const which = await whichToRead(memberships, request)
      return { body: { data: renderEndCustomer(await readEndCustomer(endCustomers, which, request.nowMs)) } }
    },
  }
}

function usageEndpoint({ endCustomers, memberships }: EndCustomerEndpointDeps): Endpoint {
  return {
    ...reading,
    name: 'getEndCustomerUsage',
    paths: [`${path}/:customerId/usage`],
    summary: "Get a customer's usage by day",
    query: endCustomerUsageQuerySchema,
    reply: {
      status: 200,
      description: 'Spend, requests and tokens of each day with requests, and their sums.',
      schema: endCustomerUsageSchema,
    },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const range = rangeOf(request.query, request.nowMs)
      const days = await endCustomers.readDays(await whichToRead(memberships, request), range)
      if (days === null) throw missingEndCustomer()
      const spent = nanoUsd(days.reduce((sum, day) => sum + day.spent, 0n))
      const sumOf = (name: 'requests' | 'tokens') => days.reduce((sum, day) => sum + day[name], 0)
      const total = { spent: usdJson(spent), requests: sumOf('requests'), tokens: sumOf('tokens') }
      return { body: { data: days.map(renderDay), total } }
    },
  }
}

function createEndpoint(deps: EndCustomerEndpointDeps): Endpoint {
  return {
    ...changing,
    name: 'createEndCustomer',
    method: 'POST',
    paths: [path],
    summary: 'Create a customer',
    description: 'A request that names an unknown customer creates it too, without limits.',
    body: newEndCustomerSchema,
    reply: { status: 201, description: 'The new customer.', schema: endCustomerSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict', 'tooManyCustomers'],
    handle: async (request) => {
      const account = await openCustomersToChange(deps.memberships, scopeQuestionOf(request))
      const customer = parseNewEndCustomer(request.body)
      const made = await createEndCustomer(deps, { account, customer }, changeAuthorOf(request))
      return { status: 201, body: { data: renderEndCustomer(made) } }
    },
  }
}

function changeEndpoint(deps: EndCustomerEndpointDeps): Endpoint {
  return {
    ...changing,
    name: 'changeEndCustomer',
    method: 'PATCH',
    paths: [`${path}/:customerId`],
    summary: 'Update, limit, suspend or resume a customer',
    body: endCustomerChangeSchema,
    reply: { status: 200, description: 'The updated customer.', schema: endCustomerSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const account = await openCustomersToChange(deps.memberships, scopeQuestionOf(request))
      const which = { account, externalId: referenceOf(request, 'customerId') }
      const change = parseEndCustomerChange(request.body)
      const changed = await changeEndCustomer(deps, { which, change }, changeAuthorOf(request))
      return { body: { data: renderEndCustomer(changed) } }
    },
  }
}

async function whichToRead(memberships: Memberships, request: EndpointRequest): Promise<EndCustomerReference> {
  const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
  return { account, externalId: referenceOf(request, 'customerId') }
}

const earliestMs = Date.UTC(2000, 0, 1)

function rangeOf(query: Query, nowMs: number): DayRange {
  const toMs = momentOf(query, 'to') ?? nowMs
  const fromMs = momentOf(query, 'from') ?? toMs - 29 * dayMs
  if (fromMs < earliestMs) throw refuseValue('from', 'a day from 2000-01-01 on')
  const range = { from: dateOf(fromMs), to: dateOf(toMs) }
  if (range.from > range.to || toMs - fromMs > 366 * dayMs) throw refuseValue('from', 'at most 366 days before to')
  return range
}
