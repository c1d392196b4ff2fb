import { type EndCustomerDeps, missingEndCustomer } from '#control/end-customers/change-end-customer.ts'
import { moveCustomerBalance, parseCustomerTransfer } from '#control/end-customers/move-customer-balance.ts'
import { openCustomersToChange, openCustomersToRead } from '#control/end-customers/open-customers.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import { idOf, limitOf, referenceOf, scopeQuestionOf } from '../request-values.ts'
import {
  customerTransferListSchema,
  customerTransferQuerySchema,
  customerTransferReplySchema,
  customerTransferSchema,
  endCustomerScopeSchema,
  renderEndCustomer,
  renderTransfer,
} from './end-customer-schema.ts'

interface TransferEndpointDeps extends EndCustomerDeps {
  readonly memberships: Memberships
}

const path = '/v1/customers/:customerId/transfers'

/** Moves money between a wallet and the balance of one of its customers, and lists these transfers. */
export function customerTransferEndpoints(deps: TransferEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), moveEndpoint(deps)]
}

function listEndpoint({ endCustomers, memberships }: TransferEndpointDeps): Endpoint {
  return {
    tag: 'Account',
    access: 'customers.read',
    name: 'listCustomerTransfers',
    method: 'GET',
    paths: [path],
    summary: "List the transfers of a customer's balance",
    query: customerTransferQuerySchema,
    reply: {
      status: 200,
      description: 'A page of transfers, newest first, without charges of requests.',
      schema: customerTransferListSchema,
    },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const page = {
        before: idOf(request.query, 'cursor', 'a next_cursor from a previous page'),
        limit: limitOf(request.query, { fallback: 20, max: 100 }),
      }
      const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
      const listed = await endCustomers.listTransfers({ account, externalId: referenceOf(request, 'customerId') }, page)
      if (listed === null) throw missingEndCustomer()
      return { body: { data: listed.entries.map(renderTransfer), next_cursor: listed.next } }
    },
  }
}

function moveEndpoint(deps: TransferEndpointDeps): Endpoint {
  return {
    tag: 'Account',
    access: 'customers.manage',
    name: 'moveCustomerBalance',
    method: 'POST',
    paths: [path],
    summary: "Add money to a customer's balance, or take it back",
    description:
      "The first transfer makes the customer prepaid: requests are then paid from the customer's balance alone. A retry with the same `Idempotency-Key` moves no more money.",
    takesIdempotencyKey: true,
    query: endCustomerScopeSchema,
    body: customerTransferSchema,
    reply: {
      status: 201,
      description: 'The transaction, and the updated customer.',
      schema: customerTransferReplySchema,
    },
    errors: ['missingRequiredField', 'notFound', 'conflict', 'insufficientCredits'],
    handle: async (request) => {
      const account = await openCustomersToChange(deps.memberships, scopeQuestionOf(request))
      const which = { account, externalId: referenceOf(request, 'customerId') }
      const terms = parseCustomerTransfer(request.body)
      const asked = JSON.stringify([account, which.externalId, String(terms.amount), terms.to])
      const transfer = { ...terms, request: idempotencyKeyOf(request, { action: 'moveCustomerBalance', asked }) }
      const { id, customer } = await moveCustomerBalance(deps, { which, transfer }, changeAuthorOf(request))
      return { status: 201, body: { data: { transaction_id: id, customer: renderEndCustomer(customer) } } }
    },
  }
}
