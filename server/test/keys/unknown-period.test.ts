import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKeyStore } from '#store/postgres/keys/postgres-key-store.ts'
import { readBudgets } from '#store/postgres/alerts/alerts.sql.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway
let client: TestClient
const nowMs = Date.now()

/** Two keys with 1 of 5 USD spent: one limited over its whole life, one over a period of a newer version. */
beforeAll(async () => {
  gateway = await startTestGateway()
  client = await gateway.createClient({ terms: { name: 'life', limit: parseUsd('5') } })
  const other = await gateway.addKey(client.userId, { name: 'decade', limit: parseUsd('5') })
  await gateway.pool.query('ALTER TABLE api_keys DROP CONSTRAINT api_keys_spend_limit_period_check')
  await gateway.pool.query(`UPDATE api_keys SET spend_limit_period = 'decade' WHERE id = $1`, [other.keyId])
  await gateway.pool.query(
    `INSERT INTO spend_windows (kind, owner_id, starts_at, spent_nano) VALUES ('key_life', $1, 0, 1000000000), ('key_decade', $2, 0, 1000000000)`,
    [client.keyId, other.keyId],
  )
})
afterAll(() => gateway.close())

it('a period that this version does not know fails the list of keys, instead of counting as lifetime', async () => {
  const account = { kind: 'user', userId: client.userId } as const
  const { list } = createKeyStore(gateway.pool)
  const [key] = await list({ account, keyId: client.keyId, nowMs })
  expect(key?.capTaken).toBe(1_000_000_000n)
  await expect(list({ account, nowMs })).rejects.toThrow('the table of periods has decade')
})

it('and is in no alert', async () => {
  const budgets = await inTransaction(gateway.pool, 'READ COMMITTED', (connection) =>
    readBudgets(connection, client.walletId, nowMs),
  )
  expect(budgets.map(({ kind, name }) => ({ kind, name }))).toEqual([{ kind: 'key_life', name: 'life' }])
})
