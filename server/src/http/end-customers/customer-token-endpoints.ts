import { Type } from 'typebox'
import { missingEndCustomer } from '#control/end-customers/change-end-customer.ts'
import {
  createCustomerToken,
  type CustomerTokenDeps,
  parseNewToken,
  revokeCustomerToken,
} from '#control/end-customers/customer-tokens.ts'
import { openCustomersToChange, openCustomersToRead } from '#control/end-customers/open-customers.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { cursorText, pageRequestOf, type PageRules } from '../page-query.ts'
import { referenceOf, scopeQuestionOf } from '../request-values.ts'
import {
  createdTokenSchema,
  newTokenSchema,
  renderToken,
  renderTokenSettings,
  tokenListSchema,
} from './customer-token-schema.ts'
import { endCustomerPageSchema, endCustomerScopeSchema } from './end-customer-schema.ts'

interface TokenEndpointDeps extends CustomerTokenDeps {
  readonly memberships: Memberships
}

const path = '/v1/customers/:customerId/tokens'
const common = { tag: 'Account', query: endCustomerScopeSchema } as const
const pages: PageRules<'created'> = { sorts: { created: 'time' }, usual: '-created' }
const firstPage = { sort: 'created', descending: true, search: null, after: null, limit: 20 } as const

/** Tokens for the browsers and phones of customers. */
export function customerTokenEndpoints(deps: TokenEndpointDeps): Endpoint[] {
  return [createEndpoint(deps), listEndpoint(deps), revokeEndpoint(deps)]
}

function createEndpoint(deps: TokenEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'createCustomerToken',
    method: 'POST',
    paths: [path],
    access: 'customers.manage',
    summary: 'Create a customer token',
    description:
      'For browsers and phones. The token calls chat completions and embeddings as one of your keys, always for this customer, and reads the receipts of the customer.',
    body: newTokenSchema,
    reply: { status: 201, description: 'The token. It is shown only once.', schema: createdTokenSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict'],
    handle: async (request) => {
      const account = await openCustomersToChange(deps.memberships, scopeQuestionOf(request))
      const which = { account, externalId: referenceOf(request, 'customerId') }
      const terms = parseNewToken(request.body)
      const made = await createCustomerToken(deps, { which, terms }, changeAuthorOf(request))
      return { status: 201, body: { data: { ...renderTokenSettings(made), token: made.secret } } }
    },
  }
}

function listEndpoint({ tokens, memberships }: TokenEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'listCustomerTokens',
    method: 'GET',
    paths: [path],
    access: 'customers.read',
    summary: "List a customer's tokens",
    query: endCustomerPageSchema,
    reply: {
      status: 200,
      description: 'A page of tokens, newest first, without their secrets. Tokens are deleted a day after they expire.',
      schema: tokenListSchema,
    },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const page = pageRequestOf(request.query, pages) ?? firstPage
      const account = await openCustomersToRead(memberships, scopeQuestionOf(request))
      const listed = await tokens.list({ account, externalId: referenceOf(request, 'customerId') }, page)
      if (listed === null) throw missingEndCustomer()
      return { body: { data: listed.entries.map(renderToken), next_cursor: cursorText(page, listed.next) } }
    },
  }
}

function revokeEndpoint(deps: TokenEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'revokeCustomerToken',
    method: 'DELETE',
    paths: [`${path}/:customerTokenId`],
    access: 'customers.manage',
    summary: "Revoke a customer's token",
    reply: { status: 204, description: 'The token was revoked.', schema: Type.Null() },
    errors: ['notFound'],
    handle: async (request) => {
      const account = await openCustomersToChange(deps.memberships, scopeQuestionOf(request))
      const which = { account, externalId: referenceOf(request, 'customerId') }
      const tokenId = referenceOf(request, 'customerTokenId')
      await revokeCustomerToken(deps, { which, tokenId }, changeAuthorOf(request))
      return { status: 204 }
    },
  }
}
