import { signWebhook } from '#domain/video/sign-webhook.ts'
import { realTimers, type Timers } from '#lib/timers.ts'
import type { Outbound } from '#ports/outbound.ts'
import type { Upstreams } from '#ports/upstream.ts'
import type { WebhookSender, WebhookDelivery } from '#ports/webhooks.ts'

/**
 * Calls URLs that submitters named, each in its account's turn. `upstreams` uses the guard, which judges each
 * connection again. Only the status matters: the rest of the response is not awaited.
 */
export function createWebhookSender(options: {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  /** Time limit from the start of the account's turn. */
  readonly timeoutMs: number
  readonly timers?: Timers
}): WebhookSender {
  const { upstreams, outbound, timeoutMs, timers = realTimers } = options
  return {
    call: (delivery) =>
      outbound.run({ account: delivery.walletId, bytesMax: 0 }, () =>
        callNow(upstreams, delivery, { timeoutMs, timers }),
      ),
  }
}

function callNow(
  upstreams: Upstreams,
  delivery: WebhookDelivery,
  { timeoutMs, timers }: { readonly timeoutMs: number; readonly timers: Timers },
): Promise<number> {
  const { id, walletId, url, body, secret } = delivery
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url)
    const timer = timers.after(timeoutMs, () => {
      exchange.abort()
      reject(new Error(`timed out after ${timeoutMs} ms`))
    })
    const exchange = upstreams.open(
      {
        account: walletId,
        origin,
        path: pathname + search,
        headers: { ...headersFor(id), ...(secret === null ? {} : signWebhook({ id, body }, secret, Date.now())) },
        body,
        connectTimeoutMs: timeoutMs,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
      },
      {
        headers: (status) => {
          timer.cancel()
          resolve(status)
          exchange.abort()
        },
        data: () => {},
        end: () => {},
        failed: ({ message }) => {
          timer.cancel()
          reject(new Error(message))
        },
      },
    )
  })
}

function headersFor(id: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Weir',
    'x-webhook-id': id,
    'accept-encoding': 'identity',
    connection: 'close',
  }
}
