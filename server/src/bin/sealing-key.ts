import type { Config } from '#config/config-schema.ts'
import { type SealingKey, sealingKeyFrom } from '#lib/seal.ts'

/** Encrypts with the current secret, and decrypts with the current or a previous one. */
export function sealingKeyOf({ secret, previousSecrets }: Config): SealingKey {
  return sealingKeyFrom(secret, previousSecrets)
}
