import type { Announce } from '#ports/announce.ts'
import type { ChangedKey } from '#ports/keys.ts'

/** Tells every process to forget what it knows of a key, under each of its secrets. */
export async function announceKey(announce: Announce, { secretHashes }: ChangedKey): Promise<void> {
  for (const keyHash of secretHashes) await announce({ keyHash })
}
