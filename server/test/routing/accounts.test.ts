import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vendorTerms } from '#bin/vendor-terms.ts'
import { changeProviderAccount } from '#control/operators/change-provider-account.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { isJsonObject } from '#lib/json.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const model = 'openai/gpt-4o-mini'

describe('several accounts with one vendor', () => {
  let gateway: TestGateway
  let upstream: Simulator

  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '3' })
    upstream = await startSimulator()
    for (const [name, weight] of [
      ['one', 1],
      ['three', 3],
    ] as const) {
      await gateway.addProvider({ vendor: 'openai', name, url: `${upstream.url}/v1`, credential: `sk-${name}`, weight })
    }
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  /** The number of new conversations that each account got. */
  async function shares(count: number): Promise<Record<string, number>> {
    upstream.forget()
    // Two payers, because failures of one payer exclude the account for that payer only.
    const [one, two] = [await gateway.createClient(), await gateway.createClient()]
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        callChat(gateway.as(index % 2 === 0 ? one : two), {
          model,
          messages: [{ role: 'user', content: `Conversation ${index}` }],
        }),
      ),
    )
    const shared: Record<string, number> = {}
    for (const { headers } of upstream.requests) {
      const name = String(headers['authorization']).replace('Bearer sk-', '')
      shared[name] = (shared[name] ?? 0) + 1
    }
    return shared
  }

  it('share conversations by their weights', async () => {
    const { one = 0, three = 0 } = await shares(200)
    expect(one + three).toBe(200)
    expect(one).toBeGreaterThan(25)
    expect(one).toBeLessThan(75)
  })

  it('follow a weight that is changed', async () => {
    const { operators } = createPostgresOperators(gateway.pool)
    await changeProviderAccount(
      { operators, vendors: vendorTerms },
      { name: 'three', weight: 1_000 },
      operatorAuthor(Date.now()),
    )
    await gateway.gateway.refresh()
    const { one = 0 } = await shares(100)
    expect(one).toBeLessThan(5)
  })

  it('[ROUTE-16] have a health each: one that fails is left out and the other takes it all', async () => {
    upstream.play({ kind: 'echo' })
    const broken = await startSimulator()
    broken.play(vendorError('openai', 'server-error'))
    await gateway.addProvider({ vendor: 'openai', name: 'broken', url: `${broken.url}/v1`, weight: 1_000 })
    await shares(40)
    const failures = broken.requests.length
    expect(failures).toBeGreaterThanOrEqual(3)
    const after = await shares(40)
    expect(broken.requests.length - failures).toBeLessThanOrEqual(1)
    expect(Object.values(after).reduce((sum, each) => sum + each, 0)).toBe(40)
    await broken.close()
  })
})

describe('an account in a region', () => {
  it('is charged for at the price of its region, by its address or by what its operator says', async () => {
    const gateway = await startTestGateway()
    const upstream = await startSimulator()
    const { key } = await gateway.createClient()
    const costWith = async (terms: { variant?: string }, path: string): Promise<number> => {
      const name = `azure-${path}`
      await gateway.addProvider({ vendor: 'azure', name, url: `${upstream.url}/${path}`, ...terms })
      const { json } = await callChat(gateway.as(key), { model: 'openai/gpt-5.2' })
      const { operators } = createPostgresOperators(gateway.pool)
      await changeProviderAccount(
        { operators, vendors: vendorTerms },
        { name, enabled: false },
        operatorAuthor(Date.now()),
      )
      await gateway.gateway.refresh()
      return isJsonObject(json.usage) && typeof json.usage.cost === 'number' ? json.usage.cost : Number.NaN
    }
    const plain = await costWith({}, 'v1')
    expect(plain).toBeGreaterThan(0)
    // Azure's price is a tenth higher in the EU.
    const [byAddress, byWord] = [await costWith({}, 'eu'), await costWith({ variant: 'eu' }, 'v2')]
    expect(byAddress / plain).toBeCloseTo(1.1, 6)
    expect(byWord).toBe(byAddress)
    await gateway.close()
    await upstream.close()
  })
})
