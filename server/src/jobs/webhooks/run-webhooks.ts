import { runClaims } from '#jobs/run-claims.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { publicText } from '#lib/public-text.ts'
import type { WebhookSender, WebhookDelivery, WebhookQueue } from '#ports/webhooks.ts'

export interface WebhookRunnerDeps extends DeliverDeps {
  readonly queue: WebhookQueue
  /** Time limit of one delivery. Other workers take over the delivery of a dead worker after three times as long. */
  readonly timeoutMs: number
  /** Maximum concurrent deliveries. */
  readonly atOnce: number
  /** Maximum concurrent deliveries of one account. */
  readonly perAccountMax: number
  /** Accounts whose deliveries would only wait here. */
  readonly busyAccounts: () => readonly string[]
  readonly onError: (error: unknown) => void
}

/** Calls each receiver separately: an account with many slow receivers waits behind its own deliveries. */
export function runWebhooks(deps: WebhookRunnerDeps): ReturnType<typeof runClaims> {
  const { queue, timeoutMs, atOnce, perAccountMax, onError } = deps
  const claims = runClaims({
    atOnce,
    claim: (atMost) => queue.claim({ atMost, perAccountMax, busyAccounts: deps.busyAccounts() }, timeoutMs * 3),
    work: (delivery) => deliverWebhook(delivery, deps),
    onError,
  })
  // The next round waits for its interval even if more is due: otherwise a backlog for quick receivers would be claimed
  // row by row.
  return { ...claims, run: async (signal) => void (await claims.run(signal)) }
}

const giveUpAfterMs = 24 * 3_600_000
const pauseMaxMs = 3_600_000

interface DeliverDeps {
  readonly queue: Pick<WebhookQueue, 'delivered' | 'failed'>
  readonly client: WebhookSender
  /** Pause after the first attempt. Each further pause is twice as long, up to an hour. */
  readonly pauseMs: number
  readonly onFailed: (delivery: WebhookDelivery, error: string) => void
  readonly nowMs: () => number
}

/** When to retry after a failed attempt, or null once a day is over. */
export function nextTryIn({ attempts, createdAtMs }: WebhookDelivery, pauseMs: number, nowMs: number): number | null {
  const pause = Math.min(pauseMaxMs, pauseMs * 2 ** Math.min(attempts, 30))
  return nowMs + pause - createdAtMs > giveUpAfterMs ? null : pause
}

/** One attempt. A 2xx response means delivered; a redirect is a failure. */
async function deliverWebhook(delivery: WebhookDelivery, deps: DeliverDeps): Promise<void> {
  const { queue, client, pauseMs, nowMs } = deps
  const outcome = await client.call(delivery).then(
    (status) => ({ status, error: `returned ${status}` }),
    (error: unknown) => ({ status: null, error: publicText(error instanceof Error ? error.message : String(error)) }),
  )
  if (failpointsArmed) await failpoint('after-webhook')
  const { status } = outcome
  if (status !== null && status >= 200 && status <= 299) return queue.delivered(delivery, status)
  deps.onFailed(delivery, outcome.error)
  await queue.failed(delivery, { ...outcome, againInMs: nextTryIn(delivery, pauseMs, nowMs()) })
}
