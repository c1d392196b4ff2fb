import type { PaymentsSimulator } from '#test/simulators/payments/start-payments.ts'
import type { ServerProcess } from '../server-process.ts'

/** What clients and the provider reach: a gateway that may die, and a steady one behind it. */
export interface Front {
  /** Asks the mortal gateway while it lives. Null: it died over it. */
  ask<Answer>(call: (url: string) => Promise<Answer>): Promise<Answer | null>
  /** Sends the webhooks that wait, to both. */
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
        // Nothing but its death ends a connection to it.
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
