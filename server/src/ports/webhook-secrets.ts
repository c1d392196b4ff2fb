import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyAccount } from './key-book.ts'

/** What an account's webhooks are signed with; at most one for each account. */
export interface WebhookSecrets {
  /** Since when there is one; null: there is none. */
  find(account: KeyAccount): Promise<{ readonly createdAtMs: number } | null>
  /** Puts it in place of the one before. It is sealed for the account's wallet. */
  put(account: KeyAccount, sealFor: (walletId: Uuid) => Sealed, author: ChangeAuthor): Promise<void>
  /** One that is not there is no fault. */
  remove(account: KeyAccount, author: ChangeAuthor): Promise<void>
}
