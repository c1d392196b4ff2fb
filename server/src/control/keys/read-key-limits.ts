import { type EffectiveLimit, effectiveLimit } from '#domain/limits/effective-limit.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { isUuid } from '#lib/uuid.ts'
import type { KeyHolder, KeyLimitReads } from '#ports/keys.ts'
import { missingKey } from './read-keys.ts'

/** The current limits on the spend of a key. */
export async function readKeyLimits(
  limits: KeyLimitReads,
  { keyId, account }: { keyId: string; account: KeyHolder },
  nowMs: number,
): Promise<EffectiveLimit> {
  const principal = isUuid(keyId) ? await limits.findPrincipal({ keyId, account }) : null
  if (principal === null) throw missingKey(keyId)
  return effectiveLimit(principal, await limits.readTaken(principal.walletId, limitedWindows(principal, nowMs)), nowMs)
}
