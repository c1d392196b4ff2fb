import type { Part } from '#jobs/part.ts'
import type { WebhookDelivery, WebhookQueue } from '#ports/webhooks.ts'
import { type DeliverDeps, deliverWebhook } from './deliver-webhook.ts'

export interface WebhookRunnerOptions extends DeliverDeps {
  readonly queue: WebhookQueue
  /** For one call. A worker that died with one leaves it to others after three times as long. */
  readonly timeoutMs: number
  /** Calls at the same time. */
  readonly atOnce: number
  /** Of them those of one account. */
  readonly perAccountMax: number
  /** Accounts whose calls would only wait here. */
  readonly busyAccounts: () => readonly string[]
  readonly lookEveryMs: number
  /** A call whose outcome could not be written down. It is made again. */
  readonly onError: (error: unknown) => void
}

/**
 * Calls each receiver on its own: a slow receiver keeps no other waiting, and an account with
 * many such receivers waits behind its own calls.
 */
export function webhooksPart(options: WebhookRunnerOptions): Part {
  const calls = new Set<Promise<void>>()

  function begin(delivery: WebhookDelivery): void {
    const call: Promise<void> = deliverWebhook(delivery, options)
      .catch(options.onError)
      .finally(() => calls.delete(call))
    calls.add(call)
  }

  return {
    name: 'webhooks',
    pauseMs: options.lookEveryMs,
    round: async () => {
      const atMost = options.atOnce - calls.size
      if (atMost <= 0) return false
      const room = { atMost, perAccountMax: options.perAccountMax, busyAccounts: options.busyAccounts() }
      for (const delivery of await options.queue.claim(room, options.timeoutMs * 3)) begin(delivery)
      return false
    },
    end: async () => {
      await Promise.all(calls)
    },
  }
}
