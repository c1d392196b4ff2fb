import { hash } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { createAuthenticate } from '#pipeline/authenticate/authenticate.ts'
import { createPrincipalCache } from '#pipeline/authenticate/principal-cache.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

interface Columns {
  [column: string]: unknown
}

async function insert(table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns)
  const places = names.map((_name, position) => `$${position + 1}`)
  await database.pool.query(`INSERT INTO ${table} (${names}) VALUES (${places})`, Object.values(columns))
}

/** Creates a user with a wallet and one key, each with the tested columns. */
async function createKey(special: { user?: Columns; wallet?: Columns; key?: Columns } = {}) {
  const [userId, walletId, keyId] = [newUuid(Date.now()), newUuid(Date.now()), newUuid(Date.now())]
  const secret = `sk-weir-${keyId}`
  await insert('users', { id: userId, email: `${userId}@example.test`, ...special.user })
  await insert('wallets', { id: walletId, owner_kind: 'user', owner_id: userId, ...special.wallet })
  await insert('api_keys', {
    id: keyId,
    secret_hash: hash('sha256', secret, 'buffer'),
    prefix: 'sk-weir-',
    suffix: secret.slice(-4),
    name: 'laptop',
    type: 'standard',
    user_id: userId,
    wallet_id: walletId,
    ...special.key,
  })
  return { userId, walletId, keyId, secret, secretHash: hash('sha256', secret) }
}

describe('a stored key', () => {
  it('is found by its hash with its owner and wallet', async () => {
    const created = await createKey({ wallet: { balance_nano: '9007199254740993' } })
    expect(await createKeys(database.pool).findPrincipal(created.secretHash)).toEqual({
      keyId: created.keyId,
      keyName: 'laptop',
      keyType: 'standard',
      userId: created.userId,
      organizationId: null,
      memberId: null,
      teamId: null,
      walletId: created.walletId,
      enabled: true,
      suspended: false,
      expiresAtMs: null,
      allowedCidrs: [],
      keyCap: null,
      breaker: null,
      organization: null,
      operatorRole: null,
      institutionSession: null,
      customerToken: null,
      attribution: null,
      freeFallback: true,
      cacheTtlSeconds: null,
      balance: 9_007_199_254_740_993n,
    })
  })

  it('carries all of its limits', async () => {
    const expiresAt = new Date('2031-05-06T07:08:09.123Z')
    const { secretHash } = await createKey({
      user: { suspended_at: new Date(), breaker_enabled: true, breaker_hour_nano: '7000000000' },
      key: {
        type: 'management',
        enabled: false,
        spend_limit_nano: '1500000000',
        spend_limit_period: 'week',
        allowed_cidrs: ['10.0.0.0/8', '2001:db8::1'],
        expires_at: expiresAt,
      },
    })
    expect(await createKeys(database.pool).findPrincipal(secretHash)).toMatchObject({
      keyType: 'management',
      enabled: false,
      suspended: true,
      expiresAtMs: expiresAt.getTime(),
      allowedCidrs: ['10.0.0.0/8', '2001:db8::1'],
      keyCap: { limit: 1_500_000_000n, period: 'week' },
      breaker: { minute: 5_000_000_000n, hour: 7_000_000_000n },
    })
  })

  it('of an organization has no user and no breaker, and a cap of zero is a cap', async () => {
    const organizationId = newUuid(Date.now())
    await insert('organizations', { id: organizationId, name: 'Org', slug: `org-${organizationId}` })
    const key = { user_id: null, organization_id: organizationId, spend_limit_nano: '0' }
    const { secretHash } = await createKey({ user: { breaker_enabled: true }, key })
    expect(await createKeys(database.pool).findPrincipal(secretHash)).toMatchObject({
      userId: null,
      organizationId,
      suspended: false,
      breaker: null,
      keyCap: { limit: 0n, period: null },
    })
  })

  it('[P14] that is revoked is as unknown as one that never was', async () => {
    const { secretHash } = await createKey({ key: { revoked_at: new Date() } })
    const keys = createKeys(database.pool)
    expect(await keys.findPrincipal(secretHash)).toBeNull()
    expect(await keys.findPrincipal(hash('sha256', 'never'))).toBeNull()
  })

  it('is answered to whoever asked for it, also in one batch with others', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => createKey()))
    const keys = createKeys(database.pool)
    const asked = [...created, ...created].map(({ secretHash }) => secretHash)
    const found = await Promise.all([...asked, hash('sha256', 'never')].map((key) => keys.findPrincipal(key)))
    const ids = created.map(({ keyId }) => keyId)
    expect(found.map((principal) => principal?.keyId)).toEqual([...ids, ...ids, undefined])
  })
})

function startAuthenticate(pool: Pool) {
  const authenticate = createAuthenticate({
    cache: createPrincipalCache({ keys: createKeys(pool), clock: Date.now }),
  })
  return (secret: string) => authenticate({ authorization: `Bearer ${secret}`, clientIp: null, nowMs: Date.now() })
}

describe('authentication against Postgres', () => {
  it('[AUTH-02] SQL in the credential is just an unknown key', async () => {
    const { secret, keyId } = await createKey()
    const authenticate = startAuthenticate(database.pool)
    const attacks = [
      `${secret}'`,
      `${secret}'--`,
      `sk-weir-'/**/OR/**/'1'='1`,
      `sk-weir-');DROP/**/TABLE/**/api_keys;--`,
      'sk-weir-%%%%%%%%%%%%%%%%%%%%',
      'sk-weir-$1$2$3$1$2$3$1$2$3',
      'sk-weir-\\x0000000000000000',
      `sk-weir-\u0000${'a'.repeat(20)}`,
      `sk-weir-é${'ü'.repeat(20)}`,
      `sk-weir-{}[]"'\`;${'_'.repeat(20)}`,
    ]
    for (const attack of attacks) {
      await expect(authenticate(attack)).rejects.toMatchObject({ errorName: 'unauthenticated' })
    }
    expect(await authenticate(secret)).toMatchObject({ keyId })
  })

  it('[AUTH-20] a valid key gets 503 when Postgres cannot be reached', async () => {
    const { secret } = await createKey()
    const unreachable = new Pool({ connectionString: 'postgres://postgres@127.0.0.1:1/nowhere' })
    await expect(startAuthenticate(unreachable)(secret)).rejects.toMatchObject({ row: { status: 503 } })
    await unreachable.end()
  })
})
