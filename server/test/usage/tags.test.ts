import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Reply } from '#test/setup/reply.ts'
import { rollUpUsage } from './roll-up-usage.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway
beforeAll(async () => {
  gateway = await startUsageGateway({ WEIR_LIMITS_TAGS_MAX: '3' })
})
afterAll(() => gateway.close())

const chat = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
// What the test model charges for this prompt.
const cost = 0.000004

function call(owner: TestClient, tags: string | null, body: JsonObject = {}): Promise<Reply> {
  const headers = tags === null ? {} : { 'x-weir-tags': tags }
  return gateway.as(owner.key).post('/v1/chat/completions', { ...chat, ...body }, { headers })
}

async function usage(owner: TestClient, query = '', period = 'year'): Promise<JsonObject> {
  await rollUpUsage(gateway.pool)
  const { status, body } = await gateway.read(`/v1/usage?period=${period}${query}`, { key: owner.key })
  expect(status).toBe(200)
  return body
}

/** Requests by tag, such as `{ 'team=search': 2 }`. */
function byTag(body: JsonObject): Record<string, unknown> | undefined {
  const list = body['byTag']
  if (!Array.isArray(list)) return undefined
  const entries = list.filter(isJsonObject)
  return Object.fromEntries(entries.map(({ name, value, requests }) => [`${String(name)}=${String(value)}`, requests]))
}

describe('tags of requests', () => {
  it('[NEXT-30] group and filter usage, and are shown with each request', async () => {
    const owner = await gateway.createClient({ usd: '5' })
    expect(byTag(await usage(owner))).toBeUndefined()
    expect((await call(owner, null)).status).toBe(200)
    const both = await call(owner, 'team=search, feature=rewrite')
    expect(both.status, both.text).toBe(200)
    expect((await call(owner, 'feature=rewrite,team=search')).status).toBe(200)
    expect((await call(owner, 'team=ads', { stream: true })).status).toBe(200)

    const all = await usage(owner)
    expect(all['totals']).toMatchObject({ requests: 4 })
    expect(byTag(all)).toEqual({ 'team=search': 2, 'feature=rewrite': 2, 'team=ads': 1 })
    const search = await usage(owner, '&tag=team%3Dsearch')
    expect(search['totals']).toMatchObject({ requests: 2, spend: 2 * cost })
    expect(byTag(search)).toEqual({ 'team=search': 2, 'feature=rewrite': 2 })
    expect((await usage(owner, '&tag=team%3Dads&granularity=hour', 'day'))['totals']).toMatchObject({ requests: 1 })
    expect((await usage(owner, '&tag=team%3Dnobody'))['totals']).toMatchObject({ requests: 0 })

    const id = both.headers.get('x-generation-id')
    const receipt = await gateway.read(`/v1/generation?id=${id}`, { key: owner.key })
    expect(receipt.body['data']).toMatchObject({ tags: { team: 'search', feature: 'rewrite' } })
    const list = await gateway.read('/v1/generations', { key: owner.key })
    const tags = (list.body['data'] as JsonObject[]).map((entry) => entry['tags'])
    expect(tags).toEqual([
      { team: 'ads' },
      { team: 'search', feature: 'rewrite' },
      { team: 'search', feature: 'rewrite' },
      undefined,
    ])
  })

  it('[NEXT-31] are refused before anything is sent if they are malformed', async () => {
    const owner = await gateway.createClient({ usd: '5' })
    for (const tags of [
      '',
      'team',
      'team=a b',
      'team=a,team=b',
      Array.from('abcdefghi', (name) => `${name}=1`).join(),
    ]) {
      const reply = await call(owner, tags)
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('X-Weir-Tags')])
    }
    expect((await gateway.read('/v1/usage?tag=team', { key: owner.key })).status).toBe(400)
    expect(byTag(await usage(owner))).toBeUndefined()
  })

  it('[NEXT-32] are of a bounded number per wallet: known ones are accepted beyond it', async () => {
    const owner = await gateway.createClient({ usd: '5' })
    const replies = await Promise.all(['1', '2', '3', '4', '5', '6'].map((value) => call(owner, `step=${value}`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403, 403])
    const refused = replies.find(({ status }) => status === 403)
    expect(refused?.json['error']).toMatchObject({
      code: 'too_many_tags',
      message: expect.stringContaining('3 different'),
    })
    expect(await gateway.walletOf(owner.walletId)).toMatchObject({ held: '0' })
    const known = Object.keys(byTag(await usage(owner)) ?? {})
    expect(known).toHaveLength(3)
    expect((await call(owner, known[0] ?? null)).status).toBe(200)
  })

  it('[NEXT-32] of another wallet are other tags', async () => {
    const [one, other] = [await gateway.createClient({ usd: '5' }), await gateway.createClient({ usd: '5' })]
    expect((await call(one, 'team=search')).status).toBe(200)
    expect(byTag(await usage(other))).toBeUndefined()
    expect((await usage(other, '&tag=team%3Dsearch'))['totals']).toMatchObject({ requests: 0 })
    expect((await call(other, 'team=search')).status).toBe(200)
    expect(byTag(await usage(one))).toEqual({ 'team=search': 1 })
  })

  it('cost nothing where there are none: the settle stays plain', async () => {
    const owner = await gateway.createClient({ usd: '5' })
    expect((await call(owner, null)).status).toBe(200)
    const { rows } = await gateway.pool.query('SELECT tag_ids FROM generations WHERE wallet_id = $1', [owner.walletId])
    expect(rows).toEqual([{ tag_ids: null }])
  })
})
