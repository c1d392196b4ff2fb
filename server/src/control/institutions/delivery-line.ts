import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnstile } from '#lib/turnstile.ts'

/** The work that follows answered code requests: a few at once, the rest in line. */
interface DeliveryLine {
  /** Begins the work in a later turn of the event loop, so that the answer is written first. */
  afterwards(work: () => Promise<void>): void
  /** A pause within such work. It is cut short when the line closes. */
  pause(ms: number): Promise<void>
  /** Resolves once no work is left. Work that pauses is given up. */
  close(): Promise<void>
}

interface DeliveryLineDeps {
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
}

// A flood at the entry fills this line, and takes no connections to the mail server or to Postgres from anything else.
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
