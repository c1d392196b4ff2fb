import { hkdfSync } from 'node:crypto'

/** A key of its own for each purpose, so that one secret in the configuration is enough and no key tells of another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'weir', purpose, 32))
}
