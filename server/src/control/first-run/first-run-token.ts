import { timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#lib/derive-key.ts'

/**
 * The token that allows creating the first account. Its holder has read the log of `weir migrate`. It is derived from
 * the master secret, so that every process knows it and nothing is stored.
 */
export function firstRunToken(masterSecret: string): string {
  return deriveKey(masterSecret, 'first-run').toString('base64url')
}

export function isFirstRunToken(shown: string, masterSecret: string): boolean {
  const [one, other] = [Buffer.from(shown), Buffer.from(firstRunToken(masterSecret))]
  return one.length === other.length && timingSafeEqual(one, other)
}
