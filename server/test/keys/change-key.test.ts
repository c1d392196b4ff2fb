import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: it checks the response against its published schema, and the fields are written out below.
import { changedKeySchema } from '#http/keys/key-schema.ts'
import type { JsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { createKeyOver, keyIn, type KeyWorld, type Manager, startKeyWorld } from './key-world.ts'

describe('PATCH /v1/keys/{id}', () => {
  const clock = createTestClock('2030-01-07T12:00:15Z')
  let world: KeyWorld
  let manager: Manager
  beforeAll(async () => {
    world = await startKeyWorld(clock)
    manager = await world.manager()
  })
  afterAll(() => world.close())

  const change = (id: string, body?: JsonObject): Promise<Reply> => world.send(manager, 'PATCH', `/v1/keys/${id}`, body)
  const listed = async (id: string) => keyIn(await world.send(manager, 'GET', '/v1/keys'), id)

  it('[KEY-10] answers what the key is now', async () => {
    const { id } = await createKeyOver(world, manager)
    const answer = await change(id, { spendLimitUsd: 3 })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ updated: true, data: { id, spendLimitUsd: 3, limit: 3 } })
    expect([...Value.Errors(changedKeySchema, answer.json)]).toEqual([])
    expect(answer.data).toEqual(await listed(id))
    expect(answer.data.updated_at).not.toBe(answer.data.created_at)
  })

  it('[KEY-10] changes nothing for an empty body, and says so in no log', async () => {
    const { id } = await createKeyOver(world, manager, { limit: 2 })
    const before = await listed(id)
    for (const body of [undefined, {}, { enabled: true, limit: 2 }]) {
      const { status, json } = await change(id, body)
      expect([status, json]).toEqual([200, { updated: true, data: before }])
    }
    expect(await world.auditOf(id)).toHaveLength(1)
  })

  it('[KEY-12] keeps every digit of a cap that a double would change', async () => {
    const { id } = await createKeyOver(world, manager)
    const path = `/v1/keys/${id}`
    const { text } = await world
      .as(manager)
      .patch(path, '{"limit":12345678.123456789}', { headers: { 'content-type': 'application/json' } })
    expect(text).toContain('"limit":12345678.123456789,')
    expect((await world.as(manager).get('/v1/keys')).text).toContain('"limit":12345678.123456789,')
  })

  it.each([
    ['enabled', { enabled: false }, { enabled: true }],
    ['disabled', { disabled: true }, { disabled: false }],
  ])('[KEY-11] [KEY-16] switches a key off and on by %s', async (_name, off, on) => {
    const made = await createKeyOver(world, manager)
    expect(await world.spend(made)).toBe(200)
    expect((await change(made.id, off)).data).toMatchObject({ enabled: false, disabled: true })
    expect(await world.spend(made)).toBe(401)
    expect((await world.send(made, 'GET', '/v1/key')).status).toBe(401)
    expect((await change(made.id, on)).data).toMatchObject({ enabled: true, disabled: false })
    expect(await world.spend(made)).toBe(200)
  })

  it.each([
    ['spendLimitUsd', { spendLimitUsd: 0.01, spendLimitPeriod: 'day' }, { spendLimitUsd: null }],
    ['limit', { limit: 0.01, limit_reset: 'daily' }, { limit: null }],
  ])(
    '[KEY-12] [KEY-16] sets and removes the cap by %s, and counts what the period has seen',
    async (_name, set, lift) => {
      clock.set('2030-01-09T12:00:00Z')
      const made = await createKeyOver(world, manager)
      expect(await world.spend(made)).toBe(200)
      expect((await change(made.id, set)).data).toMatchObject({
        spendLimitUsd: 0.01,
        limit: 0.01,
        limit_remaining: 0.004,
      })
      expect(await world.spend(made)).toBe(402)
      expect((await change(made.id, lift)).data).toMatchObject({
        spendLimitUsd: null,
        spendLimitPeriod: null,
        limit: null,
      })
      expect(await world.spend(made)).toBe(200)
      // Nothing was counted while the limit was off, so the window is filled afterwards.
      expect((await change(made.id, set)).data).toMatchObject({ limit_remaining: 0 })
      expect(await world.spend(made)).toBe(402)
      expect((await change(made.id, { spendLimitUsd: 1 })).data).toMatchObject({
        limit_remaining: 0.988,
        limit_reset: 'daily',
      })
      expect(await world.spend(made)).toBe(200)
      await world.expectSoundBooks()
    },
  )

  it('[KEY-12] leaves what is held in a window where it is when a limit changes', async () => {
    const made = await createKeyOver(world, manager, { limit: 1, limit_reset: 'monthly' })
    world.upstream.playNext({ kind: 'steps', steps: [{ do: 'gate', name: 'held' }, { do: 'close' }] })
    const running = world.spend(made)
    await world.upstream.waitForGate('held')
    expect((await change(made.id, { limit: 0.01 })).data.limit_remaining).toBeLessThan(0.005)
    expect(await world.spend(made)).toBe(402)
    world.upstream.release('held')
    // The upstream is called again, and responds.
    expect(await running).toBe(200)
    expect((await listed(made.id)).limit_remaining).toBe(0.004)
    await world.expectSoundBooks()
  })

  it.each([
    ['day', 'day', 'daily'],
    ['daily', 'day', 'daily'],
    ['week', 'week', 'weekly'],
    ['weekly', 'week', 'weekly'],
    ['month', 'month', 'monthly'],
    ['monthly', 'month', 'monthly'],
  ])('[KEY-13] takes the period %s and shows %s', async (spelling, period, reset) => {
    const { id } = await createKeyOver(world, manager, { limit: 1 })
    expect((await change(id, { spendLimitPeriod: spelling })).data).toMatchObject({ spendLimitPeriod: period })
    expect((await change(id, { limit_reset: null })).data).toMatchObject({ spendLimitPeriod: null, limit: 1 })
    expect((await change(id, { limit_reset: spelling })).data).toMatchObject({ limit_reset: reset })
    expect(await listed(id)).toMatchObject({ spendLimitPeriod: period, limit_reset: reset })
  })

  it('[KEY-14] replaces and clears the addresses that a key may be used from', async () => {
    const made = await createKeyOver(world, manager)
    const elsewhere = ['203.0.113.7', '10.0.0.0/8', '2001:db8::1']
    expect((await change(made.id, { allowedCidrs: elsewhere })).data.allowedCidrs).toEqual(elsewhere)
    expect(await world.spend(made)).toBe(401)
    expect((await change(made.id, { allowedCidrs: ['127.0.0.0/8'] })).data.allowedCidrs).toEqual(['127.0.0.0/8'])
    expect(await world.spend(made)).toBe(200)
    expect((await change(made.id, { allowedCidrs: [] })).data.allowedCidrs).toEqual([])
    expect(await world.spend(made)).toBe(200)
  })

  it.each(['10.0.0.0/33', '10.0.0', '256.1.1.1', 'fd00::/8', 'localhost', '', '010.0.0.1'])(
    '[KEY-14] refuses the address %j with 400 and keeps the list',
    async (entry) => {
      const { id } = await createKeyOver(world, manager, { allowedCidrs: ['192.0.2.1'] })
      const answer = await change(id, { allowedCidrs: ['127.0.0.1', entry], enabled: false })
      expect(answer.status).toBe(400)
      expect(answer.message).toContain('is not an IPv4 address')
      expect(await listed(id)).toMatchObject({ allowedCidrs: ['192.0.2.1'], enabled: true })
    },
  )

  it('D12: [KEY-15] refuses a change of what is fixed, and changes neither name nor secret, nor whose key it is', async () => {
    const other = await world.manager()
    const made = await createKeyOver(world, manager, { name: 'laptop' })
    const body = { name: 'phone', label: 'phone', key: 'sk-weir-mine', hash: 'x', secret: 'x', userId: other.userId }
    const more = { keyType: 'management', type: 'management', walletId: other.walletId, organizationId: other.userId }
    for (const [field, value] of Object.entries({ ...body, ...more })) {
      const refused = await change(made.id, { enabled: false, [field]: value })
      expect([refused.status, refused.json['error']], field).toMatchObject([400, { code: 'unsupported_param' }])
      expect(refused.message).toContain(`\`${field}\` can't be changed here. You can change: enabled, spendLimitUsd,`)
    }
    expect(await listed(made.id)).toMatchObject({
      name: 'laptop',
      label: 'laptop',
      keyType: 'standard',
      keySuffix: made.key.slice(-4),
      enabled: true,
    })
    expect(await world.spend(made)).toBe(200)
    expect((await world.send({ key: 'sk-weir-mine' }, 'GET', '/v1/key')).status).toBe(401)
  })

  it.each<[JsonObject, string]>([
    [{ enabled: 'no' }, 'enabled must be true or false'],
    [{ disabled: null }, 'disabled must be true or false'],
    [{ enabled: true, disabled: true }, 'enabled and disabled have different values'],
    [{ spendLimitUsd: 'x' }, 'spendLimitUsd must be a number in USD'],
    [{ spendLimitUsd: -0.01 }, 'spend limit must be from 0 to 1000000000'],
    [{ spendLimitUsd: 1, limit: 2 }, 'spendLimitUsd and limit have different values'],
    [{ spendLimitPeriod: 'year' }, 'spendLimitPeriod must be one of'],
    [{ spendLimitPeriod: 'day' }, 'this key has none'],
    [{ spendLimitUsd: null, limit_reset: 'daily' }, 'this key has none'],
    [{ allowedCidrs: null }, 'allowedCidrs must be an array'],
  ])('answers %o with 400 that says what is wrong', async (body, message) => {
    const { id } = await createKeyOver(world, manager)
    const before = await listed(id)
    const answer = await change(id, body)
    expect(answer.status).toBe(400)
    expect(answer.message).toContain(message)
    expect(await listed(id)).toEqual(before)
  })

  it('leaves an entry in the audit log with what was and what is', async () => {
    const { id } = await createKeyOver(world, manager, { limit: 1 })
    await change(id, { enabled: false, limit: 2.25, limit_reset: 'weekly' })
    await change(id, { allowedCidrs: ['192.0.2.1'] })
    const actor = { actor_kind: 'key', actor_id: manager.keyId, action: 'key.update' }
    expect((await world.auditOf(id)).slice(1)).toMatchObject([
      {
        ...actor,
        before: { enabled: true, spendLimitUsd: 1, spendLimitPeriod: null },
        after: { enabled: false, spendLimitUsd: 2.25, spendLimitPeriod: 'week' },
      },
      { ...actor, before: { allowedCidrs: [] }, after: { allowedCidrs: ['192.0.2.1'] } },
    ])
  })
})
