import { hkdfSync } from 'node:crypto'

/** A separate key per purpose, so that one secret in the configuration is enough and no key reveals another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'weir', purpose, 32))
}
