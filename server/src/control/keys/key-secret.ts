import { createHash } from 'node:crypto'
import { assert } from '#lib/assert.ts'

interface KeySecret {
  /** Shown once, never stored. */
  secret: string
  /** SHA-256 of the whole secret, in hexadecimal. Only this is stored, and keys are found by it. */
  hash: string
  prefix: string
  suffix: string
}

/** The prefix of a secret tells its purpose. */
type KeyMarker = 'sk-weir-' | 'sk-edu-' | 'scim-weir-' | 'cust-weir-'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// 62^43 is the first power of 62 above 2^256, so 43 digits hold 32 bytes.
const digitCount = 43

/** Creates a secret from 32 random bytes. The hints show 4 digits at either end, which leaves 35 unknown. */
export function keySecretFrom(randomBytes: Buffer, marker: KeyMarker = 'sk-weir-'): KeySecret {
  assert(randomBytes.length === 32, 'a key is made of 32 random bytes')
  let rest = BigInt(`0x${randomBytes.toString('hex')}`)
  let digits = ''
  for (let position = 0; position < digitCount; position += 1) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  const secret = marker + digits
  return {
    secret,
    hash: createHash('sha256').update(secret).digest('hex'),
    prefix: secret.slice(0, marker.length + 4),
    suffix: secret.slice(-4),
  }
}
