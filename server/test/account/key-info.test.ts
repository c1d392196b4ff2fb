import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { type AccountWorld, createAccountWorld } from './account-world.ts'

const dayMs = 86_400_000

describe('GET /v1/key', () => {
  let world: AccountWorld
  beforeAll(async () => {
    world = await createAccountWorld()
  })
  afterAll(() => world.database.drop())

  it('[ACCT-01] shows label, cap, reset and expiry as set, and null where there is none', async () => {
    const expiresAtMs = Date.parse('2099-01-02T03:04:05.000Z')
    const capped = await world.newCaller('20', {
      name: 'ci runner',
      limit: parseUsd('2.5'),
      period: 'month',
      expiresAtMs,
    })
    expect(await world.get('/v1/key', capped)).toMatchObject({
      label: 'ci runner',
      limit: 2.5,
      limit_reset: 'monthly',
      expires_at: '2099-01-02T03:04:05.000Z',
    })
    const free = await world.newCaller('20')
    expect(await world.get('/v1/key', free)).toMatchObject({ limit: null, limit_reset: null, expires_at: null })
  })

  it('[ACCT-02] shows the rest of the cap, held and spent, or else the balance of the wallet', async () => {
    const nowMs = Date.now()
    const capped = await world.newCaller('20', { limit: parseUsd('5'), period: 'day' })
    const remaining = async () => (await world.get('/v1/key', capped, { nowMs }))['limit_remaining']
    expect(await remaining()).toBe(5)
    const id = await world.hold(capped, '2', nowMs)
    expect(await remaining()).toBe(3)
    await world.settle(capped, { id, startedAtMs: nowMs, cost: parseUsd('0.000000001') })
    expect(await remaining()).toBe(4.999999999)
    const late = { startedAtMs: nowMs, cost: parseUsd('6') }
    await world.settle(capped, late)
    expect(await remaining()).toBe(0)

    const plain = await world.newCaller('20')
    await world.settle(plain, { cost: parseUsd('1.25') })
    expect((await world.get('/v1/key', plain))['limit_remaining']).toBe(18.75)
  })

  it('[ACCT-02] counts what was spent before the cap was set, until the first hold opens its window', async () => {
    const nowMs = Date.now()
    const before = await world.newCaller('20')
    await world.settle(before, { startedAtMs: nowMs, cost: parseUsd('1') })
    const capped = { ...before, keyCap: { limit: parseUsd('3'), period: null } }
    expect((await world.get('/v1/key', capped, { nowMs }))['limit_remaining']).toBe(2)
    await world.hold(capped, '0.5', nowMs)
    expect((await world.get('/v1/key', capped, { nowMs }))['limit_remaining']).toBe(1.5)
  })

  it('[ACCT-03] is of the free tier at $9.99 and not at $10', async () => {
    const below = await world.newCaller('9.99')
    expect(await world.get('/v1/key', below)).toMatchObject({ is_free_tier: true, rate_limit: { requests: 20 } })
    const funded = await world.newCaller('10')
    expect(await world.get('/v1/key', funded)).toMatchObject({ is_free_tier: false, rate_limit: { requests: 200 } })
    // The balance decides as it is now, not as it was when the key was cached.
    await world.settle(funded, { cost: parseUsd('0.000000001') })
    expect(await world.get('/v1/key', funded)).toMatchObject({ is_free_tier: true })
  })

  it('[ACCT-04] says the same twice about management keys', async () => {
    const manager = await world.newCaller('1', { type: 'management' })
    expect(await world.get('/v1/key', manager)).toMatchObject({ is_management_key: true, is_provisioning_key: true })
    const standard = await world.newCaller('1')
    expect(await world.get('/v1/key', standard)).toMatchObject({ is_management_key: false, is_provisioning_key: false })
  })

  it('[ACCT-05] [ACCT-06] [ACCT-07] counts spend and calls overall and per UTC day, week from Monday, and month', async () => {
    const caller = await world.newCaller('100')
    // Wednesday, 11 November 2026.
    const nowMs = Date.parse('2026-11-11T12:00:00Z')
    const moments = {
      '2026-11-11T00:00:00.000Z': '1',
      '2026-11-10T23:59:59.999Z': '2',
      '2026-11-09T00:00:00.000Z': '4',
      '2026-11-08T23:59:59.999Z': '8',
      '2026-11-01T00:00:00.000Z': '16',
      '2026-10-31T23:59:59.999Z': '32',
    }
    for (const [moment, cost] of Object.entries(moments)) {
      await world.settle(caller, { startedAtMs: Date.parse(moment), cost: parseUsd(cost) })
    }
    expect(await world.get('/v1/key', caller, { nowMs })).toMatchObject({
      usage: 63,
      usage_daily: 1,
      usage_weekly: 7,
      usage_monthly: 31,
      requests: 6,
      requests_daily: 1,
      requests_weekly: 3,
      requests_monthly: 5,
    })
    expect(await world.get('/v1/key', caller, { nowMs: nowMs + dayMs })).toMatchObject({ usage: 63, usage_daily: 0 })
  })

  it('[ACCT-08] has a numeric rate, an interval in words and a note', async () => {
    const { rate_limit } = await world.get('/v1/key', await world.newCaller('1'))
    expect(rate_limit).toEqual({ requests: 20, interval: '60s', note: expect.any(String) })
  })

  it('[ACCT-09] has no field about keys that callers bring', async () => {
    expect(Object.keys(await world.get('/v1/key', await world.newCaller('1'))).join()).not.toMatch(/byok/)
  })

  it('[ACCT-10] has a short form at /v1/auth/key that costs nothing', async () => {
    const caller = await world.newCaller('12', { name: 'editor', limit: parseUsd('5') })
    await world.settle(caller, { cost: parseUsd('0.5') })
    const before = await world.get('/v1/credits', caller)
    expect(await world.get('/v1/auth/key', caller)).toMatchObject({
      label: 'editor',
      usage: 0.5,
      limit: 5,
      is_free_tier: false,
      is_provisioning_key: false,
      rate_limit: { requests: 200, interval: '60s' },
    })
    expect(await world.get('/v1/credits', caller)).toEqual(before)
  })
})
