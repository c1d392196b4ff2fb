import type { Announce } from '#ports/announce.ts'
import type { ChangedKey } from '#ports/keys.ts'

/** Makes every process drop its cached data of a key, under each of its secrets. */
export async function announceKey(announce: Announce, { secretHashes }: ChangedKey): Promise<void> {
  for (const keyHash of secretHashes) await announce({ keyHash })
}
