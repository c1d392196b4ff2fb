import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyAccount } from './keys.ts'

/** Calls that are due, to addresses that clients named. */
export interface WebhookQueue {
  /** Takes deliveries that are due; no other worker gets them before the claim lapses. */
  claim(room: WebhookRoom, claimMs: number): Promise<readonly WebhookDelivery[]>
  delivered(delivery: WebhookDelivery, status: number): Promise<void>
  /** Tried in vain. `againInMs` null: for the last time. A try that another one has overtaken changes nothing. */
  failed(
    delivery: WebhookDelivery,
    outcome: { status: number | null; error: string; againInMs: number | null },
  ): Promise<void>
}

/** How many deliveries a worker can take, so that one account's do not keep those of the others waiting. */
export interface WebhookRoom {
  readonly atMost: number
  readonly perAccountMax: number
  /** Wallets of which none are taken. */
  readonly busyAccounts: readonly string[]
}

export interface WebhookDelivery {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly url: string
  readonly body: string
  /** Tries before this one. */
  readonly attempts: number
  readonly createdAtMs: number
  /** What the account's calls are signed with; null: they are not. */
  readonly secret: string | null
}

/** Sends one call, behind the guard, once, without following anything. */
export interface WebhookSender {
  /** The status that was answered; rejects without an answer. */
  call(delivery: WebhookDelivery): Promise<number>
}

/** The state of a delivery, for operators and for the account itself. */
export interface WebhookListing {
  readonly id: Uuid
  /** Null: it tells an alert, and not of a video. */
  readonly jobId: Uuid | null
  readonly url: string
  readonly tries: number
  readonly createdAtMs: number
  /** When it is tried next; null where it was delivered or given up. */
  readonly dueAtMs: number | null
  readonly deliveredAtMs: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** An account's own calls. */
export interface WebhookLists {
  /** The newest first. */
  list(query: WebhookListQuery): Promise<readonly WebhookListing[]>
  /** Makes the call of a job due once more; null where it has none. */
  redeliver(jobId: Uuid): Promise<WebhookListing | null>
}

export interface WebhookListQuery {
  readonly scope: UsageScope
  /** Only calls with smaller ids; null: from the newest on. */
  readonly before: Uuid | null
  readonly state: 'delivered' | 'waiting' | 'given_up' | null
  /** Only the call of this job; null: of all. */
  readonly jobId: Uuid | null
  readonly limit: number
}

/** What an account's webhooks are signed with; at most one for each account. */
export interface WebhookSecrets {
  /** Since when there is one; null: there is none. */
  find(account: KeyAccount): Promise<{ readonly createdAtMs: number } | null>
  /** Puts it in place of the one before. It is sealed for the account's wallet. */
  put(account: KeyAccount, sealFor: (walletId: Uuid) => Sealed, author: ChangeAuthor): Promise<void>
  /** One that is not there is no fault. */
  remove(account: KeyAccount, author: ChangeAuthor): Promise<void>
}
