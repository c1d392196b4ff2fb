import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: it checks the response against its published schema, and the fields are written out below.
import { keyListSchema } from '#http/keys/key-schema.ts'
import { createKeyOver, idsIn, keyIn, type KeyWorld, startKeyWorld } from './key-world.ts'

describe('GET /v1/keys', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  it.each(['/v1/keys', '/api/v1/keys'])(
    "[KEY-01] lists the account's keys twice, the newest first, at %s",
    async (path) => {
      const manager = await world.manager()
      const first = await createKeyOver(world, manager)
      const second = await createKeyOver(world, manager)
      const stranger = await world.manager()
      const list = await world.send(manager, 'GET', path)
      expect(list.status).toBe(200)
      expect(idsIn(list)).toEqual([second.id, first.id, manager.keyId])
      expect(list.json.data).toEqual(list.json.keys)
      expect(list.json.total_count).toBe(3)
      expect(idsIn(await world.send(stranger, 'GET', path))).toEqual([stranger.keyId])
      expect([...Value.Errors(keyListSchema, list.json)]).toEqual([])
    },
  )

  it('[KEY-02] [KEY-03] [KEY-05] shows a key in the fields of either kind of client', async () => {
    const manager = await world.manager('12.5')
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const limits = { limit: 5, limit_reset: 'weekly', expires_at: expiresAt, allowedCidrs: ['127.0.0.1', '10.0.0.0/8'] }
    const made = await createKeyOver(world, manager, { name: 'laptop', ...limits })
    const list = await world.send(manager, 'GET', '/v1/keys')
    const key = keyIn(list, made.id)
    expect(key).toEqual({
      id: made.id,
      name: 'laptop',
      keyType: 'standard',
      keyPrefix: made.key.slice(0, 12),
      keySuffix: made.key.slice(-4),
      enabled: true,
      spendLimitUsd: 5,
      spendLimitPeriod: 'week',
      allowedCidrs: ['127.0.0.1', '10.0.0.0/8'],
      freeFallback: true,
      cacheTtlSeconds: null,
      requestCount: 0,
      totalTokens: 0,
      lastUsed: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expiresAt,
      hash: made.id,
      label: 'laptop',
      disabled: false,
      limit: 5,
      limit_remaining: 5,
      limit_reset: 'weekly',
      usage: 0,
      usage_daily: 0,
      usage_weekly: 0,
      usage_monthly: 0,
      created_at: key.createdAt,
      updated_at: key.createdAt,
      expires_at: expiresAt,
      creator_user_id: manager.userId,
      external_user: null,
      workspace_id: null,
    })
    const own = keyIn(list, manager.keyId)
    // Without a limit of its own, the key's remaining amount is the wallet's.
    expect(own).toMatchObject({ keyType: 'management', spendLimitUsd: null, limit: null, limit_remaining: 12.5 })
    expect(own).toMatchObject({ expiresAt: null, spendLimitPeriod: null, limit_reset: null, creator_user_id: null })
  })

  it('[KEY-04] counts requests, tokens and money of each key for itself, and when it was last used', async () => {
    const manager = await world.manager()
    const [used, idle] = [await createKeyOver(world, manager, { limit: 1 }), await createKeyOver(world, manager)]
    const before = Date.now()
    expect([await world.spend(used), await world.spend(used)]).toEqual([200, 200])
    const list = await world.send(manager, 'GET', '/v1/keys')
    const usage = { usage: 0.012, usage_daily: 0.012, usage_weekly: 0.012, usage_monthly: 0.012 }
    expect(keyIn(list, used.id)).toMatchObject({ requestCount: 2, totalTokens: 1000, ...usage, limit_remaining: 0.988 })
    const { lastUsed } = keyIn(list, used.id)
    expect(Date.parse(String(lastUsed))).toBeGreaterThanOrEqual(before - 1_000)
    expect(keyIn(list, idle.id)).toMatchObject({ requestCount: 0, totalTokens: 0, usage: 0, lastUsed: null })
    expect(keyIn(list, idle.id).limit_remaining).toBe(24.988)
  })

  it('[KEY-04] shows of a limit what /v1/key shows to the key itself, with what is held counted as spent', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { limit: 1, limit_reset: 'daily' })
    expect(await world.spend(made)).toBe(200)
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const running = world.spend(made)
    await world.upstream.waitForGate('held')
    const { limit_remaining } = keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id)
    expect(limit_remaining).toBeLessThan(0.99)
    expect((await world.get(made, '/v1/key')).limit_remaining).toBe(limit_remaining)
    world.upstream.release('held')
    await running
  })

  it('[KEY-07] never shows a secret again, nor does anything else', async () => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager)
    const answers = [
      await world.send(manager, 'GET', '/v1/keys'),
      await world.send(manager, 'PATCH', `/v1/keys/${made.id}`, { limit: 3 }),
      await world.send(made, 'GET', '/v1/key'),
      await world.send(made, 'GET', '/v1/auth/key'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const hidden = made.key.slice(12, -4)
    for (const { text } of answers) expect(text).not.toContain(hidden)
    expect(keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id)).not.toHaveProperty('key')
    expect(JSON.stringify(await world.auditOf(made.id))).not.toContain(hidden)
    expect(world.logLines.join('\n')).not.toContain(hidden)
  })
})
