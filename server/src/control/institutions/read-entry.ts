import { hash } from 'node:crypto'
import { parseMailAddress, type MailAddress } from '#domain/institutions/parse-mail-address.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import type { CodeDigests } from './code-digests.ts'

/** Who wants in: a key, which may be anybody's, and an address, which may be none. */
export interface Entry {
  readonly keyHash: string
  readonly address: MailAddress | undefined
  /** As submitted, where it is no address: such requests are counted as well. */
  readonly identity: string
  readonly subject: Buffer
}

const textMax = 1_000

/** Only what is no pair of texts is refused here; whether either exists is nobody's business. */
export function readEntry(digests: CodeDigests, body: JsonObject): Entry {
  const key = stringAt(body, 'key')?.trim() ?? ''
  const email = stringAt(body, 'email') ?? ''
  if (key === '' || email === '' || key.length > textMax || email.length > textMax) {
    throw new GatewayError('codeInvalid', { message: 'A key and an email are needed.' })
  }
  const keyHash = hash('sha256', key)
  const address = parseMailAddress(email)
  const identity = address?.identity ?? email.trim().toLowerCase()
  return { keyHash, address, identity, subject: digests.subject(keyHash, identity) }
}
