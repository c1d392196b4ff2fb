import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'

const clock = createTestClock('2030-01-07T12:00:00Z')
const wrong = '01234-56789-ABCDE-FGHJK-MNPQRS'
const newNetwork = (): string => `2001:db8:${randomBytes(2).toString('hex')}`

describe('guessing codes', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(
      { WEIR_LIMITS_SIGN_IN_FAILURES: '3', WEIR_LIMITS_ACCOUNT: '1000000', WEIR_EDGE_PROXIES: '127.0.0.1' },
      { nowMs: clock.nowMs },
    )
  })
  afterAll(() => gateway.close())

  async function makeCode(): Promise<string> {
    const terms = { name: 'guessed', amountUsd: 1, codes: 1, usesPerCode: 100, perPersonMax: null, perWalletMax: null }
    const { text } = await gateway.as(await gateway.addOperatorKey()).post('/api/admin/redemption-campaigns', terms)
    return text.split('\r\n')[1]?.split(',')[0] ?? ''
  }
  async function newPerson(network: string) {
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const client = gateway.as({ cookie: await gateway.signIn(userId) })
    const headers = { 'x-real-ip': `${network}::${randomBytes(2).toString('hex')}` }
    return (code: string): Promise<Reply> => client.post(`/api/wallets/${walletId}/redemptions`, { code }, { headers })
  }

  it('P14 pauses a person after too many, longer each time, and then even the right code is not looked at', async () => {
    const code = await makeCode()
    const redeem = await newPerson(newNetwork())
    for (let failure = 0; failure < 3; failure += 1) expect((await redeem(wrong)).status).toBe(400)
    const paused = await redeem(code)
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([429, '60'])
    clock.forward(60_000)
    expect((await redeem(wrong)).status).toBe(400)
    expect((await redeem(code)).headers.get('retry-after')).toBe('120')
    clock.forward(120_000)
    expect((await redeem(code)).status).toBe(201)
    expect(await gateway.readMetrics()).toMatch(/^weir_redemption_failures_total 4$/m)
  })

  it('P14 does not count codes that were right', async () => {
    const code = await makeCode()
    const redeem = await newPerson(newNetwork())
    for (let time = 0; time < 8; time += 1) expect((await redeem(code)).status).toBe(201)
  })

  it('P14 leaves each of many accounts in one neighbourhood one try, and others all of theirs', async () => {
    const network = newNetwork()
    for (let account = 0; account < 4; account += 1) {
      const redeem = await newPerson(network)
      for (let failure = 0; failure < 3; failure += 1) expect((await redeem(wrong)).status).toBe(400)
    }
    const suspect = await newPerson(network)
    expect((await suspect(wrong)).status).toBe(400)
    expect((await suspect(wrong)).status).toBe(429)
    const elsewhere = await newPerson(newNetwork())
    expect((await elsewhere(wrong)).status).toBe(400)
    expect((await elsewhere(wrong)).status).toBe(400)
  })
})
