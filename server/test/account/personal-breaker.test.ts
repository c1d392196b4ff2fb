import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import type { Credential } from '#test/setup/client.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

describe('/api/user/circuit-breaker', () => {
  let world: MoneyWorld
  const hourMs = 3_600_000
  // Today, so that sessions have not expired, at the start of an hour.
  const start = Math.floor(Date.now() / hourMs) * hourMs + hourMs
  const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString()
  const clock = createTestClock(at(0))

  beforeAll(async () => {
    world = await startMoneyWorld({}, clock)
    // 500 completion tokens at 0.000012 are six tenths of a cent.
    const usage = { prompt: 0, completion: 500 }
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  })
  afterAll(() => world.close())

  async function call(
    method: 'GET' | 'PATCH',
    credential: Credential | undefined,
    body?: JsonObject,
  ): Promise<{ status: number; body: JsonObject }> {
    const { status, json } = await world.as(credential).send(method, '/api/user/circuit-breaker', body)
    return { status, body: json }
  }
  const spend = async (key: string) => (await world.call({ key }, { max_tokens: 500 })).status
  const session = async (userId: string) => ({ cookie: await world.signIn(userId) })

  it('[BREAKER-10] sums over every key of the person, personal ones and those of organizations', async () => {
    clock.set(at(0))
    const person = await world.createClient()
    const organization = await world.createOrganization()
    const { memberId } = await world.addMember(organization.id, { userId: person.userId })
    const ofOrganization = await world.addOrganizationKey(organization.id, { memberId })
    const stranger = await world.createClient()
    const headers = await session(person.userId)
    const changed = await call('PATCH', headers, { cbEnabled: true, cbMinuteUsd: 0.01 })
    expect(changed).toEqual({
      status: 200,
      body: {
        settings: { cbEnabled: true, cbMinuteUsd: 0.01, cbHourlyUsd: null },
        resolvedSettings: { cbEnabled: true, cbMinuteUsd: 0.01, cbHourlyUsd: 20 },
        liveSpend: { minuteSpend: 0, hourSpend: 0 },
      },
    })
    expect(await spend(person.key)).toBe(200)
    // 0.006 is spent, which is below 0.01.
    expect(await spend(ofOrganization.key)).toBe(200)
    expect(await spend(ofOrganization.key)).toBe(429)
    expect(await spend(person.key)).toBe(429)
    expect(await spend(stranger.key)).toBe(200)
    await world.settled()
    expect((await call('GET', headers)).body).toMatchObject({ liveSpend: { minuteSpend: 0.012, hourSpend: 0.012 } })

    clock.set(at(60))
    expect(await spend(ofOrganization.key)).toBe(200)
    expect(await spend(person.key)).toBe(200)
    expect(await spend(person.key)).toBe(429)
    await world.settled()
    expect((await call('GET', headers)).body).toMatchObject({ liveSpend: { minuteSpend: 0.012, hourSpend: 0.024 } })
    const off = await call('PATCH', headers, { cbEnabled: false })
    expect(off.body).toMatchObject({ settings: { cbEnabled: false, cbMinuteUsd: 0.01 } })
    expect(await spend(person.key)).toBe(200)
  })

  it('[BREAKER-10] counts what was spent in its window while it was off', async () => {
    clock.set(at(120))
    const { userId, key } = await world.createClient()
    const headers = await session(userId)
    await call('PATCH', headers, { cbEnabled: true, cbMinuteUsd: 1 })
    expect(await spend(key)).toBe(200)
    await call('PATCH', headers, { cbEnabled: false })
    expect([await spend(key), await spend(key)]).toEqual([200, 200])
    await world.settled()
    await call('PATCH', headers, { cbEnabled: true, cbMinuteUsd: 0.018 })
    expect(await spend(key)).toBe(429)
  })

  it('[BREAKER-10] refuses values below 0.01 and whatever is no amount, and changes nothing', async () => {
    const { userId } = await world.createClient()
    const headers = await session(userId)
    const before = await call('GET', headers)
    const wrong: JsonObject[] = [
      { cbMinuteUsd: 0.009999999 },
      { cbHourlyUsd: 0 },
      { cbHourlyUsd: -1 },
      { cbMinuteUsd: '5' },
      { cbMinuteUsd: 0.0123456789 },
      { cbMinuteUsd: 1e300 },
      { cbEnabled: 'yes' },
      { cbEnabled: true, cbHourlyUsd: 0.001 },
      {},
    ]
    for (const body of wrong) {
      const reply = await call('PATCH', headers, body)
      expect(reply, JSON.stringify(body)).toMatchObject({ status: 400, body: { error: { code: 400 } } })
    }
    expect(await call('GET', headers)).toEqual(before)
  })

  it('[BREAKER-10] goes back to the default with null', async () => {
    const { userId } = await world.createClient()
    const headers = await session(userId)
    await call('PATCH', headers, { cbEnabled: true, cbMinuteUsd: 2.5, cbHourlyUsd: 7 })
    const { body } = await call('PATCH', headers, { cbMinuteUsd: null, cbEnabled: null })
    expect(body).toMatchObject({
      settings: { cbEnabled: false, cbMinuteUsd: null, cbHourlyUsd: 7 },
      resolvedSettings: { cbEnabled: false, cbMinuteUsd: 5, cbHourlyUsd: 7 },
    })
  })

  it('[BREAKER-04] is off until it is switched on, and then trips at $5 a minute and $20 an hour', async () => {
    const { userId } = await world.createClient()
    const { body } = await call('GET', await session(userId))
    expect(body).toMatchObject({
      settings: { cbEnabled: false, cbMinuteUsd: null, cbHourlyUsd: null },
      resolvedSettings: { cbEnabled: false, cbMinuteUsd: 5, cbHourlyUsd: 20 },
    })
  })

  it('is of the person a management key acts for, whoever pays for the key', async () => {
    const person = await world.createClient()
    const organization = await world.createOrganization()
    const { memberId } = await world.addMember(organization.id, { userId: person.userId, role: 'org_admin' })
    const manage = { type: 'management' } as const
    const personal = await world.addKey(person.userId, manage)
    const ofMember = await world.addOrganizationKey(organization.id, { memberId, terms: manage })
    const ofNobody = await world.addOrganizationKey(organization.id, { terms: manage })
    expect((await call('PATCH', personal, { cbHourlyUsd: 3 })).status).toBe(200)
    const seen = await call('GET', ofMember)
    expect(seen.body).toMatchObject({ settings: { cbHourlyUsd: 3 } })
    expect((await call('GET', ofNobody)).status).toBe(403)
    expect((await call('GET', person)).status).toBe(403)
    expect((await call('GET', undefined)).status).toBe(401)
  })

  it('writes every change to the log of the platform, with what was and what is', async () => {
    const { userId } = await world.createClient()
    await call('PATCH', await session(userId), { cbEnabled: true, cbHourlyUsd: 1.5 })
    const { rows } = await world.pool.query(
      'SELECT actor_kind, actor_id, action, before, after, request_id FROM audit_entries WHERE chain_id = $1 AND target_id = $2',
      ['00000000-0000-0000-0000-000000000000', userId],
    )
    expect(rows).toEqual([
      {
        actor_kind: 'user',
        actor_id: userId,
        action: 'user.cb.update',
        before: { cbEnabled: false, cbMinuteUsd: null, cbHourlyUsd: null },
        after: { cbEnabled: true, cbMinuteUsd: null, cbHourlyUsd: 1.5 },
        request_id: expect.stringMatching(/./),
      },
    ])
  })
})
