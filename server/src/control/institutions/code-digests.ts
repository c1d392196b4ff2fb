import { createHmac } from 'node:crypto'
import { deriveKey } from '#lib/derive-key.ts'

/**
 * What is stored in place of codes, addresses and clients: HMAC-SHA256 with a key of its own. Six digits could be tried out in
 * a moment by whoever has the stored value alone; without the key they can not.
 */
export interface CodeDigests {
  client(network: string): Buffer
  /** One key and one address: what a code is for. */
  subject(keyHash: string, identity: string): Buffer
  code(keyHash: string, identity: string, code: string): Buffer
}

export function createCodeDigests(masterSecret: string): CodeDigests {
  const key = deriveKey(masterSecret, 'institution codes')
  // JSON keeps the parts apart: no two lists of texts have the same form.
  const digest = (...parts: string[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  return {
    client: (network) => digest('client', network),
    subject: (keyHash, identity) => digest('subject', keyHash, identity),
    code: (keyHash, identity, code) => digest('code', keyHash, identity, code),
  }
}
