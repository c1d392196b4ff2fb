import type { Client } from '#domain/access/client.ts'
import { assert } from '#lib/assert.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import { missingWallet } from './open-wallet-to-read.ts'

/** A wallet that a person brings credit to. */
export interface PayableWallet {
  readonly walletId: Uuid
  /** Null: the personal wallet. */
  readonly organizationId: Uuid | null
  readonly userId: Uuid
}

/**
 * The wallet that a signed-in person may pay for, named by its id or by that of its owner: the own one, or that of an
 * organization whose administrator the person is. Wallets of others are answered as if they never were.
 */
export async function openWalletToPay(
  memberships: Memberships,
  client: Client,
  reference: string,
): Promise<PayableWallet> {
  assert(client.kind === 'session', 'only people pay')
  const { walletId, userId } = client.person
  if (reference === walletId || reference === userId) return { walletId, organizationId: null, userId }
  if (!isUuid(reference)) throw missingWallet()
  const byOwner = await memberships.findPlace({ organizationId: reference, userId })
  const place = byOwner ?? (await memberships.findPlaceByWallet({ walletId: reference, userId }))
  if (place === null) throw missingWallet()
  if (place.role !== 'org_admin') throw forbidden('is no administrator')
  return { walletId: place.walletId, organizationId: place.organizationId, userId }
}
