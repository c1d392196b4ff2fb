import type { Upstreams } from '#ports/upstream.ts'
import type { WebhookCaller } from '#ports/webhooks.ts'
import { fetchWhole } from './fetch-whole.ts'

const timeoutMs = 10_000
const answerBytesMax = 65_536

/** Calls addresses that submitters named; `upstreams` is behind the guard, which judges each connection anew. */
export function createWebhookCaller(upstreams: Upstreams): WebhookCaller {
  return {
    async call({ id, url, body }) {
      const { origin, pathname, search } = new URL(url)
      const { status } = await fetchWhole(
        upstreams,
        {
          origin,
          path: pathname + search,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Weir',
            'x-webhook-id': id,
            'accept-encoding': 'identity',
            connection: 'close',
          },
          body,
          connectTimeoutMs: timeoutMs,
          headersTimeoutMs: timeoutMs,
          bodyTimeoutMs: timeoutMs,
        },
        { timeoutMs, bytesMax: answerBytesMax },
      )
      return status
    },
  }
}
