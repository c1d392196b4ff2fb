import type { KeyChange } from '#domain/access/key-settings.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { ChangeAuthor, KeyHolder, KeyStore } from '#ports/keys.ts'
import { announceKey } from './announce-key.ts'
import { assertKeyLimit, parseAllowedCidrs } from './assert-key-terms.ts'
import { missingKey } from './read-keys.ts'

export interface KeyDeps {
  keys: KeyStore
  announce: Announce
}

/**
 * Changes a key of an account, or any key if no account is given, and makes every process drop its cached data. A key
 * can be enabled and disabled any number of times until it is revoked; revocation is final.
 */
export async function changeKey(
  { keys, announce }: KeyDeps,
  which: { keyId: string; account: KeyHolder | null },
  wanted: KeyChange,
  author: ChangeAuthor,
): Promise<void> {
  const { keyId, account } = which
  const change = { ...wanted }
  if (change.allowedCidrs !== undefined) change.allowedCidrs = parseAllowedCidrs(change.allowedCidrs)
  assertKeyLimit(change.limit ?? null)
  const changed = isUuid(keyId) ? await keys.change({ keyId, account }, change, author) : 'missing'
  if (changed === 'missing') throw missingKey(keyId)
  if (changed === 'no limit') {
    const message =
      'spendLimitPeriod (or limit_reset) requires a spend limit, but this key has none. Set a limit first.'
    throw malformed(message)
  }
  if (Object.keys(change).length > 0) await announceKey(announce, changed, keyId)
}
