import type { Uuid } from '#lib/uuid.ts'
import type { KeyAccount, KeyBook, KeyRecord } from '#ports/keys.ts'
import { missingKey } from './missing-key.ts'

/** One key of an account with all that it has used, as of now. */
export async function readKey(
  keys: KeyBook,
  which: { keyId: Uuid; account: KeyAccount },
  nowMs: number,
): Promise<KeyRecord> {
  const [key] = await keys.list({ ...which, nowMs })
  if (key === undefined) throw missingKey(which.keyId)
  return key
}
