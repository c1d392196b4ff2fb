import { type Client, userOf } from '#domain/access/client.ts'
import { watchesBill } from '#domain/usage/usage-scope.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Memberships, Place } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import { openKeyAccount } from '../keys/read-keys.ts'

/**
 * The wallet whose ledger a client may read, by its id or its owner's id. A key can read the wallet of its own account;
 * a person also the wallets of organizations in which they have a billing view. Any other wallet is reported as not
 * found.
 */
export async function openWalletToRead(memberships: Memberships, client: Client, reference: string): Promise<Uuid> {
  if (client.kind === 'key') {
    const { walletId } = client.principal
    const account = await openKeyAccount(memberships, client, 'organization.keys.read')
    const ownerId = account.kind === 'user' ? account.userId : account.organizationId
    if (reference === walletId || reference === ownerId) return walletId
    throw missingWallet()
  }
  const { walletId, userId } = client.person
  if (reference === walletId || reference === userId) return walletId
  const place = await findPlace(memberships, client, reference)
  if (place === null) throw missingWallet()
  if (!watchesBill(place.role)) throw forbidden('watches no bill')
  return place.walletId
}

async function findPlace(memberships: Memberships, client: Client, reference: string): Promise<Place | null> {
  const userId = userOf(client)
  if (userId === null || !isUuid(reference)) return null
  const byOwner = await memberships.findPlace({ organizationId: reference, userId })
  return byOwner ?? memberships.findPlaceByWallet({ walletId: reference, userId })
}

export function missingWallet(): GatewayError {
  return new GatewayError('notFound', { message: 'Wallet not found.' })
}
