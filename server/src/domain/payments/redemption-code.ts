import { hash } from 'node:crypto'
import { assert } from '#lib/assert.ts'

/** Crockford's base 32: no I, L, O or U, so that a code survives being read aloud and typed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const codeBytes = 16
// 26 digits hold 130 bits: 128 of the code, and two leading zeros.
const digitCount = 26
const groups = [5, 5, 5, 5, 6]

/** A code as people see it: `0B3XZ-7KQ2M-…`, from 16 random bytes. */
export function formatRedemptionCode(bytes: Buffer): string {
  assert(bytes.length === codeBytes, 'a code is made of 16 random bytes')
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (let position = 0; position < digitCount; position += 1) {
    digits = alphabet.charAt(Number(rest % 32n)) + digits
    rest /= 32n
  }
  let start = 0
  return groups.map((length) => digits.slice(start, (start += length))).join('-')
}

/** The stored hash by which a code is found: the SHA-256 of its 16 bytes. */
export function hashRedemptionCode(bytes: Buffer): Buffer {
  assert(bytes.length === codeBytes, 'a code is made of 16 random bytes')
  return hash('sha256', bytes, 'buffer')
}

/** Parses a typed code in any case, with or without hyphens and spaces. Undefined if it is invalid. */
export function parseRedemptionCode(text: string): Buffer | undefined {
  // Longer than any code with spaces between all of its digits.
  if (text.length > 100) return undefined
  const digits = text
    .toUpperCase()
    .replaceAll(/[\s\-–]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  if (digits.length !== digitCount) return undefined
  let value = 0n
  for (const digit of digits) {
    const place = alphabet.indexOf(digit)
    if (place < 0) return undefined
    value = value * 32n + BigInt(place)
  }
  const hex = value.toString(16).padStart(codeBytes * 2, '0')
  return hex.length === codeBytes * 2 ? Buffer.from(hex, 'hex') : undefined
}
