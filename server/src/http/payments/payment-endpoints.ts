import { type BookDeps, followPayment } from '#control/payments/follow-payment.ts'
import { orderTopUp, type OrderDeps } from '#control/payments/order-top-up.ts'
import type { PaymentOffer } from '#control/payments/payment-offer.ts'
import { paymentsOff, providerNamed } from '#control/payments/provider-named.ts'
import { quotePayment } from '#control/payments/quote-payment.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { userOf } from '#domain/access/client.ts'
import { parseUsd, usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { BillingProfiles } from '#ports/billing.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { PaymentProvider, TopUps } from '#ports/payments.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import { limitOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import {
  offerSchema,
  orderSchema,
  quoteQuerySchema,
  quoteSchema,
  topUpListSchema,
  topUpQuerySchema,
  topUpSchema,
} from './payment-schema.ts'
import { renderQuote, renderTopUp } from './render-top-up.ts'

interface PaymentEndpointDeps extends BookDeps, Pick<OrderDeps, 'customers'> {
  readonly offer: PaymentOffer
  /** Empty means that payments are not configured. In order of preference. */
  readonly providers: readonly PaymentProvider[]
  readonly memberships: Memberships
  readonly profiles: Pick<BillingProfiles, 'find'>
}

const common = { tag: 'Account', access: 'wallet.pay' } as const
const pageSizes = { fallback: 20, max: 100 }

/** Buying credit: its price, an order with the provider's page, and the state of an order. */
export function paymentEndpoints(deps: PaymentEndpointDeps): Endpoint[] {
  return [offerEndpoint(deps), quoteEndpoint(deps), orderEndpoint(deps), checkEndpoint(deps), ...readEndpoints(deps)]
}

function offerEndpoint({ offer, providers }: PaymentEndpointDeps): Endpoint {
  const { terms, rates, creditMin, creditMax } = offer
  const all = ['usd', ...rates.keys()] as const
  const currencies = all.filter((currency) => providers.some((provider) => provider.takes(currency)))
  return {
    ...common,
    name: 'getPaymentOffer',
    method: 'GET',
    paths: ['/api/payments'],
    summary: 'Get available payment options',
    reply: { status: 200, description: 'The payment providers, currencies, limits and fees.', schema: offerSchema },
    handle: async () => ({
      body: {
        data: {
          enabled: providers.length > 0,
          test: providers.some(({ isLive }) => !isLive),
          currencies,
          providers: providers.map((provider) => ({
            name: provider.name,
            test: !provider.isLive,
            saves_methods: provider.saved !== null,
            currencies: currencies.filter((currency) => provider.takes(currency)),
          })),
          credit_min: usdJson(creditMin),
          credit_max: usdJson(creditMax),
          fee_percent: terms.feePercent,
          tax_percent: terms.taxPercent,
        },
      },
    }),
  }
}

function quoteEndpoint(deps: PaymentEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'quoteTopUp',
    method: 'GET',
    paths: ['/api/payments/quote'],
    summary: 'Get a quote for a top-up',
    query: quoteQuerySchema,
    reply: { status: 200, description: 'The quote, with one line each for credit, fee and tax.', schema: quoteSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const { query } = request
      const client = clientOf(request)
      const reference = textOf(query, 'wallet') ?? userOf(client) ?? ''
      const { walletId } = await openWalletToPay(deps.memberships, client, reference)
      const buyer = await deps.profiles.find(walletId)
      const wish = { credit: creditIn(query), currency: textOf(query, 'currency') ?? 'usd', buyer }
      return { body: { data: renderQuote(quotePayment(deps.offer, wish)) } }
    },
  }
}

function orderEndpoint(deps: PaymentEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'orderTopUp',
    method: 'POST',
    paths: ['/api/wallets/:walletId/top-ups'],
    summary: 'Order credit for a wallet',
    description: 'For your own wallet, or for an organization that you administer.',
    takesIdempotencyKey: true,
    body: orderSchema,
    reply: {
      status: 201,
      description:
        "The order and its checkout page. The wallet must be the user's own or belong to an organization they administer. Retries with the same `Idempotency-Key` return the same order.",
      schema: topUpSchema,
    },
    errors: ['notFound', 'staleSession', 'topUpLimitReached', 'paymentsOff', 'paymentsUnavailable', 'conflict'],
    handle: async (request) => {
      const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      requireFreshSession(request)
      const { body } = request
      const credit = usdOf(body['amount'])
      if (credit === undefined) throw malformed('amount must be a number in USD with at most two decimals.')
      const currency = body['currency'] ?? 'usd'
      if (typeof currency !== 'string') throw malformed('currency must be a string such as usd.')
      const providerName = body['provider'] ?? null
      if (providerName !== null && typeof providerName !== 'string') throw malformed('provider must be a string.')
      const isSaving = createFieldReader(body).flag('save_method') ?? false
      const asked = JSON.stringify([wallet.walletId, String(credit), currency, providerName, isSaving])
      const buyer = await deps.profiles.find(wallet.walletId)
      const key = idempotencyKeyOf(request, { action: 'orderTopUp', asked })
      const order = { wallet, credit, currency, providerName, buyer, isSaving, request: key }
      const ordered = await orderTopUp(deps, order, changeAuthorOf(request))
      return { status: 201, body: { data: renderTopUp(ordered) } }
    },
  }
}

/** For the page that a payer returns to. The provider's response is booked, not the page's state. */
function checkEndpoint(deps: PaymentEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'checkTopUp',
    method: 'POST',
    paths: ['/api/wallets/:walletId/top-ups/:topUpId/check'],
    summary: 'Check the payment status of an order',
    description: 'Asks the payment provider and records the result.',
    reply: {
      status: 200,
      description: 'The order with the latest status from the payment provider. New payments are posted.',
      schema: topUpSchema,
    },
    errors: ['notFound', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const { walletId } = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      const order = await readTopUp(deps, walletId, request)
      if (order.provider === 'bank') return { body: { data: renderTopUp(order) } }
      const provider = providerNamed(deps.providers, order.provider)
      if (provider === null) throw paymentsOff()
      const followed = await followPayment({ ...deps, provider }, order)
      return { body: { data: renderTopUp(followed.order) } }
    },
  }
}

function readEndpoints(deps: PaymentEndpointDeps): Endpoint[] {
  const reads = { method: 'GET', tag: 'Account', access: 'wallet.read' } as const
  const open = (request: EndpointRequest): Promise<Uuid> =>
    openWalletToRead(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
  const list: Endpoint = {
    ...reads,
    name: 'listTopUps',
    paths: ['/api/wallets/:walletId/top-ups'],
    summary: 'List orders of a wallet',
    query: topUpQuerySchema,
    reply: { status: 200, description: 'A page of orders, newest first.', schema: topUpListSchema },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => {
      const walletId = await open(request)
      return {
        body: await listPage(deps.topUps, request.query, {
          walletId,
          state: null,
          mismatched: false,
          transfers: false,
        }),
      }
    },
  }
  const read: Endpoint = {
    ...reads,
    name: 'getTopUp',
    paths: ['/api/wallets/:walletId/top-ups/:topUpId'],
    summary: 'Get an order',
    reply: { status: 200, description: 'The order.', schema: topUpSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const walletId = await open(request)
      return { body: { data: renderTopUp(await readTopUp(deps, walletId, request)) } }
    },
  }
  return [list, read]
}

type ListQuery = Omit<Parameters<TopUps['list']>[0], 'before' | 'limit'>

/** One page of orders, for clients and operators. */
export async function listPage(topUps: TopUps, query: Query, which: ListQuery) {
  const limit = limitOf(query, pageSizes)
  const before = textOf(query, 'before')
  if (before !== null && !isUuid(before)) throw refuseValue('before', 'a next_cursor from a previous page')
  // One row more than requested tells whether there is a next page.
  const found = await topUps.list({ ...which, before, limit: limit + 1 })
  const last = found.length > limit ? found[limit - 1] : undefined
  return { data: found.slice(0, limit).map(renderTopUp), next_cursor: last?.id ?? null }
}

/** An order of another wallet is reported as not found. */
async function readTopUp({ topUps }: PaymentEndpointDeps, walletId: Uuid, request: EndpointRequest): Promise<TopUp> {
  const id = referenceOf(request, 'topUpId')
  const order = isUuid(id) ? await topUps.find(id) : null
  if (order?.walletId !== walletId) throw new GatewayError('notFound', { message: 'Order not found.' })
  return order
}

function creditIn(query: Query) {
  const text = textOf(query, 'amount') ?? ''
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw refuseValue('amount', 'a USD amount such as 25')
  return parseUsd(text)
}
