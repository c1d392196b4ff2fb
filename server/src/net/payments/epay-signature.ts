import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * epay's signature: all non-empty fields except the signature, by name, then the key, as one string. The protocol uses
 * MD5, so a signature only says which order to query: the paid amount is read from the service itself.
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
  // A repeated name could be read in two ways.
  if (new Set(fields.keys()).size !== fields.size) return false
  const expected = Buffer.from(epaySignature(fields, key))
  const sent = Buffer.from((fields.get('sign') ?? '').toLowerCase())
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
