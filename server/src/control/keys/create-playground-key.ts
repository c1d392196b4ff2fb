import { randomBytes } from 'node:crypto'
import { accessRowOf } from '#domain/access/access-table.ts'
import type { Client, SignedInPerson } from '#domain/access/client.ts'
import { formatUsd, type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyOwner } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import { requireRole } from '../access/open-organization.ts'
import { openPlace } from '../access/open-place.ts'
import { announceKey } from './announce-key.ts'
import type { KeyDeps } from './change-key.ts'
import { noAccount } from './create-key.ts'
import { keySecretFrom } from './key-secret.ts'

/** Requested terms of a playground key. Null means the default. */
interface PlaygroundWish {
  readonly limit: NanoUsd | null
  readonly lifetimeS: number | null
}

interface PlaygroundKey {
  readonly id: Uuid
  /** Returned only once. */
  readonly secret: string
  readonly limit: NanoUsd
  readonly expiresAtMs: number
}

const limitDefault = parseUsd('1')
const limitMax = parseUsd('5')
const lifetimeMaxS = 3_600
const lifetimeMinS = 60

// Every page reload creates a playground key. The oldest key is revoked, so that keys of closed pages do not lock
// anyone out.
const keysPerPersonMax = 20

/** Creates a key for the console's playground. It expires, has a low limit, and key lists do not show it. */
export async function createPlaygroundKey(
  { keys, announce }: KeyDeps,
  { owner, wish, author, person }: PlaygroundInput,
): Promise<PlaygroundKey> {
  const limit = judgeLimit(wish.limit ?? limitDefault)
  const expiresAtMs = author.nowMs + judgeLifetime(wish.lifetimeS ?? lifetimeMaxS) * 1000
  const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
  const id = newUuid(author.nowMs)
  const terms = { name: 'Playground', type: 'standard', limit, period: null, expiresAtMs, allowedCidrs: [] } as const
  const hints = { secretHash: hash, prefix, suffix }
  const place = { owner, createdBy: person.userId, playground: true, personMax: keysPerPersonMax } as const
  const ended = await keys.createPlayground({ id, ...terms, ...hints, ...place }, author)
  if (ended === 'no account') throw new GatewayError('notFound', { message: noAccount(owner) })
  for (const key of ended) await announceKey(announce, key)
  return { id, secret, limit, expiresAtMs }
}

interface PlaygroundInput {
  readonly owner: KeyOwner
  readonly wish: PlaygroundWish
  readonly author: ChangeAuthor
  readonly person: SignedInPerson
}

/**
 * Finds the paying wallet: the person's own, or that of an organization in which the person may create keys as a
 * member.
 */
export async function openPlaygroundOwner(
  memberships: Memberships,
  client: Client & { kind: 'session' },
  organization: string | null,
): Promise<KeyOwner> {
  if (organization === null) return { kind: 'user', userId: client.person.userId }
  const place = await openPlace(memberships, { client, organization })
  if (place.memberKeysMax === 0) requireRole(accessRowOf('organization.keys.change'), client, place)
  const { organizationId, userId, memberId } = place
  return { kind: 'organization', organizationId, userId, memberId, teamId: null }
}

function judgeLimit(limit: NanoUsd): NanoUsd {
  if (limit >= 0n && limit <= limitMax) return limit
  throw malformed(`limit must be a number in USD from 0 to ${formatUsd(limitMax)}.`)
}

function judgeLifetime(lifetimeS: number): number {
  if (lifetimeS >= lifetimeMinS && lifetimeS <= lifetimeMaxS) return lifetimeS
  throw malformed(`expires_in must be a number of seconds from ${lifetimeMinS} to ${lifetimeMaxS}.`)
}
