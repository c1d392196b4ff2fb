import { Type } from 'typebox'
import type { PaymentOffer } from '#control/payments/payment-offer.ts'
import { listMethods, openSavingPage, removeMethod, requireSaved } from '#control/payments/saved-methods.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { AutoTopUps } from '#ports/auto-top-up.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { PaymentProvider } from '#ports/payments.ts'
import type { PaymentCustomers } from '#ports/saved-methods.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'

export interface SavedMethodEndpointDeps {
  readonly offer: PaymentOffer
  /** Empty means that payments are not configured. */
  readonly providers: readonly PaymentProvider[]
  readonly customers: PaymentCustomers
  readonly memberships: Memberships
  readonly audit: AuditTrail
  readonly autoTopUps: AutoTopUps
}

const path = '/api/wallets/:walletId/payment-methods'

/** Cards that the payment provider stores for a wallet. */
export function savedMethodEndpoints(deps: SavedMethodEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), saveEndpoint(deps), removeEndpoint(deps)]
}

function listEndpoint(deps: SavedMethodEndpointDeps): Endpoint {
  return {
    tag: 'Account',
    access: 'wallet.read',
    name: 'listPaymentMethods',
    method: 'GET',
    paths: [path],
    summary: 'List the saved cards of a wallet',
    reply: {
      status: 200,
      description: 'The saved cards, newest first.',
      schema: Type.Object({ data: Type.Array(method) }),
    },
    errors: ['notFound', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const walletId = await openWalletToRead(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      const methods = await listMethods({ ...deps, provider: requireSaved(deps.providers) }, walletId)
      const data = methods.map(({ ref, brand, last4, expiryMonth, expiryYear }) => ({
        id: ref,
        brand,
        last4,
        expiry_month: expiryMonth,
        expiry_year: expiryYear,
      }))
      return { body: { data } }
    },
  }
}

function saveEndpoint(deps: SavedMethodEndpointDeps): Endpoint {
  return {
    tag: 'Account',
    access: 'wallet.pay',
    name: 'savePaymentMethod',
    method: 'POST',
    paths: [path],
    summary: 'Create a page to save a card',
    reply: {
      status: 201,
      description: "URL of the payment provider's page where the user saves a card.",
      schema: Type.Object({ data: pageOfProvider }),
    },
    errors: ['notFound', 'staleSession', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      requireFreshSession(request)
      const provider = requireSaved(deps.providers)
      const url = await openSavingPage({ ...deps, provider }, wallet, changeAuthorOf(request))
      return { status: 201, body: { data: { url } } }
    },
  }
}

function removeEndpoint(deps: SavedMethodEndpointDeps): Endpoint {
  return {
    tag: 'Account',
    access: 'wallet.pay',
    name: 'deletePaymentMethod',
    method: 'DELETE',
    paths: [`${path}/:methodId`],
    summary: 'Remove a saved card',
    reply: { status: 204, description: 'The card was removed from the payment provider.', schema: Type.Null() },
    errors: ['notFound', 'staleSession', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      requireFreshSession(request)
      const provider = requireSaved(deps.providers)
      const methodRef = referenceOf(request, 'methodId')
      await removeMethod({ ...deps, provider }, { wallet, methodRef }, changeAuthorOf(request))
      return { status: 204 }
    },
  }
}

const method = Type.Object(
  {
    id: Type.String({ description: 'ID of the card at the payment provider.' }),
    brand: Type.String({ description: 'Card brand, such as `visa`.' }),
    last4: Type.String({ description: 'Last four digits of the card number.' }),
    expiry_month: Type.Integer({ description: 'Month of expiry, from 1 to 12.' }),
    expiry_year: Type.Integer(),
  },
  { $id: 'PaymentMethod' },
)

const pageOfProvider = Type.Object({ url: Type.String({ description: 'URL of a page at the payment provider.' }) })
