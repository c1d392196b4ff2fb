import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import { claimMails } from '#store/postgres/mail/outbox.sql.ts'
import { createWebhookQueue } from '#store/postgres/videos/webhook-queue.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'

let gateway: TestGateway
let operator: { keyId: string; key: string }
let walletId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  operator = await gateway.addOperatorKey({ role: 'support' })
  walletId = (await gateway.createOrganization({ name: 'Film Foxes', usd: '7' })).walletId
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await gateway.pool.query('DELETE FROM webhook_deliveries')
  await gateway.pool.query('DELETE FROM mail_outbox')
  await gateway.pool.query('DELETE FROM event_sinks')
})

describe('a failed webhook', () => {
  it.each(['waits', 'given up'] as const)('that %s is sent once more at once, with its body and ID', async (state) => {
    const id = await addWebhook({ attempts: 9, state })
    expect(await claimWebhooks()).toEqual([])
    expect((await repeat({ kind: 'webhook', id })).status).toBe(204)
    expect(await claimWebhooks()).toMatchObject([{ id, body: '{"a":1}', attempts: 9, walletId }])
    expect(await claimWebhooks()).toEqual([])
    expect(await entriesAbout(id)).toEqual([
      { action: 'webhook.repeat', target_kind: 'webhook', actor_kind: 'operator', actor_id: operator.keyId },
    ])
  })

  it.each([
    ['that is delivered', { attempts: 1, state: 'delivered' }],
    ['that was not sent yet', { attempts: 0, state: 'waits' }],
    ['whose first attempt is under way', { attempts: 1, state: 'waits', error: null }],
  ] as const)('%s is not repeated, and nothing is in the log', async (_, webhook) => {
    const id = await addWebhook(webhook)
    expect(await repeat({ kind: 'webhook', id })).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringContaining('has not failed') } },
    })
    expect([await claimWebhooks(), await entriesAbout(id)]).toEqual([[], []])
  })

  it('moves no money, however often it is repeated', async () => {
    const id = await addWebhook({ attempts: 9, state: 'given up' })
    const before = await money()
    for (let time = 0; time < 3; time += 1) expect((await repeat({ kind: 'webhook', id })).status).toBe(204)
    expect(await claimWebhooks()).toHaveLength(1)
    expect(await money()).toEqual(before)
  })
})

describe('a failed email', () => {
  it('that waits is sent once more at once', async () => {
    const id = await addMail({ error: 'ESOCKET', state: 'waits' })
    expect(await claimMails(gateway.pool, 10, 60_000)).toEqual([])
    expect((await repeat({ kind: 'mail', id })).status).toBe(204)
    expect(await claimMails(gateway.pool, 10, 60_000)).toMatchObject([{ id, body: 'Hello', attempts: 1 }])
    expect(await entriesAbout(id)).toMatchObject([{ action: 'mail.repeat' }])
  })

  it('that was given up has no text, and says so', async () => {
    const id = await addMail({ error: 'expired', state: 'given up' })
    expect(await repeat({ kind: 'mail', id })).toMatchObject({
      status: 409,
      json: { error: { message: `Email ${id} was given up and its text deleted, so it cannot be repeated.` } },
    })
    expect(await entriesAbout(id)).toEqual([])
  })

  it.each([
    ['that is sent', { error: null, state: 'sent' }],
    ['that has no error', { error: null, state: 'waits' }],
  ] as const)('%s is not repeated', async (_, mail) => {
    const id = await addMail(mail)
    expect((await repeat({ kind: 'mail', id })).status).toBe(409)
    expect(await claimMails(gateway.pool, 10, 60_000)).toEqual([])
  })
})

it('a failing sink is tried at once, and one that works is left alone', async () => {
  await gateway.pool.query(
    `INSERT INTO event_sinks (name, sent_below, failing_since, last_error, due_at)
     VALUES ('warehouse', 5, now(), 'returned 401', now() + interval '1 day'), ('lake', 5, NULL, NULL, NULL)`,
  )
  expect((await repeat({ kind: 'sink', id: 'warehouse' })).status).toBe(204)
  expect((await repeat({ kind: 'sink', id: 'lake' })).status).toBe(409)
  const { rows } = await gateway.pool.query(
    `SELECT name, sent_below, failing_since IS NOT NULL AS failing, due_at FROM event_sinks ORDER BY name`,
  )
  // The position stays: what was sent is not sent again.
  expect(rows).toEqual([
    { name: 'lake', sent_below: '5', failing: false, due_at: null },
    { name: 'warehouse', sent_below: '5', failing: true, due_at: null },
  ])
  expect([await entriesAbout('warehouse'), await entriesAbout('lake')]).toMatchObject([[{ action: 'sink.repeat' }], []])
})

it('unknown work is not found, and an unknown kind is refused', async () => {
  expect((await repeat({ kind: 'webhook', id: newUuid(0) })).status).toBe(404)
  expect((await repeat({ kind: 'mail', id: 'nothing' })).status).toBe(404)
  expect((await repeat({ kind: 'sink', id: 'nothing' })).status).toBe(404)
  expect((await repeat({ kind: 'video', id: newUuid(0) })).status).toBe(400)
  expect((await repeat({ kind: 'webhook' })).status).toBe(400)
})

it('roles that only read repeat nothing', async () => {
  const id = await addWebhook({ attempts: 9, state: 'given up' })
  for (const role of ['read_only', 'finance'] as const) {
    const { key } = await gateway.addOperatorKey({ role })
    expect((await repeat({ kind: 'webhook', id }, key)).status, role).toBe(403)
  }
  expect(await claimWebhooks()).toEqual([])
})

const repeat = (body: Record<string, string>, key = operator.key) =>
  gateway.as(key).post('/api/admin/jobs/repeat', body)

function claimWebhooks() {
  const room = { atMost: 10, perAccountMax: 10, busyAccounts: [] }
  return createWebhookQueue(gateway.pool, sealingKeyFrom(testSecret)).claim(room, 60_000)
}

async function entriesAbout(id: string): Promise<object[]> {
  const text = 'SELECT action, target_kind, actor_kind, actor_id FROM audit_entries WHERE target_id = $1'
  return (await gateway.pool.query<object>(text, [id])).rows
}

async function money(): Promise<object[]> {
  const text = `SELECT w.balance_nano, w.held_nano, (SELECT count(*) FROM ledger_transfers) AS transfers
    FROM wallets w WHERE w.id = $1`
  return (await gateway.pool.query<object>(text, [walletId])).rows
}

interface Webhook {
  readonly attempts: number
  readonly state: 'waits' | 'given up' | 'delivered'
  readonly error?: string | null
}

async function addWebhook({ attempts, state, error = attempts > 0 ? 'returned 500' : null }: Webhook): Promise<string> {
  const id = newUuid(Date.now())
  await gateway.pool.query(
    `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, last_error, due_at, delivered_at)
     VALUES ($1, $2, 'https://example.com', '{"a":1}', $3, $5,
       CASE WHEN $4 = 'waits' THEN now() + interval '1 day' END, CASE WHEN $4 = 'delivered' THEN now() END)`,
    [id, walletId, attempts, state, error],
  )
  return id
}

interface StoredMail {
  readonly error: string | null
  readonly state: 'waits' | 'given up' | 'sent'
}

async function addMail({ error, state }: StoredMail): Promise<string> {
  const id = newUuid(Date.now())
  await gateway.pool.query(
    `INSERT INTO mail_outbox (id, class, name, address, subject, body, attempts, expires_at, due_at, sent_at, last_error)
     VALUES ($1, 'billing', 'receipt', 'ada@example.com', 'Receipt', CASE WHEN $2 = 'waits' THEN 'Hello' END, 1,
       now() + interval '2 days', CASE WHEN $2 = 'waits' THEN now() + interval '1 day' END,
       CASE WHEN $2 = 'sent' THEN now() END, $3)`,
    [id, state, error],
  )
  return id
}
