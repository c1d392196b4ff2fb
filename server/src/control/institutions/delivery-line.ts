import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnstile } from '#lib/turnstile.ts'

/** Background work after code requests were answered: a few at once, the rest queued. */
interface DeliveryLine {
  /** Starts the work in a later turn of the event loop, so that the response is written first. */
  afterwards(work: () => Promise<void>): void
  /** A pause within the work. Closing the queue cuts it short. */
  pause(ms: number): Promise<void>
  /** Resolves once no work is left. Paused work is dropped. */
  close(): Promise<void>
}

interface DeliveryLineDeps {
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
}

// A flood of code requests fills this queue instead of taking mail server and Postgres connections from other work.
const room = { atOnceMax: 8, waitingMax: 1_000, refusal: () => new Error('too many code emails are queued') }

export function createDeliveryLine({ wait, onError }: DeliveryLineDeps): DeliveryLine {
  const line = createTurnstile(room)
  const closing = new AbortController()
  return {
    afterwards: (work) => {
      line.run(() => nextTurn().then(work)).catch(onError)
    },
    pause: (ms) => wait(ms, closing.signal),
    close: () => {
      closing.abort()
      return line.idle()
    },
  }
}
