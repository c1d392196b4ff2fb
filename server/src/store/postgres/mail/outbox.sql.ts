import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { type MailClass, secretClasses } from '#domain/mail/mail-class.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ClaimedMail, FailedAttempt, MailListing } from '#ports/mail-outbox.ts'

export interface MailRow {
  readonly id: Uuid
  readonly class: MailClass
  readonly name: string
  readonly topic?: string
  /** A user, whose address is read when the email is sent, or an address. */
  readonly to: { readonly userId: Uuid } | { readonly address: string }
  readonly subject: string
  readonly body: string
  readonly documentId?: Uuid
  readonly failureEntry?: AuditEntry
  readonly lifeMs: number
  /** Time until other processes can claim the email. Zero means that it is due at once. */
  readonly claimMs?: number
}

/** Adds an email. If an email of the same name was added before, nothing changes. */
export async function insertMail(connection: Pool | PoolClient, row: MailRow): Promise<void> {
  const text = `INSERT INTO mail_outbox (id, class, name, user_id, address, subject, body, document_id, failure_entry,
      expires_at, due_at, attempts, topic)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + $10::bigint * interval '1 millisecond',
      clock_timestamp() + $11::bigint * interval '1 millisecond', $12, $13) ON CONFLICT (name) DO NOTHING`
  const { to, documentId, failureEntry, claimMs } = row
  await connection.query(text, [
    row.id,
    row.class,
    row.name,
    'userId' in to ? to.userId : null,
    'address' in to ? to.address : null,
    row.subject,
    row.body,
    documentId ?? null,
    failureEntry === undefined ? null : JSON.stringify(failureEntry),
    Math.ceil(row.lifeMs),
    claimMs ?? 0,
    claimMs === undefined ? 0 : 1,
    row.topic ?? null,
  ])
}

/** A claimed email whose body is as stored, possibly encrypted. */
export interface ClaimedRow extends Pick<ClaimedMail, 'id' | 'class' | 'subject' | 'name' | 'attempts'> {
  readonly address: string
  readonly body: string
  readonly number: string | null
  readonly snapshot: string | null
  readonly is_expired: boolean
}

export async function claimMails(pool: Pool, atMost: number, claimMs: number): Promise<ClaimedRow[]> {
  const text = `WITH claimed AS (
      UPDATE mail_outbox SET due_at = clock_timestamp() + $2::bigint * interval '1 millisecond', attempts = attempts + 1
      WHERE id IN (SELECT m.id FROM mail_outbox m WHERE m.due_at <= clock_timestamp()
        ORDER BY m.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING id, class, name, user_id, address, subject, body, document_id, attempts, expires_at
    )
    SELECT c.id, c.class, c.name, coalesce(c.address, u.email) AS address, c.subject, c.body,
      c.attempts - 1 AS attempts, c.expires_at <= clock_timestamp() AS is_expired, d.number, d.snapshot
    FROM claimed c LEFT JOIN users u ON u.id = c.user_id LEFT JOIN billing_documents d ON d.id = c.document_id`
  return (await pool.query<ClaimedRow>(text, [atMost, claimMs])).rows
}

// A closed email keeps no text, and no address if its class is secret.
const closed = `due_at = NULL, body = NULL, address = CASE WHEN class <> ALL ($2) THEN address END`

/** Marks an email as sent, whichever attempt sent it. */
export async function noteSent(pool: Pool, { id }: Pick<ClaimedMail, 'id'>): Promise<void> {
  const text = `UPDATE mail_outbox SET ${closed}, sent_at = clock_timestamp(), last_error = NULL
    WHERE id = $1 AND sent_at IS NULL`
  await pool.query(text, [id, secretClasses])
}

// A process that outlasted its claim must not change an email that another process has tried since.
const ours = `id = $1 AND attempts = $4 AND due_at IS NOT NULL`

/**
 * Makes the email due again. Returns false if it would not be worth sending by then, or another process has claimed or
 * closed it.
 */
export async function postpone(
  client: PoolClient,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  { error, pauseMs }: { readonly error: string; readonly pauseMs: number },
): Promise<boolean> {
  const text = `UPDATE mail_outbox SET last_error = $2,
      due_at = clock_timestamp() + $3::bigint * interval '1 millisecond'
    WHERE ${ours} AND clock_timestamp() + $3::bigint * interval '1 millisecond' < expires_at`
  return (await client.query(text, [id, error, Math.ceil(pauseMs), attempts + 1])).rowCount === 1
}

/** Closes the email unsent. Returns null if another process has claimed or closed it. */
export async function giveUp(
  client: PoolClient,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  { error }: Pick<FailedAttempt, 'error'>,
): Promise<{ readonly failure_entry: AuditEntry | null } | null> {
  const text = `UPDATE mail_outbox SET ${closed}, last_error = $3 WHERE ${ours} RETURNING failure_entry`
  const values = [id, secretClasses, error, attempts + 1]
  return (await client.query<{ failure_entry: AuditEntry | null }>(text, values)).rows[0] ?? null
}

/** Closes open emails on a topic, which a newer email makes useless. */
export async function closeTopic(connection: Pool | PoolClient, topic: string): Promise<void> {
  const text = `UPDATE mail_outbox SET ${closed}, last_error = 'replaced' WHERE topic = $1 AND due_at IS NOT NULL`
  await connection.query(text, [topic, secretClasses])
}

const keptDays = 30

/** Deletes emails that were sent or given up long ago. Returns how many there were. */
export async function purgeMails(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox
    WHERE due_at IS NULL AND created_at < now() - $2::integer * interval '1 day' LIMIT $1)`
  return (await pool.query(text, [atMost, keptDays])).rowCount ?? 0
}

interface ListedRow {
  id: string
  class: MailClass
  address: string | null
  subject: string
  attempts: number
  created_at: Date
  due_at: Date | null
  sent_at: Date | null
  last_error: string | null
}

/** The newest first. */
export async function listMails(
  pool: Pool,
  { onlyFailed, limit }: { onlyFailed: boolean; limit: number },
): Promise<MailListing[]> {
  const text = `SELECT m.id, m.class, coalesce(m.address, u.email) AS address, m.subject, m.attempts, m.created_at,
      m.due_at, m.sent_at, m.last_error
    FROM mail_outbox m LEFT JOIN users u ON u.id = m.user_id
    WHERE NOT $1::boolean OR m.last_error IS NOT NULL ORDER BY m.created_at DESC LIMIT $2`
  const { rows } = await pool.query<ListedRow>(text, [onlyFailed, limit])
  return rows.map((row) => ({
    id: row.id,
    class: row.class,
    to: row.address,
    subject: row.subject,
    attempts: row.attempts,
    createdAtMs: row.created_at.getTime(),
    dueAtMs: row.due_at?.getTime() ?? null,
    sentAtMs: row.sent_at?.getTime() ?? null,
    lastError: row.last_error,
  }))
}

/** Deletes all emails to a person who is erased, and emails with documents of the person's wallet to any address. */
export async function eraseMails(client: PoolClient, userId: Uuid, email: string): Promise<void> {
  await client.query(
    `DELETE FROM mail_outbox WHERE user_id = $1 OR lower(address) = lower($2) OR document_id IN (
       SELECT d.id FROM billing_documents d JOIN wallets w ON w.id = d.wallet_id
       WHERE w.owner_kind = 'user' AND w.owner_id = $1)`,
    [userId, email],
  )
}
