import { afterAll, beforeAll, expect, it } from 'vitest'
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
  })
  await database.pool.query(
    `INSERT INTO mail_outbox (id, class, name, address, subject, body, attempts, created_at, expires_at, due_at, sent_at, last_error)
     SELECT gen_random_uuid(), m.class, m.address, m.address, 'Subject', m.body, 1, now() - m.age, now(), m.due_at, m.sent_at, m.error
     FROM (VALUES
       ('billing', 'sent@b.test', NULL, interval '1 hour', NULL::timestamptz, now(), NULL),
       ('billing', 'waits@b.test', 'the text', interval '2 hours', now(), NULL, 'ESOCKET'),
       ('billing', 'lost@b.test', NULL, interval '3 hours', NULL, NULL, 'no_mail_server')
     ) AS m (class, address, body, age, due_at, sent_at, error)`,
  )
})
afterAll(() => database.drop())

it('weir mail list shows emails, the newest first, without their text', async () => {
  const { code, out } = await runWeir('mail', 'list', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject([
    { to: 'sent@b.test', state: 'sent', error: null, next_attempt_at: null },
    { to: 'waits@b.test', state: 'waiting', error: 'ESOCKET', next_attempt_at: expect.stringMatching(/Z$/) },
    { to: 'lost@b.test', state: 'not sent', error: 'no_mail_server', next_attempt_at: null },
  ])
  expect(out).not.toContain('the text')
})

it('weir mail list --failed shows only those with an error, as a table', async () => {
  const { out } = await runWeir('mail', 'list', '--failed')
  const lines = out.trim().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^ID +CLASS +AT +STATE +ATTEMPTS +ERROR +TO +SUBJECT$/)
  expect(lines[1]).toMatch(/ billing +\S+Z +waiting +1 +ESOCKET +waits@b\.test +Subject$/)
  expect(lines[2]).toMatch(/ billing +\S+Z +not sent +1 +no_mail_server +lost@b\.test +Subject$/)
})
