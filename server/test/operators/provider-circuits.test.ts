import { hostname } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CircuitChange } from '#ports/circuits.ts'
import { forgetCircuits, listCircuits, writeCircuits } from '#store/postgres/operators/provider-circuits.sql.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

function opened(accountId: string): CircuitChange {
  return {
    vendor: 'openai',
    account: 'openai',
    accountId,
    upstreamModel: 'gpt-5',
    to: 'open',
    reason: 'upstream_failed',
    openedAtMs: 1,
  }
}

describe('circuit breakers that operators see', () => {
  let gateway: TestGateway
  let accounts: string[]
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())
  beforeEach(async () => {
    await gateway.pool.query('DELETE FROM provider_accounts')
    for (const vendor of ['openai', 'groq'] as const) await gateway.addProvider({ vendor, url: 'http://127.0.0.1:9' })
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM provider_accounts ORDER BY name DESC')
    accounts = rows.map(({ id }) => id)
  })

  const seen = async (): Promise<[string, number][]> =>
    (await listCircuits(gateway.pool)).map(({ accountId, gateways }) => [accountId, gateways])

  it('are forgotten with the gateway that saw them, and those of other gateways are not', async () => {
    const [openai = '', groq = ''] = accounts
    await writeCircuits(gateway.pool, 'one 1', [opened(openai), opened(groq)])
    await writeCircuits(gateway.pool, 'two 2', [opened(openai)])
    expect((await seen()).toSorted()).toEqual([[openai, 2] as const, [groq, 1] as const].toSorted())
    await forgetCircuits(gateway.pool, 'one 1')
    expect(await seen()).toEqual([[openai, 1]])
  })

  it('are forgotten by a gateway when it stops', async () => {
    const [openai = ''] = accounts
    const second = await startSecondGateway(gateway)
    // Its name in the table: the machine and the process.
    await writeCircuits(gateway.pool, `${hostname()} ${process.pid}`, [opened(openai)])
    await writeCircuits(gateway.pool, 'elsewhere 1', [opened(openai)])
    expect(await seen()).toEqual([[openai, 2]])
    await second.close()
    expect(await seen()).toEqual([[openai, 1]])
  })

  it('are gone with their provider account, and are not written for one that is gone', async () => {
    const [openai = '', groq = ''] = accounts
    await writeCircuits(gateway.pool, 'one 1', [opened(openai), opened(groq)])
    await gateway.pool.query('DELETE FROM provider_accounts WHERE id = $1', [openai])
    expect(await seen()).toEqual([[groq, 1]])
    await writeCircuits(gateway.pool, 'one 1', [opened(openai)])
    expect(await seen()).toEqual([[groq, 1]])
  })
})
