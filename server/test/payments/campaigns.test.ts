import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { CallOptions, Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

const path = '/api/admin/redemption-campaigns'
const terms = { name: 'Spring', amountUsd: 5, codes: 3 }
const keyed = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } })

describe('campaigns of redemption codes', () => {
  let gateway: TestGateway
  let operator: Client
  let operatorKeyId: string
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
    const { key, keyId } = await gateway.addOperatorKey()
    operator = gateway.as(key)
    operatorKeyId = keyId
  })
  afterAll(() => gateway.close())

  const countOf = async (table: string): Promise<number> => {
    const { rows } = await gateway.pool.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`)
    return rows[0]?.count ?? -1
  }
  const newest = async (): Promise<JsonObject> => (await operator.get(`${path}?limit=1`)).list[0] ?? {}

  it('P14 are made with codes of 128 bits, which the answer alone has', async () => {
    const made = await operator.post(path, {
      ...terms,
      name: '=1+1',
      endsAt: '2999-01-01',
      creditExpiresAt: '2999-02-01T12:00:00Z',
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(made.headers.get('cache-control')).toBe('no-store')
    const campaign = await newest()
    expect(made.headers.get('content-disposition')).toBe(`attachment; filename="codes-${String(campaign.id)}.csv"`)
    const [heading, ...lines] = made.text.trimEnd().split('\r\n')
    expect(heading).toBe('code,amount_usd,uses,ends_at,credit_expires_at,campaign,campaign_id')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const [code = '', ...rest] = line.split(',')
      expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/)
      expect(rest).toEqual(['5', '1', '2999-01-01T00:00:00.000Z', '2999-02-01T12:00:00.000Z', `"'=1+1"`, campaign.id])
    }
    expect(new Set(lines).size).toBe(3)
    const { rows } = await gateway.pool.query<{ hash: string; uses_left: number }>(
      `SELECT encode(code_hash, 'hex') AS hash, uses_left FROM redemption_codes WHERE campaign_id = $1`,
      [campaign.id],
    )
    expect(rows.map(({ hash, uses_left: uses }) => [hash.length, uses])).toEqual([
      [64, 1],
      [64, 1],
      [64, 1],
    ])
  })

  it('P14 are not made twice by a repeated request, which is told that the codes cannot be shown again', async () => {
    const before = { campaigns: await countOf('redemption_campaigns'), codes: await countOf('redemption_codes') }
    const replies = await Promise.all(Array.from({ length: 20 }, () => operator.post(path, terms, keyed('batch-1'))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const { id } = await newest()
    for (const { status, message } of replies.filter(({ status }) => status !== 201)) {
      expect(status).toBe(409)
      expect(message).toBe(
        `An earlier request with this Idempotency-Key created the campaign ${String(id)}. Its codes were only in that response and can't be shown again. If you lost them, disable that campaign and create another one with a new Idempotency-Key.`,
      )
    }
    expect(await countOf('redemption_campaigns')).toBe(before.campaigns + 1)
    expect(await countOf('redemption_codes')).toBe(before.codes + 3)
    const other = await operator.post(path, { ...terms, amountUsd: 6 }, keyed('batch-1'))
    expect([other.status, other.message]).toEqual([
      409,
      'This Idempotency-Key was already used for a different campaign. Nothing was created.',
    ])
    // Keys of another operator are separate, and so is a new key.
    const colleague = gateway.as(await gateway.addOperatorKey())
    expect((await colleague.post(path, terms, keyed('batch-1'))).status).toBe(201)
    expect((await operator.post(path, terms, keyed('batch-2'))).status).toBe(201)
    expect(await countOf('redemption_campaigns')).toBe(before.campaigns + 3)
    for (const key of ['', ' ', 'ä', 'x'.repeat(201)]) {
      expect((await operator.post(path, terms, keyed(key))).status, key).toBe(400)
    }
  })

  it('are listed the newest first, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await operator.post(path, { ...terms, name })
    const first = await operator.get(`${path}?limit=2`)
    expect(first.list.map(({ name }) => name)).toEqual(['c', 'b'])
    const second = await operator.get(`${path}?limit=2&before=${String(first.json.nextCursor)}`)
    expect(second.list[0]).toMatchObject({ name: 'a' })
    expect((await operator.get(`${path}?before=x`)).status).toBe(400)
    const all = await operator.get(`${path}?limit=100`)
    expect(all.json.nextCursor).toBeNull()
    expect(first.list[0]).toEqual({
      id: expect.any(String),
      name: 'c',
      amountUsd: 5,
      codes: 3,
      usesPerCode: 1,
      redemptions: 0,
      redemptionsMax: 3,
      perPersonMax: 1,
      perWalletMax: 1,
      endsAt: null,
      creditExpiresAt: null,
      enabled: true,
      createdAt: expect.any(String),
    })
  })

  it('are switched off and on, and the log tells what changed and nothing else', async () => {
    await operator.post(path, { ...terms, usesPerCode: 4, redemptionsMax: 10, perPersonMax: 2, perWalletMax: null })
    const { id } = await newest()
    const patch = (body: JsonObject) => operator.patch(`${path}/${String(id)}`, body)
    expect((await patch({ enabled: false })).json).toMatchObject({ id, enabled: false })
    expect((await patch({ enabled: false })).json).toMatchObject({ enabled: false })
    expect((await patch({})).json).toMatchObject({ enabled: false })
    expect((await patch({ enabled: true })).json).toMatchObject({ enabled: true })
    expect((await patch({ enabled: 'no' })).status).toBe(400)
    for (const missing of ['nothing', operatorKeyId, 'a%00b']) {
      expect((await operator.patch(`${path}/${missing}`, { enabled: false })).status, missing).toBe(404)
    }
    const { rows } = await gateway.pool.query(
      `SELECT action, actor_id, before, after, details FROM audit_entries WHERE target_id = $1 ORDER BY sequence`,
      [id],
    )
    expect(rows).toEqual([
      {
        action: 'campaign.create',
        actor_id: operatorKeyId,
        before: null,
        after: null,
        details: {
          name: 'Spring',
          amount: 5,
          codes: 3,
          usesPerCode: 4,
          redemptionsMax: 10,
          perPersonMax: 2,
          perWalletMax: null,
          endsAt: null,
          creditExpiresAt: null,
        },
      },
      {
        action: 'campaign.update',
        actor_id: operatorKeyId,
        before: { enabled: true },
        after: { enabled: false },
        details: null,
      },
      {
        action: 'campaign.update',
        actor_id: operatorKeyId,
        before: { enabled: false },
        after: { enabled: true },
        details: null,
      },
    ])
  })

  it.each<[JsonObject]>([
    [{ name: '' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(201) }],
    [{ amountUsd: 0 }],
    [{ amountUsd: -1 }],
    [{ amountUsd: 1_000_001 }],
    [{ amountUsd: '5' }],
    [{ codes: 0 }],
    [{ codes: 1.5 }],
    [{ codes: 10_001 }],
    [{ usesPerCode: 0 }],
    [{ usesPerCode: 100_001 }],
    [{ redemptionsMax: 0 }],
    [{ redemptionsMax: 4 }],
    [{ perPersonMax: 0 }],
    [{ perWalletMax: -1 }],
    [{ endsAt: '2020-01-01' }],
    [{ endsAt: 'soon' }],
    [{ creditExpiresAt: '2020-01-01' }],
    [{ creditExpiresAt: 'soon' }],
  ])('are not made with %j', async (change) => {
    const before = await countOf('redemption_campaigns')
    expect((await operator.post(path, { ...terms, ...change })).status).toBe(400)
    expect(await countOf('redemption_campaigns')).toBe(before)
  })

  it('P14 are made with ten thousand codes in one answer', async () => {
    const made = await operator.post(path, { ...terms, codes: 10_000 })
    const codes = made.text.trimEnd().split('\r\n').slice(1)
    expect(new Set(codes).size).toBe(10_000)
    expect(await newest()).toMatchObject({ codes: 10_000, redemptionsMax: 10_000 })
  })
})
