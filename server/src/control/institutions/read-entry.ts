import { createHmac, hash } from 'node:crypto'
import type { CodeRefusal } from '#domain/institutions/judge-code-request.ts'
import { type MailAddress, parseMailAddress } from '#domain/institutions/parse-mail-address.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { deriveKey } from '#lib/derive-key.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { CodeKey } from '#ports/institutions.ts'

/** Who wants in: a key, which may be anybody's, and an address, which may be none. */
export interface Entry {
  readonly keyHash: string
  readonly address: MailAddress | undefined
  /** As submitted, where it is no address: such requests are counted as well. */
  readonly identity: string
  readonly subject: Buffer
}

const textMax = 1_000

/** Refuses only what is not a pair of texts, so the answer never tells whether either exists. */
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
 * What is stored in place of codes, addresses and clients: HMAC-SHA256 with a key of its own. Six digits could be tried
 * out in a moment from the stored value alone; without the key they cannot be.
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

/**
 * Tells an organization of a person whom its key did not let in. Of the address only the domain is kept, and only where
 * it is one: what strangers send must not fill the log. The pace of code requests bounds how many entries there can be.
 */
export async function auditRefusedCode(
  audit: AuditTrail,
  refused: {
    readonly key: Pick<CodeKey, 'id' | 'organizationId'>
    readonly entry: Entry
    readonly requestId: string
    readonly reason: CodeRefusal | 'mail_failed' | 'attempts_used_up'
  },
): Promise<void> {
  const { key, entry, requestId, reason } = refused
  await audit.append({
    chainId: key.organizationId,
    actor: { kind: 'anonymous', id: null, name: null },
    requestId,
    action: 'institution.code.refused',
    target: { kind: 'institution_key', id: key.id },
    details: { reason, domain: entry.address?.domain ?? null },
  })
}
