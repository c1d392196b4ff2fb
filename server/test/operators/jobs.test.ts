import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: it writes jobs as a gateway does.
import { acceptedJob } from '#domain/video/video-job.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { objectAt } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { createEvidenceStore } from '#store/postgres/moderation/evidence-store.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'

let gateway: TestGateway
let operator: { keyId: string; key: string }
let customer: { kind: string; id: string; name: string }
let walletId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  operator = await gateway.addOperatorKey({ role: 'support' })
  const organization = await gateway.createOrganization({ name: 'Film Foxes' })
  customer = { kind: 'organization', id: organization.id, name: 'Film Foxes' }
  walletId = organization.walletId
})
afterAll(() => gateway.close())

describe('the jobs of workers', () => {
  it('are none in a new installation', async () => {
    const nothing = { states: [], oldest_at: null }
    const none = { running_videos: [], failed_webhooks: [], failed_mails: [], sinks: [] }
    expect(await readJobs()).toEqual({ videos: nothing, webhooks: nothing, mails: nothing, ...none })
  })

  it('show videos, webhooks, emails and sinks by state, with what failed and the customer by name', async () => {
    await addVideo('running', [{ model: 'acme/film', provider: 'acme', outcome: 'upstream_error', said: 'overloaded' }])
    await addVideo('completed', [])
    await addWebhook({ attempts: 3, error: 'returned 500', isDue: true })
    await addWebhook({ attempts: 9, error: 'timed out', isDue: false })
    await addWebhook({ attempts: 0, error: null, isDue: true })
    await addMail('ada@example.com', 'no_mail_server', false)
    await addMail('bob@example.com', 'refused', true)
    await addMail('eve@example.com', null, true)
    await gateway.pool.query(
      `INSERT INTO event_sinks (name, sent_below, failing_since, last_error, due_at)
       VALUES ('warehouse', 0, '2026-03-04T02:10:00Z', 'returned 503', now())`,
    )
    const jobs = await readJobs()
    expect(jobs).toMatchObject({
      videos: { states: [{ state: 'running', count: 1 }], oldest_at: expect.any(String) },
      webhooks: {
        states: [
          { state: 'given_up', count: 1 },
          { state: 'retrying', count: 1 },
          { state: 'waiting', count: 1 },
        ],
      },
      mails: {
        states: [
          { state: 'given_up', count: 1 },
          { state: 'retrying', count: 1 },
          { state: 'waiting', count: 1 },
        ],
      },
      running_videos: [{ customer, model: 'acme/film', state: 'running', last_error: 'overloaded' }],
      sinks: [{ name: 'warehouse', failing_since: '2026-03-04T02:10:00.000Z', last_error: 'returned 503' }],
    })
    expect(jobs['failed_webhooks']).toMatchObject([
      { customer, tries: 9, last_error: 'timed out', next_try_at: null },
      { customer, tries: 3, last_error: 'returned 500', next_try_at: expect.any(String) },
    ])
    expect(jobs['failed_mails']).toMatchObject([
      { to: 'bob@example.com', last_error: 'refused', next_attempt_at: expect.any(String) },
      { to: 'ada@example.com', last_error: 'no_mail_server', next_attempt_at: null },
    ])
  })
})

describe('blocked prompts', () => {
  let blocked = 0

  async function block(text: string): Promise<string> {
    const { keyId } = await gateway.addOrganizationKey(customer.id, { terms: { name: 'production' } })
    // Ids of one millisecond have no order.
    blocked += 1
    const id = newUuid(Date.now() + blocked * 1_000)
    await createEvidenceStore(gateway.pool, sealingKeyFrom(testSecret)).keep({
      id,
      atMs: Date.now(),
      expiresAtMs: Date.now() + 86_400_000,
      keyId,
      userId: null,
      organizationId: customer.id,
      sessionId: null,
      requestId: null,
      endpoint: 'chat',
      model: 'acme/one',
      source: 'built-in',
      categories: ['violence'],
      content: { parts: [{ text: 0, start: 0, content: text }], isPartial: false },
    })
    return id
  }
  it('are listed by page with their customer, without their text', async () => {
    const [first, second] = [await block('forbidden one'), await block('forbidden two')]
    const page = await listBlocked('?limit=1')
    expect(page.json).toMatchObject({
      data: [{ id: second, customer, key_name: 'production', categories: ['violence'] }],
      next_cursor: second,
    })
    expect(page.text).not.toContain('forbidden')
    expect((await listBlocked(`?limit=1&before=${second}`)).json).toMatchObject({
      data: [{ id: first }],
      next_cursor: null,
    })
    expect((await listBlocked('?before=yesterday')).status).toBe(400)
  })

  it('are opened with their text, and the log names who has read it', async () => {
    const id = await block('forbidden words')
    const { status, json } = await openBlocked(id)
    expect([status, json]).toMatchObject([
      200,
      { data: { id, partial: false, parts: [{ text: 0, start: 0, content: 'forbidden words' }] } },
    ])
    const { rows } = await gateway.pool.query(
      `SELECT actor_kind, actor_id FROM audit_entries WHERE action = 'evidence.show' AND target_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ actor_kind: 'operator', actor_id: operator.keyId }])
  })

  it('are nothing for other roles, and what is not there is not found', async () => {
    const id = await block('forbidden words')
    const finance = await gateway.addOperatorKey({ role: 'finance' })
    expect((await openBlocked(id, finance.key)).status).toBe(403)
    expect((await openBlocked(newUuid(0))).status).toBe(404)
    expect((await openBlocked('nothing')).status).toBe(404)
  })
})

async function readJobs() {
  return objectAt((await gateway.as(operator.key).get('/api/admin/jobs')).json, 'data')
}

async function addVideo(state: string, attempts: readonly object[]): Promise<void> {
  await gateway.pool.query(
    `INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url,
       deadline_at, due_at)
     VALUES ($1, $2, 'acme/film', CASE WHEN $4 <> 'completed' THEN '{}'::jsonb END, '[]', '{}', 0, '[]', $3, $4, '',
       now() + interval '2 days', now() + interval '1 day')`,
    [newUuid(Date.now()), walletId, { ...acceptedJob, state, attempts }, state],
  )
}

async function addWebhook(webhook: { attempts: number; error: string | null; isDue: boolean }): Promise<void> {
  await gateway.pool.query(
    `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, last_error, due_at)
     VALUES ($1, $2, 'https://example.com', '{}', $3, $4, CASE WHEN $5 THEN now() + interval '1 day' END)`,
    [newUuid(Date.now()), walletId, webhook.attempts, webhook.error, webhook.isDue],
  )
}

async function addMail(address: string, error: string | null, isDue: boolean): Promise<void> {
  await gateway.pool.query(
    `INSERT INTO mail_outbox (id, class, name, address, subject, body, attempts, expires_at, due_at, last_error)
     VALUES ($1, 'billing', $5, $2, 'Receipt', 'Hello', 1, now() + interval '1 day',
       CASE WHEN $4 THEN now() + interval '1 day' END, $3)`,
    [newUuid(Date.now()), address, error, isDue, address],
  )
}

const listBlocked = (query = '') => gateway.as(operator.key).get(`/api/admin/evidence${query}`)
const openBlocked = (evidenceId: string, key = operator.key) =>
  gateway.as(key).post('/api/admin/evidence/open', { evidenceId })
