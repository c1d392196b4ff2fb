import { malformed } from '#errors/malformed.ts'

/** Validates an idempotency key. Any value but visible ASCII characters answers 400. */
export function parseIdempotencyKey(key: string, charsMax: number): string {
  if (key.length <= charsMax && form.test(key)) return key
  throw malformed(`Idempotency-Key must be 1 to ${charsMax} ASCII characters without spaces.`)
}

const form = /^[\x21-\x7e]+$/
