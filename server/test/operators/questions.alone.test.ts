import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWeir } from '#test/audit/run-weir.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const weir = (line: string) => runWeir(...line.split(' '))

describe('a question at night is answered in a terminal with two commands at most', () => {
  let gateway: TestGateway
  let upstream: Simulator

  beforeAll(async () => {
    gateway = await startTestGateway()
    upstream = await startSimulator()
    await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
    const env = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: gateway.databaseUrl, WEIR_DATA_DIR: gateway.dataDir }
    Object.assign(process.env, env, { WEIR_REDIS_URL: 'redis://127.0.0.1:1' })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  const ask = async (key: string) => {
    const { headers } = await callChat(gateway.as(key), { model: 'openai/gpt-4o-mini' })
    return headers.get('x-generation-id') ?? ''
  }

  it('X was charged twice', async () => {
    const caller = await gateway.createClient()
    const [first, second] = [await ask(caller.key), await ask(caller.key)]
    const listed = await weir(`requests --customer ${caller.userId} --outcome charged`)
    expect(listed).toMatchObject({ code: 0, error: '' })
    expect(listed.out.match(/gen-\w+/g)).toEqual([second, first])
    const shown = await weir(`request ${first}`)
    expect(shown.code).toBe(0)
    expect(shown.out.match(/^charge +/gm)).toHaveLength(1)
  })

  it('the balance is wrong', async () => {
    const caller = await gateway.createClient({ usd: '3.5' })
    const id = await ask(caller.key)
    const { balance, charged } = await gateway.walletOf(caller.walletId)
    const { code, out } = await weir(`wallet statement ${caller.userId}`)
    expect(code).toBe(0)
    expect(out).toMatch(/^opening balance +0$/m)
    expect(out).toMatch(/^grant +3\.5$/m)
    expect(out).toMatch(new RegExp(`^charge +-${charged}$`, 'm'))
    expect(out).toMatch(new RegExp(`^closing balance +${balance}$`, 'm'))
    expect(out).toMatch(new RegExp(`charge +-${charged} +${balance} +${id}$`, 'm'))
    const { out: past } = await weir(`wallet statement ${caller.walletId} --month 2020-01`)
    expect(past).toMatch(/^closing balance +0$/m)
    expect((await weir('wallet statement nobody')).code).toBe(1)
    expect((await weir(`wallet statement ${caller.walletId} --month 13`)).code).toBe(2)
  })

  it('a provider has been failing since 02:10', async () => {
    await gateway.pool.query(
      `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
       SELECT id, 'gpt-4o-mini', 'host 1', 'upstream_error (500)', '2026-03-04T02:10:00Z', clock_timestamp()
       FROM provider_accounts`,
    )
    const { code, out } = await weir('status')
    await gateway.pool.query('DELETE FROM provider_circuits')
    expect(code).toBe(1)
    expect(out).toMatch(
      /circuits +openai has been failing since 2026-03-04 02:10 UTC on 1 gateway: upstream_error \(500\)/,
    )
    expect(out).toMatch(/^ +→ weir provider test openai$/m)
  })

  it('the disk fills', async () => {
    const { out } = await weir('doctor')
    expect(out).toMatch(/^\w+ +disk +.* has \d+\.\d GB free of \d/m)
    expect(out).toMatch(/^\w+ +database size +/m)
  })

  it('cut off a tenant', async () => {
    const org = await gateway.createOrganization({ name: 'Nocturnal Newts' })
    const { key } = await gateway.addOrganizationKey(org.id)
    const found = await weir(`customer find ${key.slice(0, 12)}…${key.slice(-4)}`)
    expect(found.out).toContain(org.slug)
    expect((await weir(`org suspend ${org.slug}`)).code).toBe(0)
    const shown = await weir(`customer show ${org.slug}`)
    expect(shown.out).toMatch(/^state +suspended since /m)
    expect(shown.out).not.toContain(key)
  })

  it('finds nothing of a wrong value, and says which', async () => {
    expect(await weir('requests --outcome lost')).toMatchObject({
      code: 2,
      error: expect.stringContaining('charged'),
    })
    expect((await weir('requests --key 7')).code).toBe(2)
    expect((await weir('requests --customer nobody@nowhere.example')).code).toBe(1)
    expect((await weir('requests --key 0190a1b2-0000-7000-8000-00000000abcd')).out).not.toContain('gen-')
  })
})
