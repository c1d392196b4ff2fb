import { randomBytes } from 'node:crypto'
import type { CreatedKey } from '#control/keys/create-key.ts'
import { parseAllowedCidrs } from '#control/keys/assert-key-terms.ts'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ChangeAuthor, OperatorKeys } from '#ports/keys.ts'
import { platformEntry } from './platform-entry.ts'

const nameLengthMax = 200

/** Creates a key for the operators' API. Only the command line does this. */
export async function createOperatorKey(
  keys: OperatorKeys,
  input: { name: string; role: OperatorRole; expiresAtMs: number | null; allowedCidrs: readonly string[] },
  author: ChangeAuthor,
): Promise<CreatedKey> {
  const name = input.name.trim()
  if (name === '' || name.length > nameLengthMax || /\p{Cc}/u.test(name)) {
    throw malformed(`The key name must be 1 to ${nameLengthMax} plain characters.`)
  }
  if (input.expiresAtMs !== null && !(input.expiresAtMs > author.nowMs)) {
    throw malformed('The expiry must be in the future.')
  }
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
  const id = newUuid(author.nowMs)
  const terms = {
    name,
    role: input.role,
    expiresAtMs: input.expiresAtMs,
    allowedCidrs: parseAllowedCidrs(input.allowedCidrs),
  }
  const after = {
    name,
    keyType: 'operator',
    role: input.role,
    expiresAt: terms.expiresAtMs === null ? null : new Date(terms.expiresAtMs).toISOString(),
    allowedCidrs: [...terms.allowedCidrs],
  }
  await keys.create(
    { ...terms, id, secretHash: hash, prefix, suffix },
    platformEntry(author, { action: 'key.create', target: { kind: 'key', id }, after }),
  )
  return { id, secret }
}
