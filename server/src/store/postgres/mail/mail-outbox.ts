import type { Pool } from 'pg'
import { secretClasses } from '#domain/mail/mail-class.ts'
import { parseJsonObject } from '#lib/json.ts'
import { parseSealed, seal, SealError, type SealingKey, unseal } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedMail, FailedAttempt, MailOutbox, NewMail } from '#ports/mail-outbox.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { persistently } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { type ClaimedRow, claimMails, closeTopic, giveUp, insertMail, noteSent, postpone } from './outbox.sql.ts'

/** Emails in Postgres. The text of secret classes is encrypted for its row. */
export function createMailOutbox(pool: Pool, sealingKey: SealingKey): MailOutbox {
  return {
    addClaimed: (mail, claim) => addClaimed(pool, sealingKey, { mail, ...claim }),
    claim: async (atMost, claimMs) =>
      (await claimMails(pool, atMost, claimMs)).map((row) => claimedOf(row, sealingKey)),
    sent: (mail) => persistently(() => noteSent(pool, mail)),
    failed: (mail, attempt) => persistently(() => noteFailed(pool, mail, attempt)),
  }
}

async function addClaimed(
  pool: Pool,
  sealingKey: SealingKey,
  { mail, claimMs, nowMs }: { mail: NewMail; claimMs: number; nowMs: number },
): Promise<ClaimedMail> {
  const { to, text, ...rest } = mail
  const id = newUuid(nowMs)
  const body = bodyOf(mail, { id, sealingKey })
  if (mail.topic !== undefined) await closeTopic(pool, mail.topic)
  await insertMail(pool, { ...rest, id, name: id, to: { address: to }, body, claimMs })
  const { class: mailClass, subject } = mail
  return { id, class: mailClass, to, subject, text, name: id, document: null, attempts: 0, isExpired: false }
}

/** The text as it is stored: encrypted for its row if the class is secret. */
export function bodyOf(
  { class: mailClass, text }: Pick<NewMail, 'class' | 'text'>,
  { id, sealingKey }: { id: string; sealingKey: SealingKey },
): string {
  return secretClasses.includes(mailClass) ? JSON.stringify(seal(sealingKey, text, id)) : text
}

function claimedOf(row: ClaimedRow, sealingKey: SealingKey): ClaimedMail {
  const { address, body, number, snapshot, is_expired, ...rest } = row
  return {
    ...rest,
    to: address,
    text: secretClasses.includes(row.class) ? open(sealingKey, body, row.id) : body,
    document: number === null || snapshot === null ? null : { number, snapshot },
    isExpired: is_expired,
  }
}

/** One email that cannot be decrypted must not keep the others from being sent. */
function open(sealingKey: SealingKey, body: string, id: string): string | null {
  try {
    return unseal(sealingKey, parseSealed(parseJsonObject(body)), id)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

function noteFailed(pool: Pool, mail: ClaimedMail, attempt: FailedAttempt): ReturnType<MailOutbox['failed']> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const { error, pauseMs, nowMs } = attempt
    if (pauseMs !== null && (await postpone(client, mail, { error, pauseMs }))) return 'retried'
    const gone = await giveUp(client, mail, attempt)
    if (gone === null) return 'superseded'
    if (gone.failure_entry !== null) await appendAudit(client, [gone.failure_entry], nowMs)
    return 'given_up'
  })
}
