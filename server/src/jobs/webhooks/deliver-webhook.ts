import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { publicText } from '#lib/public-text.ts'
import type { WebhookCaller, WebhookDelivery, WebhookQueue } from '#ports/webhooks.ts'

const giveUpAfterMs = 24 * 3_600_000
const pauseMaxMs = 3_600_000

export interface DeliverDeps {
  readonly queue: Pick<WebhookQueue, 'delivered' | 'failed'>
  readonly caller: WebhookCaller
  /** The pause after the first try; every further one is twice as long, up to an hour. */
  readonly pauseMs: number
  readonly onFailed: (delivery: WebhookDelivery, error: string) => void
  readonly nowMs: () => number
}

/** When to try again after a try came to nothing; null once a day is over. */
export function nextTryIn({ attempts, createdAtMs }: WebhookDelivery, pauseMs: number, nowMs: number): number | null {
  const pause = Math.min(pauseMaxMs, pauseMs * 2 ** Math.min(attempts, 30))
  return nowMs + pause - createdAtMs > giveUpAfterMs ? null : pause
}

/** One try. A receiver that answers 2xx has it; a redirect is a wrong answer. */
export async function deliverWebhook(delivery: WebhookDelivery, deps: DeliverDeps): Promise<void> {
  const { queue, caller, pauseMs, nowMs } = deps
  const outcome = await caller.call(delivery).then(
    (status) => ({ status, error: `answered with ${status}` }),
    (error: unknown) => ({ status: null, error: publicText(error instanceof Error ? error.message : String(error)) }),
  )
  if (failpointsArmed) await failpoint('after-webhook')
  const { status } = outcome
  if (status !== null && status >= 200 && status <= 299) return queue.delivered(delivery, status)
  deps.onFailed(delivery, outcome.error)
  await queue.failed(delivery, { ...outcome, againInMs: nextTryIn(delivery, pauseMs, nowMs()) })
}
