import type { WebhookCaller, WebhookDelivery, WebhookQueue } from '#ports/webhooks.ts'

const giveUpAfterMs = 24 * 3_600_000
const pauseMinMs = 5_000
const pauseMaxMs = 3_600_000
const claimMs = 30_000

/** When to try again after so many tries; null once a day is over. */
export function nextTryIn({ attempts, createdAtMs }: WebhookDelivery, nowMs: number): number | null {
  const pauseMs = Math.min(pauseMaxMs, pauseMinMs * 2 ** Math.min(attempts, 20))
  return nowMs + pauseMs - createdAtMs > giveUpAfterMs ? null : pauseMs
}

/** Delivers what is due, at most so many at once; gives how many were tried. Whoever answers with 2xx has it. */
export function createDeliverWebhooks(deps: {
  queue: WebhookQueue
  caller: WebhookCaller
  onFailed: (delivery: WebhookDelivery, error: string) => void
  nowMs: () => number
}): (atMost: number) => Promise<number> {
  const { queue, caller, nowMs } = deps
  return async (atMost) => {
    const due = await queue.claim(atMost, claimMs)
    await Promise.all(due.map(deliver))
    return due.length
  }

  async function deliver(delivery: WebhookDelivery): Promise<void> {
    const outcome = await caller.call(delivery).then(
      (status) => ({ status, error: `answered with ${status}` }),
      (error: unknown) => ({ status: null, error: error instanceof Error ? error.message : String(error) }),
    )
    const { status } = outcome
    if (status !== null && status >= 200 && status <= 299) return queue.delivered(delivery.id, status)
    deps.onFailed(delivery, outcome.error)
    await queue.failed(delivery.id, { ...outcome, againInMs: nextTryIn(delivery, nowMs()) })
  }
}
