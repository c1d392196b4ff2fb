import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { OwnData } from '#ports/own-data.ts'

/**
 * Permanently deletes an account. Its payments and credits stay in the ledger, under an id that identifies no person.
 */
export async function deletePerson(
  deps: { ownData: Pick<OwnData, 'erase'>; announce: Announce },
  userId: Uuid,
  author: ChangeAuthor,
): Promise<void> {
  const erased = await deps.ownData.erase(userId, author)
  if (erased === 'missing') throw new GatewayError('notFound', { message: 'User not found.' })
  if (erased === 'last owner') {
    throw new GatewayError('conflict', {
      message: 'You are the last owner of this platform. Give another operator the role owner first.',
    })
  }
  if ('soleAdminOf' in erased) {
    throw new GatewayError('conflict', {
      message: `You are the only org_admin of ${erased.soleAdminOf.join(', ')}. Give another member the role org_admin first.`,
    })
  }
  await deps.announce({ userId })
  for (const organizationId of erased.organizationIds) await deps.announce({ organizationId })
}
