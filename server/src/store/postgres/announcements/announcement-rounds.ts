import type { Pool, PoolClient } from 'pg'
import type { AnnouncedModel, AnnouncementKind } from '#domain/catalogue/announced-model.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AnnouncementRounds } from '#ports/announcements.ts'
import { dateOf } from '#lib/utc-calendar.ts'
import { mailBillingContact } from '../mail/mail-billing-contact.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { inTransaction } from '../with-client.ts'
import { addAnnouncement, reminderDate } from './announce.sql.ts'
import { countCustomers, type ModelCustomer, nextCustomers } from './announced-usage.sql.ts'

/**
 * The worker's part of announcements. A batch of customers is told in one transaction, which also moves the mark in the
 * announcement, so a worker that dies in between has told none of them.
 */
export function createAnnouncementRounds(pool: Pool): AnnouncementRounds {
  return {
    remind: (nowMs) => inTransaction(pool, 'READ COMMITTED', (client) => remind(client, nowMs)),
    tellNext: (atMost, telling) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        const open = await lockOldest(client)
        return open === null ? null : { told: await tellBatch(client, open, { atMost, ...telling }) }
      }),
  }
}

async function remind(client: PoolClient, nowMs: number): Promise<number> {
  const text = `WITH due AS (
      INSERT INTO retirement_reminders (model_id, retires_on)
      SELECT id, retires_on FROM models WHERE retires_on > $1::date AND retires_on <= $2::date
      ON CONFLICT DO NOTHING RETURNING model_id, retires_on)
    SELECT m.id, m.name, due.retires_on::text AS date FROM due JOIN models m ON m.id = due.model_id ORDER BY m.id`
  const { rows } = await client.query<{ id: string; name: string; date: string }>(text, [
    dateOf(nowMs),
    reminderDate(nowMs),
  ])
  const models = rows.map(({ id, name, date }): AnnouncedModel => {
    return { id, name, prices: [], retirement: { from: date, to: date } }
  })
  const ids = models.map(({ id }) => id)
  // Most models that retire have no customers any more.
  if ((await countCustomers(client, ids, nowMs)) > 0) await addAnnouncement(client, { kind: 'reminder', models, nowMs })
  return models.length
}

interface OpenAnnouncement {
  id: Uuid
  kind: AnnouncementKind
  created_at: Date
  told_up_to: Uuid | null
}

async function lockOldest(client: PoolClient): Promise<OpenAnnouncement | null> {
  const text = `SELECT id, kind, created_at, told_up_to FROM announcements WHERE finished_at IS NULL
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`
  return (await client.query<OpenAnnouncement>(text)).rows[0] ?? null
}

interface Batch {
  readonly atMost: number
  readonly creditsUrl: string
  readonly nowMs: number
}

async function tellBatch(client: PoolClient, open: OpenAnnouncement, batch: Batch): Promise<number> {
  const { atMost, nowMs } = batch
  const { rows } = await client.query<{ model_id: string }>(
    'SELECT model_id FROM announced_models WHERE announcement_id = $1',
    [open.id],
  )
  const customers = await nextCustomers(client, {
    models: rows.map(({ model_id }) => model_id),
    nowMs: open.created_at.getTime(),
    after: open.told_up_to,
    atMost,
  })
  const changes = await readChanges(client, open.id, [...new Set(customers.flatMap(({ models }) => models))])
  for (const customer of customers) await tell(client, { open, customer, changes }, batch)
  const text = `UPDATE announcements SET told_up_to = coalesce($2, told_up_to), finished_at = $3 WHERE id = $1`
  const finishedAt = customers.length < atMost ? new Date(nowMs) : null
  await client.query(text, [open.id, customers.at(-1)?.wallet_id ?? null, finishedAt])
  return customers.length
}

async function readChanges(
  client: PoolClient,
  id: Uuid,
  models: readonly string[],
): Promise<ReadonlyMap<string, AnnouncedModel>> {
  const text = `SELECT model_id, change FROM announced_models WHERE announcement_id = $1 AND model_id = ANY ($2)`
  const { rows } = await client.query<{ model_id: string; change: Omit<AnnouncedModel, 'id'> }>(text, [id, models])
  return new Map(rows.map(({ model_id: model, change }) => [model, { id: model, ...change }]))
}

interface Told {
  readonly open: OpenAnnouncement
  readonly customer: ModelCustomer
  readonly changes: ReadonlyMap<string, AnnouncedModel>
}

async function tell(
  client: PoolClient,
  { open, customer, changes }: Told,
  { creditsUrl, nowMs }: Batch,
): Promise<void> {
  const { wallet_id: walletId, organization } = customer
  const notice = {
    kind: 'catalogue',
    about: open.kind,
    models: customer.models.flatMap((model) => changes.get(model) ?? []),
    sinceMs: open.created_at.getTime(),
    organization,
  } as const
  const queued = { notice, creditsUrl, nowMs, roles: ['org_admin', 'billing_viewer'] } as const
  const mails = (await queueNotice(client, walletId, queued)) + (await mailBillingContact(client, walletId, queued))
  const text = `INSERT INTO announced_customers (announcement_id, wallet_id, models, mails, told_at)
    VALUES ($1, $2, $3, $4, $5)`
  await client.query(text, [open.id, walletId, customer.models, mails, new Date(nowMs)])
}
