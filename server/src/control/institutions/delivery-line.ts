import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnstile } from '#lib/turnstile.ts'

/** Background work after code requests were answered: a few at once, the rest queued. */
interface DeliveryLine {
  /** Starts the work in a later turn of the event loop, so that the response is written first. */
  afterwards(work: () => Promise<void>): void
  /** Resolves once no work is left. */
  idle(): Promise<void>
}

// A flood of code requests fills this queue instead of taking mail server and Postgres connections from other work.
const room = { atOnceMax: 8, waitingMax: 1_000, refusal: () => new Error('too many code emails are queued') }

export function createDeliveryLine({ onError }: { readonly onError: (error: unknown) => void }): DeliveryLine {
  const line = createTurnstile(room)
  return {
    afterwards: (work) => {
      line.run(() => nextTurn().then(work)).catch(onError)
    },
    idle: line.idle,
  }
}
