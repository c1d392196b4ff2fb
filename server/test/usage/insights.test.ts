import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import { newUuid } from '#lib/uuid.ts'
import { dayMs } from '#test/setup/day.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway

beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

/** Noon, this many days ago. */
function daysAgo(count: number): string {
  return new Date(startOf('day', Date.now()) - count * dayMs + dayMs / 2).toISOString()
}

const noTotals = { spend: 0, tokens: 0, requests: 0, promptTokens: 0, completionTokens: 0 }

describe('GET /v1/insights', () => {
  it('[ACCT-21] is for keys, and for sessions on the website, and for nobody else', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [{ usd: '0.5' }])
    const { status, body } = await gateway.read('/v1/insights', caller.key)
    expect(status).toBe(200)
    expect(body).toMatchObject({ totals: { spend: 0.5 } })
    const cookie = await gateway.signIn(caller.userId)
    const session = await gateway.read('/v1/insights', { cookie })
    expect(session).toEqual({ status: 200, body })
    expect((await gateway.read('/v1/insights')).status).toBe(401)
    expect((await gateway.read('/v1/insights', 'sk-weir-nonsense')).status).toBe(401)
  })

  it('[ACCT-22] [ACCT-23] echoes period and metric, takes 7d and spend for granted, and refuses others', async () => {
    const { key } = await gateway.createClient()
    expect((await gateway.read('/api/v1/insights', key)).body).toMatchObject({ period: '7d', heatmapMetric: 'spend' })
    for (const period of ['7d', '30d', 'ytd', 'all']) {
      expect((await gateway.read(`/v1/insights?period=${period}`, key)).body).toMatchObject({ period })
    }
    for (const heatmapMetric of ['spend', 'tokens', 'requests']) {
      const { body } = await gateway.read(`/v1/insights?heatmap_metric=${heatmapMetric}`, key)
      expect(body).toMatchObject({ heatmapMetric })
    }
    for (const name of ['period', 'heatmap_metric']) {
      const { status, body } = await gateway.read(`/v1/insights?${name}=90d`, key)
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { message: expect.stringContaining(name) } })
    }
  })

  it('[ACCT-27] [ACCT-28] tells totals, what was before, days, models, keys, applications and speed', async () => {
    const caller = await gateway.createClient({ terms: { name: 'main' } })
    const second = { walletId: caller.walletId, ...(await gateway.addKey(caller.userId, { name: 'second' })) }
    const large = { model: 'acme/large', appName: 'Desk' }
    await gateway.spend(caller, [
      { at: daysAgo(0), usd: '0.3', savedUsd: '0.05', prompt: 100, completion: 20, firstTokenMs: 150, ...large },
      { at: daysAgo(2), usd: '0.1', savedUsd: '0.000000001', prompt: 10, completion: 2, firstTokenMs: 400 },
      { at: daysAgo(2), usd: '0', refundReason: 'upstream_failed' },
      { at: daysAgo(7), usd: '0.7', prompt: 7 },
      { at: daysAgo(14), usd: '5' },
    ])
    await gateway.spend(second, [{ at: daysAgo(6), usd: '0.2', prompt: 1, completion: 1, ...large }])
    const { body } = await gateway.read('/v1/insights', caller.key)
    const dates = [6, 5, 4, 3, 2, 1, 0].map((count) => daysAgo(count).slice(0, 10))
    const point = (ago: number, model: string, cost: number, tokens: number, requests: number) => ({
      date: daysAgo(ago).slice(0, 10),
      model,
      cost,
      tokens,
      requests,
    })
    expect(body).toEqual({
      period: '7d',
      heatmapMetric: 'spend',
      filters: { model: null, apiKeyId: null, app: null },
      generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      totals: { spend: 0.6, tokens: 134, requests: 4, promptTokens: 111, completionTokens: 23 },
      previousTotals: { ...noTotals, spend: 0.7, tokens: 7, requests: 1, promptTokens: 7 },
      heatmap: [
        { date: dates[0], value: 0.2, level: 3 },
        ...[1, 2, 3].map((position) => ({ date: dates[position], value: 0, level: 0 })),
        { date: dates[4], value: 0.1, level: 2 },
        { date: dates[5], value: 0, level: 0 },
        { date: dates[6], value: 0.3, level: 4 },
      ],
      timeSeries: [
        point(6, 'acme/large', 0.2, 2, 1),
        point(2, 'acme/model', 0.1, 12, 2),
        point(0, 'acme/large', 0.3, 120, 1),
      ],
      topModels: [
        { model: 'acme/large', spend: 0.5, tokens: 122, requests: 2, sharePct: 83.33 },
        { model: 'acme/model', spend: 0.1, tokens: 12, requests: 2, sharePct: 16.67 },
      ],
      topKeys: [
        { keyId: caller.keyId, keyName: 'main', spend: 0.4, tokens: 132, requests: 3, sharePct: 66.67 },
        { keyId: second.keyId, keyName: 'second', spend: 0.2, tokens: 2, requests: 1, sharePct: 33.33 },
      ],
      topApps: [
        { appName: 'Desk', spend: 0.5, tokens: 122, requests: 2, sharePct: 83.33 },
        { appName: null, spend: 0.1, tokens: 12, requests: 2, sharePct: 16.67 },
      ],
      performance: { p50FirstTokenMs: 200, p95FirstTokenMs: 485, errorRate: 0.25 },
      cacheSavings: 0.050000001,
    })
    const tokens = (await gateway.read('/v1/insights?heatmap_metric=tokens', caller.key)).body
    expect(tokens['heatmap']).toMatchObject({
      0: { value: 2, level: 1 },
      4: { value: 12 },
      6: { value: 120, level: 4 },
    })
    const requests = (await gateway.read('/v1/insights?heatmap_metric=requests', caller.key)).body
    expect(requests['heatmap']).toMatchObject({ 0: { value: 1, level: 2 }, 4: { value: 2, level: 4 }, 6: { value: 1 } })
  })

  it('[ACCT-27] [ACCT-28] shows at most ten of each kind, and shares of all there are', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(
      caller,
      Array.from({ length: 20 }, (_, index) => ({ usd: '0.05', model: `acme/m${index}`, appName: `app ${index}` })),
    )
    const { body } = await gateway.read('/v1/insights', caller.key)
    for (const list of ['topModels', 'topApps']) {
      expect(body[list]).toHaveLength(10)
      expect(body[list]).toMatchObject({ 0: { sharePct: 5 }, 9: { sharePct: 5 } })
    }
    expect(body['topKeys']).toMatchObject([{ sharePct: 100 }])
  })

  it('[ACCT-27] tells all there is by the month, from the day of the wallet on, and the latest year by the day', async () => {
    const caller = await gateway.createClient()
    await gateway.pool.query(`UPDATE wallets SET created_at = '2023-05-06T07:08:09Z' WHERE id = $1`, [caller.walletId])
    await gateway.spend(caller, [
      { at: '2023-05-05T23:59:59Z', usd: '9' },
      { at: '2023-05-06T00:00:00Z', usd: '0.1' },
      { at: '2023-05-31T00:00:00Z', usd: '0.2' },
      { at: daysAgo(366), usd: '0.8' },
      { at: daysAgo(365), usd: '0.4' },
    ])
    const { body } = await gateway.read('/v1/insights?period=all', caller.key)
    expect(body).toMatchObject({ totals: { spend: 1.5, requests: 4 }, previousTotals: noTotals })
    expect(body['timeSeries']).toMatchObject({ 0: { date: '2023-05-01', cost: 0.3, requests: 2 } })
    expect(body['heatmap']).toHaveLength(366)
    expect(body['heatmap']).toMatchObject({
      0: { date: daysAgo(365).slice(0, 10), value: 0.4, level: 4 },
      365: { date: dateOf(Date.now()), value: 0, level: 0 },
    })
  })

  it('[ACCT-22] compares the year so far with the same days of the last one', async () => {
    const caller = await gateway.createClient()
    const year = new Date().getUTCFullYear()
    await gateway.spend(caller, [
      { at: `${year}-01-01T00:00:00Z`, usd: '0.1' },
      { at: `${year - 1}-01-01T00:00:00Z`, usd: '0.2' },
      { at: `${year - 2}-12-31T23:59:59Z`, usd: '4' },
    ])
    const { body } = await gateway.read('/v1/insights?period=ytd', caller.key)
    expect(body).toMatchObject({ totals: { spend: 0.1 }, previousTotals: { spend: 0.2 } })
    expect(body['heatmap']).toMatchObject({ 0: { date: `${year}-01-01`, value: 0.1 } })
  })

  it('[ACCT-24] restricts every figure to a model, a key or an application, and says so', async () => {
    const caller = await gateway.createClient()
    const second = { walletId: caller.walletId, ...(await gateway.addKey(caller.userId)) }
    const chosen = { model: 'acme/chosen', appName: 'Ünit & Co' }
    const common = { savedUsd: '0.01', prompt: 5, firstTokenMs: 150 }
    await gateway.spend(caller, [
      { at: daysAgo(1), usd: '1', ...common, firstTokenMs: 3_000 },
      { at: daysAgo(8), usd: '2', ...common },
      { at: daysAgo(1), usd: '0', refundReason: 'upstream_failed' },
    ])
    await gateway.spend(second, [
      { at: daysAgo(1), usd: '0.25', ...common, ...chosen },
      { at: daysAgo(8), usd: '0.5', ...common, ...chosen },
    ])
    const filters = { model: 'acme/chosen', apiKeyId: second.keyId, app: 'Ünit & Co' }
    const app = encodeURIComponent(filters.app)
    const bodies: JsonObject[] = []
    for (const query of [`model=${filters.model}`, `api_key_id=${second.keyId}`, `app=${app}`]) {
      bodies.push((await gateway.read(`/v1/insights?${query}`, caller.key)).body)
    }
    const together = `model=${filters.model}&api_key_id=${second.keyId}&app=${app}`
    bodies.push((await gateway.read(`/v1/insights?${together}`, caller.key)).body)
    const none = { model: null, apiKeyId: null, app: null }
    expect(bodies.map((body) => body['filters'])).toEqual([
      { ...none, model: filters.model },
      { ...none, apiKeyId: filters.apiKeyId },
      { ...none, app: filters.app },
      filters,
    ])
    for (const body of bodies) {
      expect(body).toMatchObject({
        totals: { spend: 0.25, tokens: 5, requests: 1 },
        previousTotals: { spend: 0.5, requests: 1 },
        heatmap: { 5: { value: 0.25, level: 4 } },
        timeSeries: [{ model: filters.model, cost: 0.25 }],
        topModels: [{ model: filters.model, sharePct: 100 }],
        topKeys: [{ keyId: second.keyId, sharePct: 100 }],
        topApps: [{ appName: filters.app, sharePct: 100 }],
        performance: { p50FirstTokenMs: 150, p95FirstTokenMs: 195, errorRate: 0 },
        cacheSavings: 0.01,
      })
    }
    const crossed = await gateway.read(`/v1/insights?model=acme/model&api_key_id=${second.keyId}`, caller.key)
    expect(crossed.body).toMatchObject({ totals: noTotals, topKeys: [], timeSeries: [] })
  })

  it('[ACCT-26] says of a key of others what it says of one without requests, and listens to no user parameter', async () => {
    const [caller, other] = [await gateway.createClient(), await gateway.createClient()]
    await gateway.spend(caller, [{ usd: '1' }])
    await gateway.spend(other, [{ usd: '2' }])
    const unused = await gateway.addKey(caller.userId)
    const asked = [unused.keyId, other.keyId, newUuid(Date.now()), 'no-uuid']
    const answers: JsonObject[] = []
    for (const id of asked) {
      const { status, body } = await gateway.read(`/v1/insights?api_key_id=${id}`, caller.key)
      expect(status).toBe(200)
      expect(body).toMatchObject({ filters: { apiKeyId: id }, totals: noTotals, topKeys: [] })
      answers.push({ ...body, generatedAt: '', filters: {} })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const { body } = await gateway.read('/v1/insights', caller.key)
    const curious = `user=${other.userId}&user_id=${other.userId}&userId=${other.userId}&wallet_id=${other.walletId}`
    expect((await gateway.read(`/v1/insights?${curious}`, caller.key)).body).toEqual(body)
    expect(body).toMatchObject({ totals: { spend: 1 } })
  })

  it("[ACCT-26] shows with an organization's key what its member used, whatever key is asked for", async () => {
    const { id, walletId } = await gateway.createOrganization()
    const keys = []
    for (const usd of ['1', '2']) {
      const { memberId, userId } = await gateway.addMember(id)
      const made = { ...(await gateway.addOrganizationKey(id, { memberId })), walletId, organizationId: id, memberId }
      await gateway.spend(made, [{ usd }])
      keys.push({ ...made, userId })
    }
    const nobody = { ...(await gateway.addOrganizationKey(id)), walletId, organizationId: id }
    await gateway.spend(nobody, [{ usd: '4' }])
    const [one, other] = keys
    if (one === undefined || other === undefined) throw new Error('two keys were made')
    const spentWith = async (key: string, query: string) => {
      const { body } = await gateway.read(`/v1/insights?${query}`, key)
      return { totals: body['totals'], keys: body['topKeys'] }
    }
    const own = { totals: { spend: 1 }, keys: [{ keyId: one.keyId, sharePct: 100 }] }
    expect(await spentWith(one.key, '')).toMatchObject(own)
    expect(await spentWith(one.key, `api_key_id=${one.keyId}`)).toMatchObject(own)
    expect(await spentWith(one.key, `api_key_id=${other.keyId}`)).toEqual({ totals: noTotals, keys: [] })
    expect(await spentWith(nobody.key, '')).toMatchObject({ totals: { spend: 4 }, keys: [{ keyId: nobody.keyId }] })
    expect(await spentWith(nobody.key, `api_key_id=${other.keyId}`)).toEqual({ totals: noTotals, keys: [] })
    const cookie = await gateway.signIn(one.userId)
    const personal = await gateway.read('/v1/insights', { cookie })
    expect(personal.body).toMatchObject({ totals: noTotals })
  })
})
