import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

describe('[ACCT-25] insights that are asked for again', () => {
  let gateway: UsageGateway
  let second: TestGateway
  beforeAll(async () => {
    gateway = await startUsageGateway()
    // Another process of the same service: the same database and the same Redis.
    second = await startTestGateway({ WEIR_POSTGRES_URL: gateway.databaseUrl })
  })
  afterAll(async () => {
    await second.close()
    await gateway.close()
  })

  it('are the same for five minutes, by whichever process; other questions are answered anew', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [{ usd: '1' }])
    const { body: first } = await gateway.read('/v1/insights', caller.key)
    await gateway.spend(caller, [{ usd: '2' }])
    expect((await gateway.read('/v1/insights?period=7d&heatmap_metric=spend', caller.key)).body).toEqual(first)
    const elsewhere = await second.as(caller).get('/v1/insights')
    expect(elsewhere.json).toEqual(first)
    const others = ['period=30d', 'heatmap_metric=tokens', 'model=acme/model', `api_key_id=${caller.keyId}`]
    for (const query of others) {
      const { body } = await gateway.read(`/v1/insights?${query}`, caller.key)
      expect(body).toMatchObject({ totals: { spend: 3 } })
      expect(Date.parse(String(body['generatedAt']))).toBeGreaterThan(Date.parse(String(first['generatedAt'])))
    }
  })

  it('are one answer, however many ask at the same time and wherever', async () => {
    const caller = await gateway.createClient()
    const asked = Array.from({ length: 12 }, async (_, index) => {
      const response = await (index % 2 === 0 ? gateway : second).as(caller).get('/v1/insights?period=ytd')
      return response.text
    })
    expect(new Set(await Promise.all(asked)).size).toBe(1)
  })

  it('are kept apart for each account', async () => {
    const [one, other] = [await gateway.createClient(), await gateway.createClient()]
    await gateway.spend(one, [{ usd: '1' }])
    expect((await gateway.read('/v1/insights', one.key)).body).toMatchObject({ totals: { spend: 1 } })
    expect((await gateway.read('/v1/insights', other.key)).body).toMatchObject({ totals: { spend: 0 } })
  })

  it('stop showing an organization to whoever stops watching its bill', async () => {
    const { id, walletId } = await gateway.createOrganization()
    const { memberId } = await gateway.addMember(id, { role: 'org_admin' })
    const manager = await gateway.addOrganizationKey(id, { memberId, terms: { type: 'management' } })
    await gateway.spend({ ...(await gateway.addOrganizationKey(id)), walletId, organizationId: id }, [{ usd: '1' }])
    expect((await gateway.read('/v1/insights', manager.key)).body).toMatchObject({ totals: { spend: 1 } })
    await gateway.pool.query(`UPDATE members SET role = 'member' WHERE id = $1`, [memberId])
    expect((await gateway.read('/v1/insights', manager.key)).body).toMatchObject({ totals: { spend: 0 } })
  })
})

describe('[ACCT-25] insights without Redis', () => {
  let gateway: UsageGateway
  beforeAll(async () => {
    // Nothing listens on the discard port.
    gateway = await startUsageGateway({ WEIR_REDIS_URL: 'redis://127.0.0.1:9' })
  })
  afterAll(() => gateway.close())

  it('are kept by the process itself', async () => {
    const caller = await gateway.createClient()
    const { status, body: first } = await gateway.read('/v1/insights', caller.key)
    expect(status).toBe(200)
    await gateway.spend(caller, [{ usd: '2' }])
    expect((await gateway.read('/v1/insights', caller.key)).body).toEqual(first)
  })
})
