import { randomBytes } from 'node:crypto'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyStore, KeyOwner, KeyTerms } from '#ports/keys.ts'
import { assertKeyLimit, parseAllowedCidrs } from './assert-key-terms.ts'
import { keySecretFrom } from './key-secret.ts'

interface KeyInput {
  /** The owner, whose wallet pays. */
  owner: KeyOwner
  terms: KeyTerms
  author: ChangeAuthor
  /** The person who creates it, or null for an operator. */
  createdBy?: Uuid | null
  /** How many keys the member may have who creates the key. Absent if an administrator creates it. */
  memberMax?: number
}

export interface CreatedKey {
  id: Uuid
  /** Returned only once. */
  secret: string
}

/** Ten keys for each member of the largest organization. */
const keysMax = { user: 1_000, organization: 100_000 }
const nameLengthMax = 200

/** Creates a key. The API and the command line both use this function. */
export async function createKey(keys: KeyStore, input: KeyInput): Promise<CreatedKey> {
  const { owner, terms, author, createdBy = null, memberMax } = input
  assertTerms(terms, author.nowMs)
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
  const id = newUuid(author.nowMs)
  const allowedCidrs = parseAllowedCidrs(terms.allowedCidrs)
  const made = await keys.create(
    {
      ...terms,
      allowedCidrs,
      id,
      owner,
      createdBy,
      secretHash: hash,
      prefix,
      suffix,
      accountMax: keysMax[owner.kind],
      ...(memberMax === undefined ? {} : { memberMax }),
    },
    author,
  )
  if (made === 'no account') throw new GatewayError('notFound', { message: noAccount(owner) })
  if (made === 'full' || made === 'member full') {
    const whose = made === 'full' ? `This account already has ${keysMax[owner.kind]}` : `You already have ${memberMax}`
    throw new GatewayError('conflict', { message: `${whose} API keys. Delete one first.` })
  }
  return { id, secret }
}

function assertTerms(terms: KeyTerms, nowMs: number): void {
  if (terms.name.trim() === '' || terms.name.length > nameLengthMax)
    throw malformed(`The key name must be 1 to ${nameLengthMax} characters.`)
  if (/\p{Cc}/u.test(terms.name) || !terms.name.isWellFormed())
    throw malformed('The key name must not contain control characters or invalid Unicode.')
  assertKeyLimit(terms.limit)
  if (terms.limit === null && terms.period !== null)
    throw malformed('limit_reset requires limit. Send a spend limit for the period.')
  if (terms.expiresAtMs !== null && !(terms.expiresAtMs > nowMs)) throw malformed('expires_at must be in the future.')
}

export function noAccount(owner: KeyOwner): string {
  if (owner.kind === 'user') return `User ${owner.userId} not found.`
  const place =
    owner.memberId === null && owner.teamId === null ? '' : ', or this member or team no longer belongs to it'
  return `Organization ${owner.organizationId} not found${place}.`
}
