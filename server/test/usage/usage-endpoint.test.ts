import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway

beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

const march = '/v1/usage?period=custom&from=2026-03-01&to=2026-03-31'

function figures(spend: number, tokens: number, requests: number) {
  return { spend, tokens, requests }
}

function totalOf(body: JsonObject, list: string, field: string): number {
  const entries: unknown = body[list]
  if (!Array.isArray(entries)) throw new Error(`${list} is no list`)
  // In billionths, because sums of fractions drift.
  return entries.reduce<number>((sum, entry: JsonObject) => sum + Math.round(Number(entry[field]) * 1e9), 0)
}

describe('GET /v1/usage', () => {
  it.each(['day', 'week', 'month', 'year'] as const)('[ACCT-14] tells the %s so far', async (period) => {
    const caller = await gateway.createClient()
    const since = new Date(startOf(period, Date.now())).toISOString()
    await gateway.spend(caller, [{ usd: '0.5' }, { usd: '1', at: '2001-02-03T04:05:06Z' }])
    const { status, body } = await gateway.read(`/v1/usage?period=${period}`, caller.key)
    expect(status).toBe(200)
    expect(body).toMatchObject({ period, since, totals: { spend: 0.5, requests: 1 } })
  })

  it('[ACCT-14] is of this month unless told otherwise, and refuses what is no period', async () => {
    const { key } = await gateway.createClient()
    expect((await gateway.read('/api/v1/usage', key)).body).toMatchObject({ period: 'month' })
    const refused = await gateway.read('/v1/usage?period=decade', key)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('period') } })
  })

  it('[ACCT-15] tells the days from the first to the last, both included, and no others', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [
      { at: '2026-02-28T23:59:59.999Z', usd: '1' },
      { at: '2026-03-01T00:00:00Z', usd: '0.2' },
      { at: '2026-03-31T23:59:59.999Z', usd: '0.03' },
      { at: '2026-04-01T00:00:00Z', usd: '4' },
    ])
    const { body } = await gateway.read(march, caller.key)
    expect(body).toMatchObject({
      period: 'custom',
      since: '2026-03-01T00:00:00.000Z',
      until: '2026-04-01T00:00:00.000Z',
      totals: { spend: 0.23, requests: 2 },
      byModel: [{ spend: 0.23 }],
      byKey: [{ spend: 0.23 }],
      byApp: [{ spend: 0.23 }],
      timeSeries: [{ date: '2026-03-01' }, { date: '2026-03-31' }],
    })
  })

  it.each([
    ['from', 'to=2026-03-01'],
    ['to', 'from=2026-03-01'],
    ['to', 'from=2026-03-02&to=2026-03-01'],
    ['from', 'from=2026-02-30&to=2026-03-01'],
    ['to', 'from=2026-03-01&to=tomorrow'],
    ['to', 'from=2020-01-01&to=2026-03-01'],
    ['granularity', 'from=2026-03-01&to=2026-03-08&granularity=hour'],
    ['granularity', 'from=2026-03-01&to=2026-03-08&granularity=minute'],
  ])('[ACCT-15] refuses a custom period for its %s: %s', async (name, query) => {
    const { key } = await gateway.createClient()
    const { status, body } = await gateway.read(`/v1/usage?period=custom&${query}`, key)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message: expect.stringContaining(`parameter ${name} `) } })
  })

  it('[ACCT-16] [ACCT-17] [ACCT-18] [ACCT-19] sums up by model, key, application and day, the dearest first', async () => {
    const caller = await gateway.createClient({ usd: '10', terms: { name: 'first' } })
    const second = { walletId: caller.walletId, ...(await gateway.addKey(caller.userId, { name: 'second' })) }
    const app = { appName: 'Desk' }
    await gateway.spend(caller, [
      { at: '2026-03-01T10:00:00Z', usd: '0.000000001', model: 'acme/small', prompt: 10, completion: 5, ...app },
      { at: '2026-03-02T10:00:00Z', usd: '0.1', model: 'acme/large', prompt: 100, completion: 50 },
    ])
    await gateway.spend(second, [
      { at: '2026-03-02T11:00:00Z', usd: '0.7', model: 'acme/small', prompt: 1, completion: 2, ...app },
    ])
    const { body } = await gateway.read(march, caller.key)
    expect(body).toEqual({
      period: 'custom',
      since: '2026-03-01T00:00:00.000Z',
      until: '2026-04-01T00:00:00.000Z',
      credits: 9.199999999,
      totals: { ...figures(0.800000001, 168, 3), promptTokens: 111, completionTokens: 57 },
      byModel: [
        { model: 'acme/small', ...figures(0.700000001, 18, 2) },
        { model: 'acme/large', ...figures(0.1, 150, 1) },
      ],
      byKey: [
        { keyId: second.keyId, keyName: 'second', ...figures(0.7, 3, 1) },
        { keyId: caller.keyId, keyName: 'first', ...figures(0.100000001, 165, 2) },
      ],
      byApp: [
        { appName: 'Desk', ...figures(0.700000001, 18, 2) },
        { appName: null, ...figures(0.1, 150, 1) },
      ],
      timeSeries: [
        { date: '2026-03-01', model: 'acme/small', cost: 0.000000001, tokens: 15, requests: 1 },
        { date: '2026-03-02', model: 'acme/large', cost: 0.1, tokens: 150, requests: 1 },
        { date: '2026-03-02', model: 'acme/small', cost: 0.7, tokens: 3, requests: 1 },
      ],
    })
    const { body: about } = await gateway.read('/v1/key', caller.key)
    expect(about).toMatchObject({ data: { limit_remaining: body['credits'] } })
  })

  it('[ACCT-19] tells a few days by the hour where that is asked for, and what they came to also when hours are gone', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [
      { at: '2026-03-01T10:00:00Z', usd: '0.1' },
      { at: '2026-03-01T10:59:59.999Z', usd: '0.2' },
      { at: '2026-03-01T11:00:00Z', usd: '0.4' },
    ])
    const query = 'period=custom&from=2026-03-01&to=2026-03-07&granularity=hour'
    const { body } = await gateway.read(`/v1/usage?${query}`, caller.key)
    expect(body).toMatchObject({
      totals: { spend: 0.7, requests: 3 },
      timeSeries: [
        { date: '2026-03-01T10:00:00Z', cost: 0.3, requests: 2 },
        { date: '2026-03-01T11:00:00Z', cost: 0.4, requests: 1 },
      ],
    })
    await gateway.pool.query('DELETE FROM usage_hours WHERE wallet_id = $1', [caller.walletId])
    const { body: later } = await gateway.read(`/v1/usage?${query}`, caller.key)
    expect(later).toEqual({ ...body, timeSeries: [] })
  })

  it('[ACCT-18] adds up whatever callers name their applications, in at most 500 lines', async () => {
    const caller = await gateway.createClient()
    const requests = Array.from({ length: 520 }, (_, index) => ({
      at: '2026-03-05T00:00:00Z',
      usd: `0.000${String(index + 1).padStart(3, '0')}`,
      appName: `app ${index}`,
    }))
    await gateway.spend(caller, requests)
    const { body } = await gateway.read(march, caller.key)
    expect(body['byApp']).toHaveLength(500)
    expect(body['byApp']).toMatchObject({ 0: { appName: 'app 519' }, 499: { appName: '(other)', requests: 21 } })
    expect(totalOf(body, 'byApp', 'spend')).toBe(totalOf(body, 'byModel', 'spend'))
    expect(totalOf(body, 'byApp', 'spend')).toBe(135_460_000)
  })

  it('[ACCT-20] counts the own account alone, and asks for a key or a session', async () => {
    const [caller, other] = [await gateway.createClient(), await gateway.createClient()]
    await gateway.spend(other, [{ at: '2026-03-05T00:00:00Z', usd: '3' }])
    const { body } = await gateway.read(march, caller.key)
    expect(body).toMatchObject({ totals: { spend: 0, requests: 0 }, byModel: [], byKey: [], byApp: [], timeSeries: [] })
    const stranger = await gateway.read(`${march}&user=${other.userId}&wallet_id=${other.walletId}`, caller.key)
    expect(stranger.body).toEqual(body)
    expect((await gateway.read(march)).status).toBe(401)
    const cookie = await gateway.signIn(caller.userId)
    expect(await gateway.read(march, { cookie })).toEqual({ status: 200, body })
  })

  it('[KEY-19] keeps what a deleted key has used, under its name', async () => {
    const caller = await gateway.createClient()
    const manager = await gateway.addKey(caller.userId, { type: 'management' })
    const gone = { walletId: caller.walletId, ...(await gateway.addKey(caller.userId, { name: 'gone' })) }
    await gateway.spend(gone, [{ at: '2026-03-05T00:00:00Z', usd: '0.25', prompt: 4 }])
    const { body: before } = await gateway.read(march, caller.key)
    const deleted = await gateway.as(manager).delete(`/v1/keys/${gone.keyId}`)
    expect(deleted.status).toBeLessThan(300)
    expect((await gateway.read(march, gone.key)).status).toBe(401)
    const { body } = await gateway.read(march, caller.key)
    expect(body).toEqual(before)
    expect(body['byKey']).toEqual([{ keyId: gone.keyId, keyName: 'gone', ...figures(0.25, 4, 1) }])
  })
})

describe('[ACCT-20] GET /v1/usage with keys of an organization', () => {
  it('shows a member what the member used, and a key of nobody itself', async () => {
    const { keys } = await makeOrganization()
    expect(await namesSeenWith(keys.one.key)).toEqual(['second of one', 'one'])
    expect(await namesSeenWith(keys.other.key)).toEqual(['other'])
    expect(await namesSeenWith(keys.nobody.key)).toEqual(['nobody'])
  })

  it('shows the whole organization to a management key while its maker watches the bill, and not a moment longer', async () => {
    const { id, keys } = await makeOrganization()
    const everybody = ['nobody', 'other', 'second of one', 'one']
    const admin = await gateway.addMember(id, { role: 'org_admin' })
    const manager = await gateway.addOrganizationKey(id, { memberId: admin.memberId, terms: { type: 'management' } })
    const standard = await gateway.addOrganizationKey(id, { memberId: admin.memberId })
    expect(await namesSeenWith(manager.key)).toEqual(everybody)
    expect(await namesSeenWith(standard.key)).toEqual([])
    const become = (role: string) =>
      gateway.pool.query('UPDATE members SET role = $2 WHERE id = $1', [admin.memberId, role])
    await become('billing_viewer')
    expect(await namesSeenWith(manager.key)).toEqual(everybody)
    await become('member')
    expect(await namesSeenWith(manager.key)).toEqual([])
    expect(await namesSeenWith(keys.one.key)).toEqual(['second of one', 'one'])
  })
})

async function makeOrganization() {
  const { id, walletId } = await gateway.createOrganization()
  const [one, other] = [await gateway.addMember(id), await gateway.addMember(id)]
  const keyOf = async (name: string, memberId?: string) => {
    const made = await gateway.addOrganizationKey(id, {
      terms: { name },
      ...(memberId === undefined ? {} : { memberId }),
    })
    return { walletId, organizationId: id, memberId: memberId ?? null, ...made }
  }
  const keys = {
    one: await keyOf('one', one.memberId),
    second: await keyOf('second of one', one.memberId),
    other: await keyOf('other', other.memberId),
    nobody: await keyOf('nobody'),
  }
  const at = '2026-03-05T00:00:00Z'
  await gateway.spend(keys.one, [{ at, usd: '1' }])
  await gateway.spend(keys.second, [{ at, usd: '2' }])
  await gateway.spend(keys.other, [{ at, usd: '4' }])
  await gateway.spend(keys.nobody, [{ at, usd: '8' }])
  return { id, keys, memberId: one.memberId }
}

async function namesSeenWith(key: string): Promise<unknown[]> {
  const { body } = await gateway.read(march, key)
  const byKey: unknown = body['byKey']
  if (!Array.isArray(byKey)) throw new Error('byKey is no list')
  expect(totalOf(body, 'byKey', 'spend')).toBe(totalOf(body, 'timeSeries', 'cost'))
  return byKey.map((entry: JsonObject) => entry['keyName'])
}
