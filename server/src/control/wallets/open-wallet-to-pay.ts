import type { Client } from '#domain/access/client.ts'
import { assert } from '#lib/assert.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Memberships } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import { missingWallet } from './open-wallet-to-read.ts'

/** A wallet that a person can add credit to. */
export interface PayableWallet {
  readonly walletId: Uuid
  /** Null for the personal wallet. */
  readonly organizationId: Uuid | null
  readonly userId: Uuid
}

/**
 * The wallet that a signed-in person may pay for, by its id or its owner's id: the person's own, or that of an
 * organization that the person administers. Any other wallet is reported as not found.
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
