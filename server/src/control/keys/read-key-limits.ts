import { type EffectiveLimit, effectiveLimit } from '#domain/limits/effective-limit.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
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
  const windows = limitedWindows(principal, nowMs)
  const { wallet, taken } = await limits.readTaken(principal.walletId, windows)
  const counted = windows.map((window, index) => ({ ...window, taken: taken[index] ?? zeroUsd }))
  return effectiveLimit(principal, { wallet, windows: counted }, nowMs)
}
