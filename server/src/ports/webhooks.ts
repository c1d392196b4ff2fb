import type { Uuid } from '#lib/uuid.ts'

/** Calls that are due, to addresses that callers named. */
export interface WebhookQueue {
  /** Takes deliveries that are due; nobody else gets them before the claim lapses. */
  claim(atMost: number, claimMs: number): Promise<readonly WebhookDelivery[]>
  delivered(id: Uuid, status: number): Promise<void>
  /** Tried in vain. `againInMs` null: for the last time. */
  failed(id: Uuid, outcome: { status: number | null; error: string; againInMs: number | null }): Promise<void>
}

export interface WebhookDelivery {
  readonly id: Uuid
  readonly url: string
  readonly body: string
  /** Tries before this one. */
  readonly attempts: number
  readonly createdAtMs: number
}

/** Sends one call, behind the guard, once, without following anything. */
export interface WebhookCaller {
  /** The status that was answered; rejects where nobody answered. */
  call(delivery: WebhookDelivery): Promise<number>
}
