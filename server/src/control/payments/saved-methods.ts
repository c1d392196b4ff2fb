import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { AutoTopUps } from '#ports/auto-top-up.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { PaymentProvider } from '#ports/payments.ts'
import type { CustomerOf, PaymentCustomers, SavedMethod, SavedMethods } from '#ports/saved-methods.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'
import type { PaymentOffer } from './payment-offer.ts'

/** A provider that saves cards. */
export interface KeepingProvider extends PaymentProvider {
  readonly saved: SavedMethods
}

export interface SavedMethodDeps {
  readonly provider: KeepingProvider
  readonly customers: PaymentCustomers
}

/** The first provider that saves cards. Rejects if there is none. */
export function requireSaved(providers: readonly PaymentProvider[]): KeepingProvider {
  const keeping = providers.find(isKeeping)
  if (keeping === undefined) {
    throw new GatewayError('paymentsOff', {
      message: 'Saving cards is not enabled on this gateway. Contact the operator.',
    })
  }
  return keeping
}

export function isKeeping(provider: PaymentProvider): provider is KeepingProvider {
  return provider.saved !== null
}

/** The cards of a wallet. A wallet that never saved a card is unknown to the provider. */
export async function listMethods(deps: SavedMethodDeps, walletId: Uuid): Promise<readonly SavedMethod[]> {
  const customerRef = await deps.customers.find(customerOf(deps.provider, walletId))
  return customerRef === null ? [] : deps.provider.saved.list(customerRef)
}

/** The provider's customer for a wallet. It is created when it is first needed. */
export async function openCustomer({ provider, customers }: SavedMethodDeps, walletId: Uuid): Promise<string> {
  const of = customerOf(provider, walletId)
  const known = await customers.find(of)
  return known ?? customers.add(of, await provider.saved.createCustomer(walletId))
}

/** Opens the provider's page for saving a card. */
export async function openSavingPage(
  deps: SavedMethodDeps & { readonly audit: AuditTrail; readonly offer: Pick<PaymentOffer, 'creditsUrl'> },
  wallet: PayableWallet,
  author: ChangeAuthor,
): Promise<string> {
  const { provider, offer, audit } = deps
  const customerRef = await openCustomer(deps, wallet.walletId)
  const about = `wallet=${wallet.walletId}`
  const pages = {
    successUrl: `${offer.creditsUrl}?card=saved&${about}`,
    cancelUrl: `${offer.creditsUrl}?card=cancelled&${about}`,
  }
  const { url } = await provider.saved.openPage(customerRef, pages)
  await audit.append(walletEntry(wallet, author, { action: 'payment_method.add' }))
  return url
}

/**
 * Removes a card. A card that does not exist, or belongs to another wallet, counts as removed. Automatic top-up with
 * the card is turned off.
 */
export async function removeMethod(
  deps: SavedMethodDeps & { readonly audit: AuditTrail; readonly autoTopUps: Pick<AutoTopUps, 'switchOff'> },
  { wallet, methodRef }: { wallet: PayableWallet; methodRef: string },
  author: ChangeAuthor,
): Promise<void> {
  const customerRef = await deps.customers.find(customerOf(deps.provider, wallet.walletId))
  if (customerRef === null) return
  const entry = walletEntry(wallet, author, { action: 'auto_top_up.off', details: { methodRef } })
  await deps.autoTopUps.switchOff(wallet.walletId, { methodRef, entry })
  await deps.provider.saved.remove(customerRef, methodRef)
  await deps.audit.append(walletEntry(wallet, author, { action: 'payment_method.remove', details: { methodRef } }))
}

export function customerOf({ name, isLive }: PaymentProvider, walletId: Uuid): CustomerOf {
  return { walletId, provider: name, isLive }
}

/** Actions on an organization's wallet are in the organization's audit log. */
export function walletEntry(
  { walletId, organizationId }: PayableWallet,
  { actor, requestId }: ChangeAuthor,
  what: Pick<AuditEntry, 'action' | 'details'>,
): AuditEntry {
  const target = { kind: 'wallet', id: walletId }
  return { chainId: organizationId ?? platformChain, actor, requestId, target, ...what }
}
