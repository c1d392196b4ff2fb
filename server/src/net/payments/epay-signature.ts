import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * How epay signs: all fields but the signature and the empty ones, by name, then the key, as one text. MD5 is its
 * protocol's choice, so a signature only tells whom to ask: what was paid is read from the service itself.
 */
export function epaySignature(fields: Iterable<readonly [string, string]>, key: string): string {
  const signed = [...fields].filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
  const text = signed
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(text + key)
    .digest('hex')
}

export function isSignedByEpay(fields: URLSearchParams, key: string): boolean {
  // A name that stands there twice could be read in two ways.
  if (new Set(fields.keys()).size !== fields.size) return false
  const expected = Buffer.from(epaySignature(fields, key))
  const sent = Buffer.from((fields.get('sign') ?? '').toLowerCase())
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
