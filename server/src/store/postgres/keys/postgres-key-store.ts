import type { Pool, PoolClient } from 'pg'
import {
  changeSettings,
  hasOtherCap,
  type KeyChange,
  newKeySettings,
  settingsDifference,
} from '#domain/access/key-settings.ts'
import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { keyCapKinds } from '#domain/limits/scopes.ts'
import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import type {
  AccountKey,
  ChangeAuthor,
  ChangedKey,
  KeyStore,
  KeyReference,
  KeyRotation,
  NewKey,
  NewPlaygroundKey,
} from '#ports/keys.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { recountWindows } from '../money/spend-windows.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  countKeys,
  endPlaygroundKeys,
  insertKey,
  lockKey,
  lockKeyAccount,
  lockKeyOrganization,
  markKeyRevoked,
  updateKey,
  updateKeySecret,
} from './keys.sql.ts'
import { countSelectedKeys, selectKeyPage, selectKeys } from './select-keys.sql.ts'

/** Keys in Postgres. The audit entry comes last in each transaction, because every writer waits for its chain. */
export function createKeyStore(pool: Pool): KeyStore {
  return {
    create: (key, author) => inTransaction(pool, 'READ COMMITTED', (client) => create(client, key, author)),
    createPlayground: (key, author) =>
      inTransaction(pool, 'READ COMMITTED', (client) => createPlayground(client, key, author)),
    list: (query) => selectKeys(pool, query),
    listPage: (query, page) => selectKeyPage(pool, query, page),
    count: (query) => countSelectedKeys(pool, query),
    change: (which, settings, author) =>
      inTransaction(pool, 'READ COMMITTED', (client) => change(client, which, settings, author)),
    rotate: (which, rotation, author) =>
      inTransaction(pool, 'READ COMMITTED', (client) => rotate(client, which, rotation, author)),
    revoke: (which, author) => inTransaction(pool, 'READ COMMITTED', (client) => revoke(client, which, author)),
  }
}

/** The same for clients of the API, which get 503 while Postgres is unavailable. */
export function createServedKeyStore(pool: Pool): KeyStore {
  const store = createKeyStore(pool)
  return {
    create: (key, author) => refuseWhenAway(store.create(key, author)),
    createPlayground: (key, author) => refuseWhenAway(store.createPlayground(key, author)),
    list: (query) => refuseWhenAway(store.list(query)),
    listPage: (query, page) => refuseWhenAway(store.listPage(query, page)),
    count: (query) => refuseWhenAway(store.count(query)),
    change: (which, settings, author) => refuseWhenAway(store.change(which, settings, author)),
    rotate: (which, rotation, author) => refuseWhenAway(store.rotate(which, rotation, author)),
    revoke: (which, author) => refuseWhenAway(store.revoke(which, author)),
  }
}

async function create(
  client: PoolClient,
  key: AccountKey,
  author: ChangeAuthor,
): Promise<'created' | 'no account' | 'full' | 'member full'> {
  await lockKeyAccount(client, key.owner)
  if (key.owner.kind === 'organization') await lockKeyOrganization(client, key.owner.organizationId)
  if ((await countKeys(client, key.owner)) >= key.accountMax) return 'full'
  if (await hasAllMemberKeys(client, key)) return 'member full'
  if (!(await insertKey(client, key))) return 'no account'
  await appendAudit(client, [auditOfCreation(key, author)], author.nowMs)
  return 'created'
}

/** The account lock serializes the count with other creations. */
async function hasAllMemberKeys(client: PoolClient, { owner, memberMax }: AccountKey): Promise<boolean> {
  if (memberMax === undefined || owner.kind !== 'organization' || owner.memberId === null || owner.userId === null)
    return false
  const { organizationId, memberId, userId } = owner
  return (await countKeys(client, { kind: 'member', organizationId, memberId, userId })) >= memberMax
}

async function createPlayground(
  client: PoolClient,
  key: NewPlaygroundKey,
  author: ChangeAuthor,
): Promise<ChangedKey[] | 'no account'> {
  await lockKeyAccount(client, { kind: 'user', userId: key.createdBy })
  if (key.owner.kind === 'organization') await lockKeyOrganization(client, key.owner.organizationId)
  if (!(await insertKey(client, key))) return 'no account'
  const ended = await endPlaygroundKeys(client, { userId: key.createdBy, kept: key.personMax, nowMs: author.nowMs })
  await appendAudit(client, [auditOfCreation(key, author)], author.nowMs)
  return ended.map((secretHash) => ({ secretHashes: [secretHash] }))
}

async function change(
  client: PoolClient,
  which: KeyReference,
  wanted: KeyChange,
  author: ChangeAuthor,
): Promise<ChangedKey | 'missing' | 'no limit'> {
  const { keyId } = which
  const key = await lockKey(client, which)
  if (key === null) return 'missing'
  const settings = changeSettings(key.settings, wanted)
  if (settings === undefined) return 'no limit'
  const difference = settingsDifference(key.settings, settings)
  if (difference === null) return { secretHashes: key.secretHashes }
  await updateKey(client, keyId, settings)
  if (hasOtherCap(key.settings, settings)) await recountWindows(client, { kinds: keyCapKinds, ownerId: keyId })
  const entry = { chainId: key.organizationId ?? platformChain, target: { kind: 'key', id: keyId }, ...difference }
  await appendAudit(client, [{ ...stampOf(author), ...entry, action: 'key.update' }], author.nowMs)
  return { secretHashes: key.secretHashes }
}

async function rotate(
  client: PoolClient,
  which: KeyReference,
  rotation: KeyRotation,
  author: ChangeAuthor,
): Promise<ChangedKey | 'missing'> {
  const key = await lockKey(client, which)
  if (key === null) return 'missing'
  await updateKeySecret(client, which.keyId, rotation)
  const { suffix, formerUntilMs } = rotation
  const formerUntil = formerUntilMs === null ? null : new Date(formerUntilMs).toISOString()
  const entry = {
    chainId: key.organizationId ?? platformChain,
    target: { kind: 'key', id: which.keyId },
    before: { keySuffix: key.suffix },
    after: { keySuffix: suffix, formerSecretUntil: formerUntil },
  }
  await appendAudit(client, [{ ...stampOf(author), ...entry, action: 'key.rotate' }], author.nowMs)
  return { secretHashes: key.secretHashes }
}

async function revoke(client: PoolClient, which: KeyReference, author: ChangeAuthor): Promise<ChangedKey | 'missing'> {
  const key = await lockKey(client, which)
  if (key === null) return 'missing'
  await markKeyRevoked(client, which.keyId)
  const before = { name: key.name, keyType: key.type, userId: key.userId, enabled: key.settings.enabled }
  const entry = { chainId: key.organizationId ?? platformChain, target: { kind: 'key', id: which.keyId }, before }
  await appendAudit(client, [{ ...stampOf(author), ...entry, action: 'key.delete' }], author.nowMs)
  return { secretHashes: key.secretHashes }
}

function stampOf({ actor, requestId }: ChangeAuthor): Pick<ChangeAuthor, 'actor' | 'requestId'> {
  return { actor, requestId }
}

/** The audit log's description of a new key: everything except its secret. */
function auditOfCreation(key: NewKey, { actor, requestId }: ChangeAuthor): AuditEntry {
  const { owner } = key
  const place = owner.kind === 'organization' ? { memberId: owner.memberId, teamId: owner.teamId } : {}
  return {
    chainId: owner.kind === 'organization' ? owner.organizationId : platformChain,
    actor,
    requestId,
    action: 'key.create',
    target: { kind: 'key', id: key.id },
    after: {
      name: key.name,
      keyType: key.type,
      userId: owner.userId,
      ...place,
      spendLimitUsd: nullableUsdJson(key.limit),
      spendLimitPeriod: key.period,
      expiresAt: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
      allowedCidrs: [...key.allowedCidrs],
      // Only those other settings that differ from the defaults of a new key.
      ...settingsDifference(newKeySettings, { ...newKeySettings, ...key })?.after,
      ...(key.playground === true ? { playground: true } : {}),
    },
  }
}
