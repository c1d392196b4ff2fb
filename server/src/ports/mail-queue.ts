import type { Notice } from '#domain/notices/notice.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Mails that are due. */
export interface MailQueue {
  /** Takes mails that are due; no other worker gets them before the claim lapses. */
  claim(atMost: number, claimMs: number): Promise<readonly MailDelivery[]>
  sent(delivery: MailDelivery): Promise<void>
  /** Tried in vain. `againInMs` null: for the last time. */
  failed(delivery: MailDelivery, outcome: { readonly error: string; readonly againInMs: number | null }): Promise<void>
}

export interface MailDelivery {
  readonly id: Uuid
  readonly to: string
  readonly notice: Notice
  /** Tries before this one. */
  readonly attempts: number
  readonly createdAtMs: number
}
