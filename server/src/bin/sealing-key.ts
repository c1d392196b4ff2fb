import type { Config } from '#config/config-schema.ts'
import { type SealingKey, sealingKeyFrom } from '#lib/seal.ts'

/** Seals with the secret in force, and opens also what the previous ones have sealed. */
export function sealingKeyOf({ secret, previousSecrets }: Config): SealingKey {
  return sealingKeyFrom(secret, previousSecrets)
}
