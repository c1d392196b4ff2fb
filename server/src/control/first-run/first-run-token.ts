import { timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#lib/derive-key.ts'

/**
 * Who shows this token has read the log of `weir migrate`, and may make the first account. It follows from the master
 * secret, so that every process knows it and nothing has to be stored.
 */
export function firstRunToken(masterSecret: string): string {
  return deriveKey(masterSecret, 'first-run').toString('base64url')
}

export function isFirstRunToken(shown: string, masterSecret: string): boolean {
  const [one, other] = [Buffer.from(shown), Buffer.from(firstRunToken(masterSecret))]
  return one.length === other.length && timingSafeEqual(one, other)
}
