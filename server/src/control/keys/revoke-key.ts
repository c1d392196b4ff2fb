import { isUuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyHolder } from '#ports/keys.ts'
import { announceKey } from './announce-key.ts'
import type { KeyDeps } from './change-key.ts'
import { missingKey } from './read-keys.ts'

/** Permanently revokes a key. Running requests finish and are charged; its usage is retained. */
export async function revokeKey(
  { keys, announce }: KeyDeps,
  which: { keyId: string; account: KeyHolder | null },
  author: ChangeAuthor,
): Promise<void> {
  const { keyId, account } = which
  const revoked = isUuid(keyId) ? await keys.revoke({ keyId, account }, author) : 'missing'
  if (revoked === 'missing') throw missingKey(keyId)
  await announceKey(announce, revoked, keyId)
}
