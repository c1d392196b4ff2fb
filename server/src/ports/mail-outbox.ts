import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { MailClass } from '#domain/mail/mail-class.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Every email that is to be sent, each at least once. Changes add theirs in their own transaction. */
export interface MailOutbox {
  /** Adds an email that this process sends itself. Others get it only after the claim lapses. */
  addClaimed(mail: NewMail, claim: { readonly claimMs: number; readonly nowMs: number }): Promise<ClaimedMail>
  /** Takes emails that are due; no other process gets them before the claim lapses. */
  claim(atMost: number, claimMs: number): Promise<readonly ClaimedMail[]>
  /** Closes an email that the mail server has accepted. */
  sent(mail: ClaimedMail): Promise<void>
  /**
   * Notes a failed attempt. The email is due again after the pause; it is given up where the pause is null or outlasts
   * the email. `superseded`: another process has claimed or closed it since.
   */
  failed(mail: ClaimedMail, attempt: FailedAttempt): Promise<'retried' | 'given_up' | 'superseded'>
}

export interface NewMail {
  readonly class: MailClass
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The email replaces an open one on the same topic, such as a code that does not work any more. */
  readonly topic?: string
  /** How long it is worth sending. */
  readonly lifeMs: number
  /** Appended to the audit log if the email is given up. */
  readonly failureEntry?: AuditEntry
}

export interface ClaimedMail {
  readonly id: Uuid
  readonly class: MailClass
  readonly to: string
  readonly subject: string
  /** Null: encrypted with a secret that is not configured any more. */
  readonly text: string | null
  /** For its `Message-ID`. */
  readonly name: string
  /** The receipt or invoice that is attached. */
  readonly document: { readonly number: string; readonly snapshot: string } | null
  /** Attempts before this one. */
  readonly attempts: number
  readonly isExpired: boolean
}

export interface FailedAttempt {
  readonly error: string
  readonly pauseMs: number | null
  readonly nowMs: number
}

/** An email as operators see it. */
export interface MailListing {
  readonly id: Uuid
  readonly class: MailClass
  /** Null: closed, and of a class whose addresses are not kept. */
  readonly to: string | null
  readonly subject: string
  readonly attempts: number
  readonly createdAtMs: number
  /** Null: sent, or given up. */
  readonly dueAtMs: number | null
  readonly sentAtMs: number | null
  readonly lastError: string | null
}
