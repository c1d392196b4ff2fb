import type { Announce } from '#ports/announce.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangedKey } from '#ports/keys.ts'

/** Makes every process drop its cached data of a key, under each of its secrets, and of tokens that act as the key. */
export async function announceKey(announce: Announce, { secretHashes }: ChangedKey, keyId?: Uuid): Promise<void> {
  for (const keyHash of secretHashes) await announce(keyId === undefined ? { keyHash } : { keyHash, keyId })
}
