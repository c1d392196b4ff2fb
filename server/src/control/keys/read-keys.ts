import type { KeyAccount } from '#domain/access/key-account.ts'
import { accessRowOf } from '#domain/access/access-table.ts'
import { type Client, userOf } from '#domain/access/client.ts'
import { judgeRole } from '#domain/access/judge-access.ts'
import type { Principal } from '#domain/access/principal.ts'
import { rateLimitOf, type RateLimits, rateRules } from '#domain/limits/rate.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { AccountReads, KeyUse } from '#ports/account-reads.ts'
import type { KeyHolder, KeyOwner, KeyStore, KeyRecord, MemberAccount } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import { openPlace } from '../access/open-place.ts'
import type { ScopeQuestion } from '../usage/usage-scope.ts'

/** One key of an account with its current usage. */
export async function readKey(
  keys: KeyStore,
  which: { keyId: Uuid; account: KeyHolder },
  nowMs: number,
): Promise<KeyRecord> {
  const [key] = await keys.list({ ...which, nowMs })
  if (key === undefined) throw missingKey(which.keyId)
  return key
}

/** A key of another account gets the same response as a key that does not exist. */
export function missingKey(keyId: string): GatewayError {
  return new GatewayError('notFound', { message: `API key ${keyId.slice(0, 100)} not found in this account.` })
}

export interface KeyDescription {
  use: KeyUse
  /** The remaining amount of the key's limit, or the wallet's balance if the key has no limit. */
  remaining: NanoUsd
  isFreeTier: boolean
  requestsPerMinute: number
}

/** The current usage and remaining spend of a key. */
export async function describeKey(
  deps: { account: AccountReads; limits?: RateLimits | undefined },
  principal: Principal,
  nowMs: number,
): Promise<KeyDescription> {
  const use = await deps.account.readKeyUse({
    keyId: principal.keyId,
    walletId: principal.walletId,
    dayStartMs: windowStart('day', nowMs),
    weekStartMs: windowStart('week', nowMs),
    monthStartMs: windowStart('month', nowMs),
    cap: limitedWindows(principal, nowMs).find(({ ownerId }) => ownerId === principal.keyId) ?? null,
  })
  return {
    use,
    remaining: remainingOf({
      limit: principal.keyCap?.limit ?? null,
      taken: use.capTaken ?? zeroUsd,
      balance: use.balance,
    }),
    isFreeTier: use.balance < rateRules.fundedFromNano,
    requestsPerMinute: rateLimitOf('inference', use.balance, deps.limits),
  }
}

/** The remaining amount of a key's limit, or the wallet's balance if the key has no limit. */
export function remainingOf(key: { limit: NanoUsd | null; taken: NanoUsd; balance: NanoUsd }): NanoUsd {
  if (key.limit === null) return key.balance
  // A last charge above its hold may exceed the limit; the remaining amount is then zero, not negative.
  const rest = key.limit - key.taken
  return nanoUsd(rest > 0n ? rest : 0n)
}

/**
 * Determines whose keys a client manages if the request names no organization: the person's own, or those of the
 * organization of the request's key, as long as the person for whom the key acts is still an administrator there.
 */
export async function openKeyAccount(memberships: Memberships, client: Client, action: KeyAction): Promise<KeyAccount> {
  const userId = userOf(client)
  const organizationId = client.kind === 'key' ? client.principal.organizationId : null
  if (organizationId === null) {
    assert(userId !== null, 'a key that belongs to no organization belongs to a person')
    return { kind: 'user', userId }
  }
  const membership = userId === null ? null : await memberships.find({ organizationId, userId })
  const verdict = membership === null ? null : judgeRole(accessRowOf(action), client, membership)
  if (verdict?.allowed === true) return { kind: 'organization', organizationId }
  throw new GatewayError('forbidden', {
    message: 'The owner of this management key is no longer an org_admin of its organization.',
    inside: verdict?.inside ?? 'no member',
  })
}

type KeyAction = 'organization.keys.read' | 'organization.keys.change'

/** The keys of an account, or of a member who may create so many of them. */
export type OpenedKeys = KeyAccount | (MemberAccount & { readonly keysMax: number })

/** Opens the keys of a client's account, or the person's own keys in an organization that the query names. */
export async function openKeys(
  memberships: Memberships,
  { client, organization }: ScopeQuestion,
  action: KeyAction,
): Promise<OpenedKeys> {
  if (organization === null) return openKeyAccount(memberships, client, action)
  const place = await openPlace(memberships, { client, organization })
  const { organizationId, memberId, userId, memberKeysMax } = place
  return { kind: 'member', organizationId, memberId, userId, keysMax: memberKeysMax }
}

/** Members change only the keys that they created: an administrator's limit on a key stays. */
export async function assertOwnKey(keys: KeyStore, which: { keyId: string; account: KeyHolder }, nowMs: number) {
  const { keyId, account } = which
  if (account.kind !== 'member' || !isUuid(keyId)) return
  const { createdBy } = await readKey(keys, { keyId, account }, nowMs)
  if (createdBy === account.userId) return
  throw new GatewayError('forbidden', { message: 'An administrator created this key. Ask them to change it.' })
}

/** The owner of a new key in an account. */
export function newKeyOwner(account: OpenedKeys): KeyOwner {
  if (account.kind === 'user') return account
  const { organizationId } = account
  if (account.kind === 'organization') {
    return { kind: 'organization', organizationId, userId: null, memberId: null, teamId: null }
  }
  if (account.keysMax === 0) {
    const message = "Members of this organization can't create API keys. Ask an administrator for one."
    throw new GatewayError('forbidden', { message })
  }
  const { userId, memberId } = account
  return { kind: 'organization', organizationId, userId, memberId, teamId: null }
}
