import { createHmac, hash } from 'node:crypto'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { CodeRefusal } from '#domain/institutions/judge-code-request.ts'
import { type MailAddress, parseMailAddress } from '#domain/institutions/parse-mail-address.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { deriveKey } from '#lib/derive-key.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CodeKey } from '#ports/institutions.ts'

/** A sign-in attempt: a key and an address, neither of which need exist. */
export interface Entry {
  readonly keyHash: string
  readonly address: MailAddress | undefined
  /** The submitted value if it is not an address, because such requests are counted too. */
  readonly identity: string
  readonly subject: Buffer
}

const textMax = 1_000

/** Rejects only values that are not strings, so that the response never tells whether the key or the address exists. */
export function readEntry(digests: CodeDigests, body: JsonObject): Entry {
  const key = stringAt(body, 'key')?.trim() ?? ''
  const email = stringAt(body, 'email') ?? ''
  if (key === '' || email === '' || key.length > textMax || email.length > textMax) {
    throw new GatewayError('codeInvalid', { message: 'key and email are required.' })
  }
  const keyHash = hash('sha256', key)
  const address = parseMailAddress(email)
  const identity = address?.identity ?? email.trim().toLowerCase()
  return { keyHash, address, identity, subject: digests.subject(keyHash, identity) }
}

/**
 * Digests stored in place of codes, addresses and clients: HMAC-SHA256 with a separate key. Without the key, a stored
 * digest cannot be brute-forced; six digits alone could be.
 */
export interface CodeDigests {
  client(network: string): Buffer
  /** Identifies one key and one address, which a code is for. */
  subject(keyHash: string, identity: string): Buffer
  code(keyHash: string, identity: string, code: string): Buffer
  /** Identifies a person for monthly quotas, also after the sessions with the address are deleted. */
  person(keyHash: string, identity: string): Uuid
}

export function createCodeDigests(masterSecret: string): CodeDigests {
  const key = deriveKey(masterSecret, 'institution codes')
  // JSON separates the parts: no two lists of strings have the same encoding.
  const digest = (...parts: string[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  return {
    client: (network) => digest('client', network),
    subject: (keyHash, identity) => digest('subject', keyHash, identity),
    code: (keyHash, identity, code) => digest('code', keyHash, identity, code),
    person: (keyHash, identity) => uuidOf(digest('person', keyHash, identity)),
  }
}

/** The first 122 bits of a digest as a UUID of version 8, whose bits the application chooses. */
function uuidOf(digest: Buffer): Uuid {
  const bytes = Buffer.from(digest.subarray(0, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Records a rejected person in the organization's audit log. Only the domain of the address is stored, and only if it
 * is valid, so that strangers cannot fill the log. The rate limit of code requests bounds the number of entries.
 */
export function refusedCodeEntry(refused: {
  readonly key: Pick<CodeKey, 'id' | 'organizationId'>
  readonly entry: Entry
  readonly requestId: string
  readonly reason: CodeRefusal | 'mail_failed' | 'attempts_used_up'
}): AuditEntry {
  const { key, entry, requestId, reason } = refused
  return {
    chainId: key.organizationId,
    actor: { kind: 'anonymous', id: null, name: null },
    requestId,
    action: 'institution.code.refused',
    target: { kind: 'institution_key', id: key.id },
    details: { reason, domain: entry.address?.domain ?? null },
  }
}
