import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'

const list = async (): Promise<JsonObject[]> => {
  const parsed: unknown = JSON.parse((await runWeir('wallet', 'campaign', 'list', '--json')).out)
  return Array.isArray(parsed) ? parsed.filter(isJsonObject) : []
}

describe('the commands for redemption codes', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: gateway.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(gateway.databaseUrl),
    })
  })
  afterAll(() => gateway.close())

  it('P14 print codes as CSV that can be redeemed, once', async () => {
    const options =
      '--codes 2 --uses 3 --max 5 --per-person none --per-wallet 2 --ends 2999-01-31 --expires 2999-06-01'.split(' ')
    const { code, out } = await runWeir('wallet', 'campaign', 'create', 'Spring fair', '$2.50', ...options)
    expect(code).toBe(0)
    const [heading, ...lines] = out.trimEnd().split('\n')
    expect(heading).toBe('code,amount_usd,uses,ends_at,credit_expires_at,campaign,campaign_id')
    const [campaign] = await list()
    expect(campaign).toMatchObject({
      name: 'Spring fair',
      amount: '2.5',
      codes: 2,
      usesPerCode: 3,
      redemptions: 0,
      redemptionsMax: 5,
      perPersonMax: null,
      perWalletMax: 2,
      endsAt: '2999-01-31T00:00:00.000Z',
      creditExpiresAt: '2999-06-01T00:00:00.000Z',
      enabled: true,
    })
    expect(lines.map((line) => line.split(',').slice(1))).toEqual([
      ['2.5', '3', '2999-01-31T00:00:00.000Z', '2999-06-01T00:00:00.000Z', 'Spring fair', campaign?.id],
      ['2.5', '3', '2999-01-31T00:00:00.000Z', '2999-06-01T00:00:00.000Z', 'Spring fair', campaign?.id],
    ])
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const client = gateway.as({ cookie: await gateway.signIn(userId) })
    const redeem = async () =>
      (await client.post(`/api/wallets/${walletId}/redemptions`, { code: lines[0]?.split(',')[0] ?? '' })).status
    expect(await redeem()).toBe(201)
    expect((await runWeir('wallet', 'campaign', 'stop', String(campaign?.id))).out).toBe(
      `campaign ${String(campaign?.id)} is disabled\n`,
    )
    expect(await redeem()).toBe(400)
    await runWeir('wallet', 'campaign', 'resume', String(campaign?.id))
    expect(await redeem()).toBe(201)
    expect(await redeem()).toBe(400)
    const { out: table } = await runWeir('wallet', 'campaign', 'list')
    expect(table).toMatch(/Spring fair +2\.5 +2 of 5 +on +2999-01-31/)
    expect(await runWeir('audit', 'ledger')).toMatchObject({ code: 0 })
  })

  it('give a wallet credit that expires', async () => {
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const given = await runWeir('wallet', 'credit', walletId, '7.5', '--grant', '--expires', '2999-03-01')
    expect(given).toMatchObject({ code: 0 })
    const client = gateway.as({ cookie: await gateway.signIn(userId) })
    expect((await client.get(`/api/wallets/${walletId}`)).data).toMatchObject({
      balance: 7.5,
      expiring: [{ granted: 7.5, left: 7.5, expires_at: '2999-03-01T00:00:00.000Z' }],
    })
    const paid = await runWeir('wallet', 'credit', walletId, '7.5', '--expires', '2999-03-01')
    expect(paid).toMatchObject({ code: 1, error: expect.stringContaining('Only a grant can expire.') })
    const over = await runWeir('wallet', 'credit', walletId, '7.5', '--grant', '--expires', '2020-03-01')
    expect(over).toMatchObject({ code: 1, error: expect.stringContaining('must be in the future') })
    expect(await gateway.walletOf(walletId)).toMatchObject({ balance: '7.5' })
  })

  it.each([
    ['wallet campaign create Fair 0', 1, 'greater than zero'],
    ['wallet campaign create Fair five', 2, 'five is not a USD amount'],
    ['wallet campaign create Fair 5 --codes many', 2, '--codes must be a positive integer'],
    ['wallet campaign create Fair 5 --codes 10001', 1, 'must be from 1 to 10000'],
    ['wallet campaign create Fair 5 --ends yesterday', 2, 'not a valid date and time'],
    ['wallet campaign create Fair 5 --ends 2020-01-01', 1, 'in the future'],
    ['wallet campaign create Fair 5 --expires 2020-01-01', 1, 'expiry of the credit must be in the future'],
    ['wallet campaign stop nothing', 1, 'Campaign nothing not found'],
  ])('refuse %s', async (line, code, text) => {
    const before = (await list()).length
    expect(await runWeir(...line.split(' '))).toMatchObject({ code, error: expect.stringContaining(text) })
    expect(await list()).toHaveLength(before)
  })

  it('P14 the audit of the ledger finds a redemption without its credit, and a code that was given back', async () => {
    const { out } = await runWeir('wallet', 'campaign', 'create', 'Audited', '1')
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const client = gateway.as({ cookie: await gateway.signIn(userId) })
    const { data } = await client.post(`/api/wallets/${walletId}/redemptions`, {
      code: out.split('\n')[1]?.split(',')[0],
    })
    const tamper = async (text: string, found: string) => {
      await gateway.pool.query(`BEGIN; ${text}; COMMIT`)
      const audited = await runWeir('audit', 'ledger')
      expect(audited.code).toBe(3)
      expect(audited.out).toContain(found)
    }
    const { rows } = await gateway.pool.query<{ hash: string }>(
      `SELECT encode(code_hash, 'hex') AS hash FROM redemptions WHERE id = $1`,
      [data.id],
    )
    await tamper(
      `UPDATE redemption_codes SET uses_left = 1 WHERE code_hash = '\\x${rows[0]?.hash ?? ''}'`,
      'the redemption count of a code must match',
    )
    await tamper(
      `UPDATE redemption_campaigns SET redemptions_left = 1 WHERE name = 'Audited'`,
      'the redemption count of a campaign must match',
    )
    await tamper(`DELETE FROM redemptions WHERE id = '${String(data.id)}'`, 'a redemption must be credited once')
  })
})
