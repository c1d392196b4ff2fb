import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  Object.assign(process.env, {
    WEIR_SECRET: testSecret,
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: testRedisUrl(),
    WEIR_OPERATOR: 'ada@example.com',
  })
})
beforeEach(() => database.pool.query('DELETE FROM mail_outbox'))
afterAll(async () => {
  delete process.env['WEIR_OPERATOR']
  await database.drop()
})

it('weir webhooks repeat makes a failed delivery due, and the log names the operator', async () => {
  const id = newUuid(Date.now())
  await database.pool.query(
    `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, last_error, due_at)
     VALUES ($1, $2, 'https://example.com', '{}', 9, 'returned 500', NULL)`,
    [id, newUuid(0)],
  )
  expect(await runWeir('webhooks', 'repeat', id)).toMatchObject({
    code: 0,
    out: `${id} is due: a worker sends it at once\n`,
  })
  const { rows } = await database.pool.query('SELECT due_at <= now() AS due FROM webhook_deliveries')
  expect(rows).toEqual([{ due: true }])
  expect(await entries()).toEqual([{ action: 'webhook.repeat', actor_name: 'ada@example.com', target_id: id }])
})

it('weir mail repeat says why an email that was given up is not sent', async () => {
  const id = newUuid(Date.now())
  await database.pool.query(
    `INSERT INTO mail_outbox (id, class, name, subject, attempts, expires_at, last_error)
     VALUES ($1, 'sign_in', 'x', 'Confirm', 1, now(), 'expired')`,
    [id],
  )
  const { code, error } = await runWeir('mail', 'repeat', id)
  expect([code, error]).toEqual([1, expect.stringContaining('was given up and its text deleted')])
})

it('weir events repeat makes a failing sink due', async () => {
  await database.pool.query(
    `INSERT INTO event_sinks (name, sent_below, failing_since, due_at)
     VALUES ('warehouse', 5, now(), now() + interval '1 day')`,
  )
  expect((await runWeir('events', 'repeat', 'warehouse')).code).toBe(0)
  expect((await database.pool.query('SELECT due_at FROM event_sinks')).rows).toEqual([{ due_at: null }])
  expect((await runWeir('events', 'repeat', 'nothing')).code).toBe(1)
})

async function entries(): Promise<object[]> {
  const text = `SELECT action, actor_name, target_id FROM audit_entries WHERE action = 'webhook.repeat'`
  return (await database.pool.query<object>(text)).rows
}
