import { expect } from 'vitest'
import { sealingKeyFrom } from '../../server/src/lib/seal.ts'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { createEvidenceStore } from '../../server/src/store/postgres/moderation/evidence-store.ts'
import { testSecret } from '../../server/test/setup/gateway.ts'
import { consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

consoleTest('the page shows failing webhooks and sinks, with the customer by name', async (test) => {
  const { world, page, look } = test
  const { pool } = world.gateway
  const { walletId } = await world.gateway.createOrganization({ name: 'Webhook Wombats' })
  // Due tomorrow, so that no worker takes it.
  await pool.query(
    `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, last_error, due_at)
     VALUES ($1, $2, 'https://hooks.example.com/weir', '{}', 4, 'returned 503', now() + interval '1 day')`,
    [newUuid(Date.now()), walletId],
  )
  await pool.query(
    `INSERT INTO event_sinks (name, sent_below, failing_since, last_error, due_at)
     VALUES ('warehouse', 0, '2026-03-04T02:10:00Z', 'returned 401', now() + interval '1 day')`,
  )
  await enterOperator(test, '/jobs')
  const item = page.getByRole('listitem').filter({ hasText: 'Webhook Wombats' })
  await item.getByText('returned 503').waitFor()
  await item.getByText('https://hooks.example.com/weir').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'warehouse' })
    .getByText('2026-03-04 02:10', { exact: false })
    .waitFor()
  await look('operators-jobs')
  await pool.query(`DELETE FROM event_sinks WHERE name = 'warehouse'`)
  await pool.query('DELETE FROM webhook_deliveries WHERE wallet_id = $1', [walletId])
})

consoleTest('an operator repeats what failed, and reads why an email cannot be', async (test) => {
  const { world, page, look } = test
  const { pool } = world.gateway
  const { walletId } = await world.gateway.createOrganization({ name: 'Retry Ravens' })
  const [webhookId, mailId] = [newUuid(Date.now()), newUuid(Date.now())]
  await pool.query(
    `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, last_error, due_at)
     VALUES ($1, $2, 'https://hooks.example.com/gone', '{}', 1, 'returned 503', NULL)`,
    [webhookId, walletId],
  )
  await pool.query(
    `INSERT INTO mail_outbox (id, class, name, address, subject, attempts, expires_at, last_error)
     VALUES ($1, 'billing', $2, 'raven@example.com', 'Receipt 7', 3, now(), 'expired')`,
    [mailId, mailId],
  )
  await enterOperator(test, '/jobs', 'read_only')
  const mail = page.getByRole('listitem').filter({ hasText: 'raven@example.com' })
  await mail.getByText("Text deleted, can't be sent again").waitFor()
  expect(await page.getByRole('button', { name: 'Repeat' }).count()).toBe(0)
  await enterOperator(test, '/jobs', 'support')
  const item = page.getByRole('listitem').filter({ hasText: 'Retry Ravens' })
  await item.getByText('1 attempt,').waitFor()
  await item.getByText('Given up').waitFor()
  await mail.waitFor()
  expect(await mail.getByRole('button').count()).toBe(0)
  await look('operators-jobs-repeat')
  await item.getByRole('button', { name: 'Repeat' }).click()
  await page.getByText('A worker will retry it now.').waitFor()
  await item.getByText('Given up').waitFor({ state: 'detached' })
  const text = `SELECT action, actor_kind FROM audit_entries WHERE target_id = $1`
  expect((await pool.query(text, [webhookId])).rows).toEqual([{ action: 'webhook.repeat', actor_kind: 'operator' }])
  await pool.query('DELETE FROM webhook_deliveries WHERE wallet_id = $1', [walletId])
  await pool.query('DELETE FROM mail_outbox WHERE id = $1', [mailId])
})

consoleTest('a blocked prompt is read once it is opened, and the log names who has read it', async (test) => {
  const { world, page, look } = test
  const { pool } = world.gateway
  const organization = await world.gateway.createOrganization({ name: 'Blocked Badgers' })
  const { keyId } = await world.gateway.addOrganizationKey(organization.id, { terms: { name: 'production' } })
  const id = newUuid(Date.now())
  await createEvidenceStore(pool, sealingKeyFrom(testSecret)).keep({
    id,
    atMs: Date.now(),
    expiresAtMs: Date.now() + 86_400_000,
    keyId,
    userId: null,
    organizationId: organization.id,
    sessionId: null,
    requestId: null,
    endpoint: 'chat',
    model: 'acme/one',
    source: 'built-in',
    categories: ['weapons'],
    content: { parts: [{ text: 0, start: 0, content: 'the forbidden words' }], isPartial: true },
  })
  const looks = async () => {
    const text = `SELECT count(*)::integer AS count FROM audit_entries WHERE action = 'evidence.show' AND target_id = $1`
    return (await pool.query<{ count: number }>(text, [id])).rows[0]?.count
  }
  await enterOperator(test, '/evidence')
  const row = page.getByRole('row').filter({ hasText: 'Blocked Badgers' })
  await row.getByText('weapons').waitFor()
  expect(await looks()).toBe(0)
  await look('operators-evidence')
  await row.getByRole('button', { name: 'Show text' }).click()
  await page.getByRole('dialog', { name: 'Blocked prompt' }).getByText('the forbidden words').waitFor()
  await page.getByText('The rest was too long to store.').waitFor()
  expect(await looks()).toBe(1)
  await look('operators-evidence-text')
})
