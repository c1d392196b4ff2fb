import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type CentWorld, startCentWorld } from './cent-world.ts'

/** A Wednesday. */
const today = '2026-11-11T12:00:00Z'

describe('GET /v1/key', () => {
  let world: CentWorld
  const clock = createTestClock(today)
  beforeAll(async () => {
    const limits = { WEIR_LIMITS_INFERENCE_LOW: '20', WEIR_LIMITS_INFERENCE_FUNDED: '200' }
    world = await startCentWorld(limits, clock)
  })
  beforeEach(() => clock.set(today))
  afterAll(() => world.close())

  const info = (caller: { key: string }) => world.get(caller, '/v1/key')
  const remaining = async (caller: { key: string }) => (await info(caller))['limit_remaining']

  it('[ACCT-01] shows label, cap, reset and expiry as set, and null where there is none', async () => {
    const expiresAtMs = Date.parse('2099-01-02T03:04:05.000Z')
    const terms = { name: 'ci runner', limit: parseUsd('2.5'), period: 'month', expiresAtMs } as const
    expect(await info(await world.createClient({ terms }))).toMatchObject({
      label: 'ci runner',
      limit: 2.5,
      limit_reset: 'monthly',
      expires_at: '2099-01-02T03:04:05.000Z',
    })
    expect(await info(await world.createClient())).toMatchObject({ limit: null, limit_reset: null, expires_at: null })
  })

  it('[ACCT-02] shows the rest of the cap, held and spent, or else the balance of the wallet', async () => {
    const capped = await world.createClient({ usd: '20', terms: { limit: parseUsd('5'), period: 'day' } })
    expect(await remaining(capped)).toBe(5)
    await world.spendAfter(capped, { held: 200, spent: 1 }, async () => {
      expect(await remaining(capped)).toBe(3)
    })
    expect(await remaining(capped)).toBe(4.99)
    await world.spend(capped, 499)
    expect(await remaining(capped)).toBe(0)

    const plain = await world.createClient({ usd: '20' })
    await world.spend(plain, 125)
    expect(await remaining(plain)).toBe(18.75)
  })

  it('[ACCT-02] counts what was spent before the cap was set, and what is held since', async () => {
    const caller = await world.createClient({ usd: '20' })
    const manager = await world.addKey(caller.userId, { type: 'management' })
    await world.spend(caller, 100)
    const changed = await world.as(manager).patch(`/v1/keys/${caller.keyId}`, { spendLimitUsd: 3 })
    expect(changed.status).toBe(200)
    await expect.poll(() => remaining(caller)).toBe(2)
    await world.spendAfter(caller, { held: 50, spent: 50 }, async () => {
      expect(await remaining(caller)).toBe(1.5)
    })
  })

  it('[ACCT-03] is of the free tier at $9.99 and not at $10', async () => {
    const below = await world.createClient({ usd: '9.99' })
    expect(await info(below)).toMatchObject({ is_free_tier: true, rate_limit: { requests: 20 } })
    const funded = await world.createClient({ usd: '10' })
    expect(await info(funded)).toMatchObject({ is_free_tier: false, rate_limit: { requests: 200 } })
    // The current balance decides, not the balance from when the key was cached.
    await world.spend(funded, 1)
    expect(await info(funded)).toMatchObject({ is_free_tier: true })
  })

  it('[ACCT-04] says the same twice about management keys', async () => {
    const manager = await world.createClient({ terms: { type: 'management' } })
    expect(await info(manager)).toMatchObject({ is_management_key: true, is_provisioning_key: true })
    const standard = await world.createClient()
    expect(await info(standard)).toMatchObject({ is_management_key: false, is_provisioning_key: false })
  })

  it('[ACCT-05] [ACCT-06] [ACCT-07] counts spend and calls overall and per UTC day, week from Monday, and month', async () => {
    const caller = await world.createClient({ usd: '100' })
    const moments = {
      '2026-10-31T23:59:59.999Z': 32,
      '2026-11-01T00:00:00.000Z': 16,
      '2026-11-08T23:59:59.999Z': 8,
      '2026-11-09T00:00:00.000Z': 4,
      '2026-11-10T23:59:59.999Z': 2,
      '2026-11-11T00:00:00.000Z': 1,
    }
    for (const [moment, cents] of Object.entries(moments)) {
      clock.set(moment)
      await world.spend(caller, cents)
    }
    clock.set(today)
    expect(await info(caller)).toMatchObject({
      usage: 0.63,
      usage_daily: 0.01,
      usage_weekly: 0.07,
      usage_monthly: 0.31,
      requests: 6,
      requests_daily: 1,
      requests_weekly: 3,
      requests_monthly: 5,
    })
    clock.set('2026-11-12T00:00:00Z')
    expect(await info(caller)).toMatchObject({ usage: 0.63, usage_daily: 0, requests: 6, requests_daily: 0 })
  })

  it('[ACCT-08] has a numeric rate, an interval in words and a note', async () => {
    const { rate_limit } = await info(await world.createClient({ usd: '1' }))
    expect(rate_limit).toEqual({ requests: 20, interval: '60s', note: expect.any(String) })
  })

  it('[ACCT-09] has no field about keys that callers bring', async () => {
    expect(Object.keys(await info(await world.createClient())).join()).not.toMatch(/byok/)
  })

  it('[ACCT-10] has a short form at /v1/auth/key that costs nothing and uses nothing up', async () => {
    const caller = await world.createClient({ usd: '12', terms: { name: 'editor', limit: parseUsd('5') } })
    await world.spend(caller, 50)
    const all = () => Promise.all(['/v1/credits', '/v1/key'].map((path) => world.get(caller, path)))
    const before = await all()
    expect(await world.get(caller, '/v1/auth/key')).toMatchObject({
      label: 'editor',
      usage: 0.5,
      limit: 5,
      is_free_tier: false,
      is_provisioning_key: false,
      rate_limit: { requests: 200, interval: '60s' },
    })
    // Reading the key changes neither money, nor requests, nor anything that a later request may use.
    expect(await all()).toEqual(before)
    const { headers } = await world.spend(caller, 1)
    expect(headers.get('x-ratelimit-remaining')).toBe('198')
  })
})
