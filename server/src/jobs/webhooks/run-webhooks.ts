import type { Sweeper } from '#jobs/sweep.ts'
import type { WebhookDelivery, WebhookQueue } from '#ports/webhooks.ts'
import { type DeliverDeps, deliverWebhook } from './deliver-webhook.ts'

export interface WebhookRunnerOptions extends DeliverDeps {
  readonly queue: WebhookQueue
  /** For one call. A worker that died with one leaves it to others after three times as long. */
  readonly timeoutMs: number
  /** Calls at the same time. */
  readonly atOnce: number
  readonly lookEveryMs: number
  readonly onError: (error: unknown) => void
}

/** Calls whoever is to be called, each for itself: a receiver that takes its time keeps nobody else waiting. */
export function startWebhooks(options: WebhookRunnerOptions): Sweeper {
  const calls = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    const room = options.atOnce - calls.size
    if (stopped || room <= 0) return
    for (const delivery of await options.queue.claim(room, options.timeoutMs * 3)) begin(delivery)
  }

  function begin(delivery: WebhookDelivery): void {
    const call: Promise<void> = deliverWebhook(delivery, options)
      .catch(options.onError)
      .finally(() => calls.delete(call))
    calls.add(call)
  }

  const timer = setInterval(() => {
    looking = looking.then(look).catch(options.onError)
  }, options.lookEveryMs)
  return {
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await looking
      await Promise.all(calls)
    },
  }
}
