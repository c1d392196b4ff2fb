import { randomBytes } from 'node:crypto'
import { malformed } from '#errors/malformed.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyHolder } from '#ports/keys.ts'
import { announceKey } from './announce-key.ts'
import type { KeyDeps } from './change-key.ts'
import { keySecretFrom } from './key-secret.ts'
import { missingKey } from './read-keys.ts'

interface RotatedKey {
  /** Returned only once. */
  readonly secret: string
  /** When the previous secret expires, or null if it no longer works. */
  readonly formerUntilMs: number | null
}

const overlapDefaultS = 3_600
const overlapMaxS = 7 * 86_400

/**
 * Gives a key a new secret. The previous secret keeps working during the overlap, at most until the key expires. An
 * older secret stops working at once, so a key never has more than two.
 */
export async function rotateKey(
  { keys, announce }: KeyDeps,
  which: { keyId: Uuid; account: KeyHolder },
  overlapS: number | null,
  author: ChangeAuthor,
): Promise<RotatedKey> {
  const seconds = judgeOverlap(overlapS ?? overlapDefaultS)
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
  const formerUntilMs = seconds === 0 ? null : author.nowMs + seconds * 1000
  const rotated = await keys.rotate(which, { secretHash: hash, prefix, suffix, formerUntilMs }, author)
  if (rotated === 'missing') throw missingKey(which.keyId)
  await announceKey(announce, rotated)
  return { secret, formerUntilMs }
}

function judgeOverlap(overlapS: number): number {
  if (overlapS >= 0 && overlapS <= overlapMaxS) return overlapS
  throw malformed(`overlap_seconds must be a number from 0 to ${overlapMaxS} (7 days).`)
}
