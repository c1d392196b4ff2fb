import type { Pool, PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type { Notice } from '#domain/notices/notice.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { MailDelivery, MailQueue } from '#ports/mail-queue.ts'
import { persistently } from '../faults.ts'

/** Mails that workers send. */
export function createMailQueue(pool: Pool): MailQueue {
  return {
    claim: (atMost, claimMs) => claimMails(pool, atMost, claimMs),
    sent: (delivery) => persistently(() => noteSent(pool, delivery)),
    failed: (delivery, outcome) => persistently(() => noteFailed(pool, delivery, outcome)),
  }
}

/**
 * In the transaction of what it tells of. The owner of a personal wallet gets it, or the members of an organization
 * with these roles. People who are suspended get none.
 */
export async function queueNotice(
  client: PoolClient,
  walletId: Uuid,
  { notice, nowMs, roles = ['org_admin'] }: { notice: Notice; nowMs: number; roles?: readonly Role[] },
): Promise<void> {
  const text = `SELECT u.id AS user_id FROM wallets w
      LEFT JOIN members m ON w.owner_kind = 'organization' AND m.organization_id = w.owner_id AND m.role = ANY ($2)
      JOIN users u ON u.id = CASE w.owner_kind WHEN 'user' THEN w.owner_id ELSE m.user_id END
    WHERE w.id = $1 AND u.suspended_at IS NULL ORDER BY u.id`
  const { rows } = await client.query<{ user_id: string }>(text, [walletId, roles])
  const insert = `INSERT INTO mail_deliveries (id, user_id, notice)
    SELECT id, user_id, $3 FROM unnest($1::uuid[], $2::uuid[]) AS receivers (id, user_id)`
  const people = rows.map(({ user_id }) => user_id)
  await client.query(insert, [people.map(() => newUuid(nowMs)), people, JSON.stringify(notice)])
}

interface ClaimedRow {
  id: string
  email: string
  notice: Notice
  attempts: number
  created_at: Date
}

async function claimMails(pool: Pool, atMost: number, claimMs: number): Promise<MailDelivery[]> {
  const text = `UPDATE mail_deliveries d SET due_at = clock_timestamp() + $2::bigint * interval '1 millisecond', attempts = d.attempts + 1
    FROM users u
    WHERE u.id = d.user_id AND d.id IN (SELECT m.id FROM mail_deliveries m WHERE m.due_at <= clock_timestamp()
      ORDER BY m.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING d.id, u.email, d.notice, d.attempts - 1 AS attempts, d.created_at`
  const { rows } = await pool.query<ClaimedRow>(text, [atMost, claimMs])
  return rows.map(({ email, created_at, ...row }) => ({ ...row, to: email, createdAtMs: created_at.getTime() }))
}

async function noteSent(pool: Pool, { id }: MailDelivery): Promise<void> {
  const text = `UPDATE mail_deliveries SET due_at = NULL, last_error = NULL, sent_at = clock_timestamp() WHERE id = $1`
  await pool.query(text, [id])
}

/** A worker that slept through its claim must not call off what another has tried since. */
async function noteFailed(
  pool: Pool,
  { id, attempts }: MailDelivery,
  { error, againInMs }: { error: string; againInMs: number | null },
): Promise<void> {
  const text = `UPDATE mail_deliveries SET last_error = $2, due_at = clock_timestamp() + $3::bigint * interval '1 millisecond'
    WHERE id = $1 AND sent_at IS NULL AND attempts = $4`
  await pool.query(text, [id, error, againInMs === null ? null : Math.ceil(againInMs), attempts + 1])
}

const keptDays = 30

/** Mails that were sent or given up long ago. Answers how many there were. */
export async function purgeMails(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM mail_deliveries WHERE id IN (SELECT id FROM mail_deliveries
    WHERE due_at IS NULL AND created_at < now() - $2::integer * interval '1 day' LIMIT $1)`
  return (await pool.query(text, [atMost, keptDays])).rowCount ?? 0
}
