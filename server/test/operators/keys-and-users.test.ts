import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeKey } from '#control/keys/change-key.ts'
import { createKey } from '#control/keys/create-key.ts'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { createUser, readUser } from '#control/operators/create-user.ts'
import { setBreaker, suspendUser } from '#control/operators/operate-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { Invalidation } from '#domain/access/invalidation.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { KeyOwner, KeyRecord, KeyTerms } from '#ports/keys.ts'
import { createPostgresOperators, type OperatorStores } from '#store/postgres/operators/postgres-operators.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

const terms: KeyTerms = {
  name: 'laptop',
  type: 'standard',
  limit: null,
  period: null,
  expiresAtMs: null,
  allowedCidrs: [],
}

const author = () => operatorAuthor(Date.now())

describe('users and keys', () => {
  let database: TestDatabase
  let stores: OperatorStores
  let userId: string
  let announced: Invalidation[] = []
  const announce = async (message: Invalidation) => void announced.push(message)

  beforeAll(async () => {
    database = await createTestDatabase()
    stores = createPostgresOperators(database.pool)
    userId = (await createUser(stores.users, { email: 'Ada@weir.test', name: 'Ada' }, Date.now())).id
  })
  beforeEach(() => {
    announced = []
  })
  afterAll(() => database.drop())

  const make = (change: Partial<KeyTerms>, owner: KeyOwner = { kind: 'user', userId }) =>
    createKey(stores.keys, { owner, terms: { ...terms, ...change }, author: author() })
  const stateOf = async (keyId: string): Promise<KeyRecord | undefined> => {
    const query = { account: { kind: 'user', userId }, keyId, withRevoked: true, nowMs: Date.now() } as const
    return (await stores.keys.list(query))[0]
  }

  it('make one user per address, and only of a plain address', async () => {
    const again = createUser(stores.users, { email: 'ada@WEIR.test', name: '' }, Date.now())
    await expect(again).rejects.toThrow('already')
    for (const email of [
      '',
      'ada',
      'a@b',
      'a@evil.test,b@weir.test',
      '<a@evil.test>@weir.test',
      'a@weir.test\r\nBcc: x',
    ]) {
      await expect(createUser(stores.users, { email, name: '' }, Date.now()), email).rejects.toThrow(
        'not an email address',
      )
    }
  })

  it('show a secret of 256 bits once and store only its hash', async () => {
    const { id, secret } = await make({})
    expect(secret).toMatch(/^sk-weir-[0-9A-Za-z]{43}$/)
    const { rows } = await database.pool.query<{ row: string; hash: string }>(
      `SELECT k::text AS row, encode(secret_hash, 'hex') AS hash FROM api_keys k WHERE id = $1`,
      [id],
    )
    expect(rows[0]?.hash).toBe(createHash('sha256').update(secret).digest('hex'))
    expect(rows[0]?.row).not.toContain(secret.slice(12, -4))
  })

  it('make different secrets of different bytes, down to the last bit', () => {
    const bytes = Buffer.alloc(32, 0xff)
    const most = keySecretFrom(bytes)
    bytes[31] = 0xfe
    expect(keySecretFrom(bytes).secret).not.toBe(most.secret)
    expect(keySecretFrom(Buffer.alloc(32)).secret).toBe(`sk-weir-${'0'.repeat(43)}`)
    expect(most.secret).toHaveLength(51)
  })

  it('keep the terms of a key', async () => {
    const expiresAtMs = Date.now() + 86_400_000
    const allowedCidrs = ['10.0.0.0/8', '2001:db8::1', '10.0.0.0/8']
    const strict: KeyTerms = {
      ...terms,
      type: 'management',
      limit: parseUsd('5'),
      period: 'week',
      expiresAtMs,
      allowedCidrs,
    }
    const { id } = await make(strict)
    const listed = await stateOf(id)
    expect(listed).toMatchObject({
      ...strict,
      allowedCidrs: ['10.0.0.0/8', '2001:db8::1'],
      enabled: true,
      revoked: false,
    })
  })

  it('refuse terms that make no sense', async () => {
    await expect(make({ name: ' ' })).rejects.toThrow('name')
    await expect(make({ limit: parseUsd('-1') })).rejects.toThrow('from 0 to')
    await expect(make({ period: 'day' })).rejects.toThrow('limit')
    await expect(make({ expiresAtMs: Date.now() - 1 })).rejects.toThrow('future')
    await expect(make({ allowedCidrs: ['10.0.0.0/33'] })).rejects.toThrow('10.0.0.0/33')
    await expect(make({ allowedCidrs: ['fd00::/8'] })).rejects.toThrow('fd00::/8')
    const stranger = { kind: 'user', userId: '01890000-0000-7000-8000-000000000000' } as const
    await expect(make({}, stranger)).rejects.toThrow(`User ${stranger.userId} not found`)
    const nowhere = { organizationId: stranger.userId, userId: null, memberId: null, teamId: null }
    await expect(make({}, { kind: 'organization', ...nowhere })).rejects.toThrow(
      `Organization ${stranger.userId} not found`,
    )
  })

  it('[P14] announce every change of a key by its hash, and never undo a revocation', async () => {
    const { id, secret } = await make({})
    const keyHash = createHash('sha256').update(secret).digest('hex')
    const deps = { keys: stores.keys, announce }
    const which = { keyId: id, account: null }
    await changeKey(deps, which, { enabled: false }, author())
    expect(await stateOf(id)).toMatchObject({ enabled: false })
    await changeKey(deps, which, { enabled: true }, author())
    await changeKey(deps, which, { allowedCidrs: ['192.0.2.1'] }, author())
    expect(await stateOf(id)).toMatchObject({ enabled: true, allowedCidrs: ['192.0.2.1'] })
    await revokeKey(deps, which, author())
    const told = { keyHash, keyId: id }
    expect(announced).toEqual([told, told, told, told])
    await expect(changeKey(deps, which, { enabled: true }, author())).rejects.toThrow(/^API key \S+ not found/)
    const nonsense = { keyId: 'nonsense', account: null }
    await expect(changeKey(deps, nonsense, { enabled: true }, author())).rejects.toThrow(/^API key \S+ not found/)
    await expect(revokeKey(deps, which, author())).rejects.toThrow(/^API key \S+ not found/)
    expect(await stateOf(id)).toMatchObject({ enabled: false, revoked: true })
    expect(announced).toHaveLength(4)
  })

  it('suspend and lift the suspension', async () => {
    const deps = { users: stores.users, announce }
    await suspendUser(deps, { reference: 'ada@weir.test', suspended: true }, operatorAuthor(Date.now()))
    expect(await readUser(stores.users, userId)).toMatchObject({ suspended: true })
    await suspendUser(deps, { reference: userId, suspended: false }, operatorAuthor(Date.now()))
    expect(await readUser(stores.users, userId)).toMatchObject({ suspended: false })
    expect(announced).toEqual([{ userId }, { userId }])
    const nobody = { reference: 'nobody@weir.test', suspended: true }
    await expect(suspendUser(deps, nobody, operatorAuthor(Date.now()))).rejects.toThrow(
      'User nobody@weir.test not found',
    )
  })

  it('set the personal breaker, but not below one cent', async () => {
    const deps = { users: stores.users, announce }
    const breaker = { enabled: true, minute: parseUsd('0.01'), hour: null }
    await setBreaker(deps, { reference: userId, breaker }, operatorAuthor(0).actor)
    expect((await readUser(stores.users, userId)).breaker).toEqual(breaker)
    const tooLow = { enabled: true, minute: null, hour: parseUsd('0.009') }
    await expect(setBreaker(deps, { reference: userId, breaker: tooLow }, operatorAuthor(0).actor)).rejects.toThrow(
      'at least 0.01',
    )
  })
})
