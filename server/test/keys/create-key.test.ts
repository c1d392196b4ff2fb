import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: it checks the response against its published schema, and the fields are written out below.
import { createdKeySchema } from '#http/keys/key-schema.ts'
import type { JsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, idsIn, type KeyWorld, startKeyWorld } from './key-world.ts'

describe('POST /v1/keys', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld(clock)
  })
  afterAll(() => world.close())

  it('[KEY-06] makes a key that works at once, and answers it with its secret', async () => {
    const manager = await world.manager()
    const answer = await world.send(manager, 'POST', '/v1/keys', { name: 'laptop' })
    expect(answer.status).toBe(201)
    expect([...Value.Errors(createdKeySchema, answer.json)]).toEqual([])
    const { key, data, ...rest } = answer.json
    expect(key).toMatch(/^sk-weir-[0-9A-Za-z]{43}$/)
    expect(data).toEqual(rest)
    expect(rest).toMatchObject({ name: 'laptop', label: 'laptop', keyType: 'standard', enabled: true })
    expect(await world.spend({ key: String(key) })).toBe(200)
    expect(await world.walletOf(manager.walletId)).toMatchObject({ charged: '0.006' })
  })

  it('[KEY-06] takes the name as label too', async () => {
    const manager = await world.manager()
    const { status, json } = await world.send(manager, 'POST', '/v1/keys', { label: 'phone' })
    expect([status, json.name]).toEqual([201, 'phone'])
  })

  it.each([
    ['limit', { limit: 0.01, limit_reset: 'daily' }, 'day'],
    ['limit', { limit: 0.01, limit_reset: 'weekly' }, 'week'],
    ['limit', { limit: 0.01, limit_reset: 'monthly' }, 'month'],
    ['limit', { limit: 0.01 }, null],
    ['spendLimitUsd', { spendLimitUsd: 0.01, spendLimitPeriod: 'month' }, 'month'],
    [
      'both, where they agree,',
      { limit: 0.01, spendLimitUsd: 0.01, limit_reset: 'daily', spendLimitPeriod: 'day' },
      'day',
    ],
  ])('[KEY-08] %s caps what the key may spend in its period: %o', async (_name, limits, period) => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, limits)
    expect(made.json).toMatchObject({ spendLimitUsd: 0.01, limit: 0.01, spendLimitPeriod: period })
    expect([await world.spend(made), await world.spend(made)]).toEqual([200, 402])
  })

  it('[KEY-09] makes a key that stops working at its expiry', async () => {
    clock.set('2030-01-08T12:00:00Z')
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { expires_at: '2030-01-08T14:00:00+01:00' })
    expect(made.json).toMatchObject({ expires_at: '2030-01-08T13:00:00.000Z', expiresAt: '2030-01-08T13:00:00.000Z' })
    clock.set('2030-01-08T12:59:59Z')
    expect(await world.spend(made)).toBe(200)
    clock.set('2030-01-08T13:00:00Z')
    expect(await world.spend(made)).toBe(401)
    const forEver = await createKeyOver(world, manager, { expires_at: null })
    expect(forEver.json).toMatchObject({ expires_at: null })
  })

  it('refuses calls from elsewhere where addresses are listed', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { allowedCidrs: ['203.0.113.7'] })
    expect(await world.spend(made)).toBe(401)
  })

  it.each<[string, JsonObject, string]>([
    ['no name', { name: undefined }, 'name is required'],
    ['a name of another kind', { name: 5 }, 'name must be a string'],
    ['an empty name', { name: ' ' }, 'key name must be 1 to 200 characters'],
    ['a long name', { name: 'x'.repeat(201) }, 'key name must be 1 to 200 characters'],
    ['control characters', { name: 'a\u0000b' }, 'control characters'],
    ['broken Unicode', { name: 'a\ud800b' }, 'invalid Unicode'],
    ['two names', { label: 'other' }, 'name and label have different values'],
    ['a limit as a text', { limit: '5' }, 'limit must be a number in USD'],
    ['a limit of too many decimals', { limit: 0.1234567891 }, 'at most nine decimals'],
    ['a limit below zero', { limit: -1 }, 'spend limit must be from 0 to 1000000000'],
    ['a limit that is no amount', { limit: 1e30 }, 'spend limit must be from 0 to 1000000000'],
    ['two limits', { limit: 1, spendLimitUsd: 2 }, 'limit and spendLimitUsd have different values'],
    ['an unknown period', { limit: 1, limit_reset: 'yearly' }, 'limit_reset must be one of'],
    ['a period without a limit', { limit_reset: 'daily' }, 'limit_reset requires limit'],
    ['an expiry in the past', { expires_at: '2029-12-31T00:00:00Z' }, 'expires_at must be in the future'],
    ['an expiry that is none', { expires_at: 'tomorrow' }, 'expires_at must be an ISO 8601 timestamp'],
    ['addresses that are no list', { allowedCidrs: '10.0.0.0/8' }, 'allowedCidrs must be an array'],
    ['an address of another kind', { allowedCidrs: ['10.0.0.0/8', 7] }, 'allowedCidrs[1] must be a string'],
    ['an address that is none', { allowedCidrs: ['10.0.0.0/33'] }, '10.0.0.0/33 is not an IPv4 address'],
  ])('answers %s with 400 that names it, and makes nothing', async (_title, body, message) => {
    const manager = await world.manager()
    const answer = await world.send(manager, 'POST', '/v1/keys', { name: 'x', ...body })
    expect(answer.status).toBe(400)
    expect(answer.message).toContain(message)
    expect(idsIn(await world.send(manager, 'GET', '/v1/keys'))).toEqual([manager.keyId])
  })

  it('grants nothing that a management key could assign itself', async () => {
    const [manager, victim] = [await world.manager(), await world.manager()]
    const organization = await world.createOrganization()
    const type = { keyType: 'management', type: 'management', role: 'org_admin', enabled: false }
    const person = { userId: victim.userId, user_id: victim.userId, creator_user_id: victim.userId, id: victim.keyId }
    const place = { organizationId: organization.id, orgId: organization.id, workspace_id: organization.id }
    const more = { walletId: victim.walletId, wallet_id: victim.walletId, key: 'sk-weir-chosen', hash: 'chosen' }
    const made = await createKeyOver(world, manager, { ...type, ...person, ...place, ...more })
    expect(made.id).not.toBe(victim.keyId)
    expect(made.key).not.toContain('chosen')
    expect(made.json).toMatchObject({ keyType: 'standard', enabled: true, workspace_id: null })
    expect(made.json).toMatchObject({ creator_user_id: manager.userId, hash: made.id })
    expect(made.json).not.toHaveProperty('organizationId')
    expect((await world.send(made, 'GET', '/v1/keys')).status).toBe(403)
    expect(await world.spend(made)).toBe(200)
    expect(await world.walletOf(manager.walletId)).toMatchObject({ charged: '0.006' })
    expect(await world.walletOf(victim.walletId)).toMatchObject({ charged: '0' })
  })

  it('refuses the 1,001st key with 409, also when several are asked for at once', async () => {
    const manager = await world.manager()
    await world.pool.query(
      `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, wallet_id)
       SELECT gen_random_uuid(), sha256(random()::text::bytea), '', '', 'many', 'standard', $1, $2 FROM generate_series(1, 997)`,
      [manager.userId, manager.walletId],
    )
    const revoked = await createKeyOver(world, manager)
    await world.send(manager, 'DELETE', `/v1/keys/${revoked.id}`)
    const asked = Array.from({ length: 6 }, () => world.send(manager, 'POST', '/v1/keys', { name: 'more' }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 201, 409, 409, 409, 409])
    const list = await world.send(manager, 'GET', '/v1/keys')
    expect(list.json.total_count).toBe(1_000)
    const full = await world.send(manager, 'POST', '/v1/keys', { name: 'more' })
    expect(full.message).toContain('already has 1000 API keys')
    await world.send(manager, 'DELETE', `/v1/keys/${String(idsIn(list)[0])}`)
    expect((await world.send(manager, 'POST', '/v1/keys', { name: 'more' })).status).toBe(201)
  })

  it('leaves an entry in the audit log with the terms', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { name: 'laptop', limit: 2.5, limit_reset: 'daily' })
    expect(await world.auditOf(made.id)).toMatchObject([
      {
        chain_id: '00000000-0000-0000-0000-000000000000',
        action: 'key.create',
        actor_kind: 'key',
        actor_id: manager.keyId,
        before: null,
        after: {
          name: 'laptop',
          keyType: 'standard',
          userId: manager.userId,
          spendLimitUsd: 2.5,
          spendLimitPeriod: 'day',
        },
        request_id: expect.stringMatching(/^req_/),
      },
    ])
  })
})
