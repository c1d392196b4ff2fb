import { randomBytes } from 'node:crypto'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyBook, KeyTerms } from '#ports/key-book.ts'
import { keySecretFrom } from './key-secret.ts'
import { parseAllowedCidrs } from './parse-allowed-cidrs.ts'

export interface CreatedKey {
  id: Uuid
  /** The only time it is seen. */
  secret: string
}

/** A key of a user, paid from the user's personal wallet. */
export async function createKey(
  keys: KeyBook,
  input: { userId: Uuid; terms: KeyTerms },
  nowMs: number,
): Promise<CreatedKey> {
  const { terms } = input
  judgeTerms(terms, nowMs)
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
  const id = newUuid(nowMs)
  const made = await keys.create({
    ...terms,
    allowedCidrs: parseAllowedCidrs(terms.allowedCidrs),
    id,
    userId: input.userId,
    secretHash: hash,
    prefix,
    suffix,
  })
  if (!made) throw new GatewayError('notFound', { message: `There is no user ${input.userId}.` })
  return { id, secret }
}

function judgeTerms(terms: KeyTerms, nowMs: number): void {
  if (terms.name.trim() === '' || terms.name.length > 200)
    throw refusal('A key needs a name of at most 200 characters.')
  if (terms.limit !== null && terms.limit < 0n) throw refusal('A spend limit can not be negative.')
  if (terms.limit === null && terms.period !== null) throw refusal('A period needs a spend limit.')
  if (terms.expiresAtMs !== null && !(terms.expiresAtMs > nowMs)) throw refusal('The expiry must be in the future.')
}

function refusal(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}
