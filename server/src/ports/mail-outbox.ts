import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { MailClass } from '#domain/mail/mail-class.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Every email to be sent, each at least once. Changes add their emails in their own transaction. */
export interface MailOutbox {
  /** Adds an email that this process sends itself. Others get it only after the claim lapses. */
  addClaimed(mail: NewMail, claim: { readonly claimMs: number; readonly nowMs: number }): Promise<ClaimedMail>
  /** Claims emails that are due. No other process gets them before the claim lapses. */
  claim(atMost: number, claimMs: number): Promise<readonly ClaimedMail[]>
  /** Closes an email that the mail server has accepted. */
  sent(mail: ClaimedMail): Promise<void>
  /**
   * Records a failed attempt. The email is due again after the pause; it is given up if the pause is null or outlasts
   * the email. `superseded`: another process has claimed or closed it since.
   */
  failed(mail: ClaimedMail, attempt: FailedAttempt): Promise<'retried' | 'given_up' | 'superseded'>
}

export interface NewMail {
  readonly class: MailClass
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The email replaces an open one on the same topic, such as a code that no longer works. */
  readonly topic?: string
  /** For how long the email is worth sending. */
  readonly lifeMs: number
  /** Appended to the audit log if the email is given up. */
  readonly failureEntry?: AuditEntry
}

export interface ClaimedMail {
  readonly id: Uuid
  readonly class: MailClass
  readonly to: string
  readonly subject: string
  /** Null if it was encrypted with a secret that is no longer configured. */
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
  /** Null if the email is closed and addresses of its class are not kept. */
  readonly to: string | null
  readonly subject: string
  readonly attempts: number
  readonly createdAtMs: number
  /** Null if the email was sent or given up. */
  readonly dueAtMs: number | null
  readonly sentAtMs: number | null
  readonly lastError: string | null
}
