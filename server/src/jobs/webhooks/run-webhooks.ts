import { runClaims } from '#jobs/run-claims.ts'
import type { WebhookQueue } from '#ports/webhooks.ts'
import { type DeliverDeps, deliverWebhook } from './deliver-webhook.ts'

export interface WebhookRunnerDeps extends DeliverDeps {
  readonly queue: WebhookQueue
  /** For one call. A worker that died with one leaves it to others after three times as long. */
  readonly timeoutMs: number
  /** Calls at the same time. */
  readonly atOnce: number
  /** Of them those of one account. */
  readonly perAccountMax: number
  /** Accounts whose calls would only wait here. */
  readonly busyAccounts: () => readonly string[]
  readonly onError: (error: unknown) => void
}

/** Calls each receiver on its own: an account with many slow receivers waits behind its own calls. */
export function runWebhooks(deps: WebhookRunnerDeps): ReturnType<typeof runClaims> {
  const { queue, timeoutMs, atOnce, perAccountMax, onError } = deps
  const claims = runClaims({
    atOnce,
    claim: (atMost) => queue.claim({ atMost, perAccountMax, busyAccounts: deps.busyAccounts() }, timeoutMs * 3),
    work: (delivery) => deliverWebhook(delivery, deps),
    onError,
  })
  // At the pace of its interval even where more is due: quick receivers would otherwise have a backlog claimed row by row.
  return { ...claims, run: async (signal) => void (await claims.run(signal)) }
}
