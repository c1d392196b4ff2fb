import type { PaymentsSimulator } from '#test/simulators/payments/start-payments.ts'
import type { ServerProcess } from '../server-process.ts'

/** The gateways that clients and the provider reach: a mortal one, and a steady one behind it. */
export interface Front {
  /** Calls the mortal gateway while it lives. Returns null if it died during the request. */
  ask<Answer>(call: (url: string) => Promise<Answer>): Promise<Answer | null>
  /** Sends the waiting webhooks to both. */
  deliver(order: { isReversed: boolean }): Promise<void>
}

export function createFront(
  provider: PaymentsSimulator,
  { steady, mortal }: { steady: ServerProcess; mortal: ServerProcess | null },
): Front {
  const living = (): ServerProcess | null => (mortal?.isAlive === true ? mortal : null)
  return {
    ask: async (call) => {
      const asked = living()
      if (asked === null) return call(steady.url)
      try {
        return await call(asked.url)
      } catch {
        // Only its death ends a connection to this gateway.
        await asked.exited
        return null
      }
    },
    deliver: async (order) => {
      const asked = living()
      provider.webhooks.targets = asked === null ? [steady.url] : [asked.url, steady.url]
      const sent = await provider.webhooks.deliver(order)
      if (asked !== null && sent.some(({ status }) => status === null)) await asked.exited
    },
  }
}
