import type { KeyAccount } from '#domain/access/key-account.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from './keys.ts'

/** Due webhook deliveries to URLs that clients chose. */
export interface WebhookQueue {
  /** Claims due deliveries. No other worker gets them before the claim expires. */
  claim(room: WebhookRoom, claimMs: number): Promise<readonly WebhookDelivery[]>
  delivered(delivery: WebhookDelivery, status: number): Promise<void>
  /** Records a failed attempt. `againInMs` is null for the last one. A superseded attempt changes nothing. */
  failed(
    delivery: WebhookDelivery,
    outcome: { status: number | null; error: string; againInMs: number | null },
  ): Promise<void>
}

/** How many deliveries a worker can take, so that one account does not delay the others. */
export interface WebhookRoom {
  readonly atMost: number
  readonly perAccountMax: number
  /** Wallets whose deliveries are skipped. */
  readonly busyAccounts: readonly string[]
}

export interface WebhookDelivery {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly url: string
  readonly body: string
  /** Attempts before this one. */
  readonly attempts: number
  readonly createdAtMs: number
  /** The signing secret of the account, or null if deliveries are not signed. */
  readonly secret: string | null
}

/** Sends one webhook through the egress guard, once, without following redirects. */
export interface WebhookSender {
  /** Resolves to the response status. Rejects if there is no response. */
  call(delivery: WebhookDelivery): Promise<number>
}

/** The state of a delivery, for operators and for the account itself. */
export interface WebhookListing {
  readonly id: Uuid
  /** Null if the webhook reports an alert and not a video. */
  readonly jobId: Uuid | null
  readonly url: string
  readonly tries: number
  readonly createdAtMs: number
  /** Time of the next attempt, or null if the webhook was delivered or has permanently failed. */
  readonly dueAtMs: number | null
  readonly deliveredAtMs: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** An account's own webhook deliveries. */
export interface WebhookLists {
  /** The newest first. */
  list(query: WebhookListQuery): Promise<readonly WebhookListing[]>
  /** Makes the webhook of a job due again, or returns null if it has none. */
  redeliver(jobId: Uuid): Promise<WebhookListing | null>
}

export interface WebhookListQuery {
  readonly scope: UsageScope
  /** Only deliveries with smaller ids, or null to start with the newest. */
  readonly before: Uuid | null
  readonly state: 'delivered' | 'waiting' | 'given_up' | null
  /** Only the delivery of this job, or null for all. */
  readonly jobId: Uuid | null
  readonly limit: number
}

/** The signing secrets of webhooks, at most one per account. */
export interface WebhookSecrets {
  /** When the secret was created, or null if there is none. */
  find(account: KeyAccount): Promise<{ readonly createdAtMs: number } | null>
  /** Replaces the previous secret. It is encrypted for the account's wallet. */
  put(account: KeyAccount, sealFor: (walletId: Uuid) => Sealed, author: ChangeAuthor): Promise<void>
  /** Removing a missing secret is not an error. */
  remove(account: KeyAccount, author: ChangeAuthor): Promise<void>
}
