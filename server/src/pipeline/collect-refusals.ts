import type { FaultWatch } from '#lib/fault-watch.ts'
import type { Timer, Timers } from '#lib/timers.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { RefusalBatch, Refusals, RefusalStore } from '#ports/refusals.ts'
import { type BufferOutcome, createRefusalBuffer } from './refusal-buffer.ts'

export interface RefusalCollector extends Refusals {
  /** Refusals that the store has not confirmed. */
  readonly waiting: number
  /** Writes what is waiting. Gives up where the store does not answer. */
  close(): Promise<void>
}

/** `lost`: the store rejected the refusals, or did not answer until the process shut down. */
export type RefusalOutcome = BufferOutcome | 'written' | 'lost'

interface CollectorDeps {
  readonly store: RefusalStore
  /** Identifies this process. */
  readonly writer: Uuid
  readonly timers: Timers
  readonly tell: (outcome: RefusalOutcome, count: number) => void
  readonly fault: Pick<FaultWatch, 'failed' | 'succeeded'>
}

const everyMs = 1_000
const failuresAtCloseMax = 2

interface Sent extends RefusalBatch {
  readonly size: number
}

/**
 * Writes refusals once a second, apart from requests and their money. A batch is sent until the store has confirmed it.
 * If the process dies, what the store had not confirmed is lost: the refusals of a second, unless the store is away.
 */
export function collectRefusals({ store, writer, timers, tell, fault }: CollectorDeps): RefusalCollector {
  const buffer = createRefusalBuffer((outcome) => tell(outcome, 1))
  let batch: Sent | null = null
  let batchesMade = 0
  let timer: Timer | null = null
  let running: Promise<void> | null = null

  const countWaiting = (): number => buffer.waiting + (batch?.size ?? 0)
  const arm = (): Timer => {
    const armed = timers.after(everyMs, () => {
      timer = null
      void flush()
    })
    armed.unref()
    return armed
  }
  const take = (): Sent | null => {
    const { waiting: size } = buffer
    if (size === 0) return null
    batchesMade += 1
    return { writer, number: batchesMade, ...buffer.take(), size }
  }
  const write = async ({ size, ...content }: Sent): Promise<void> => {
    try {
      tell(await store.write(content), size)
      batch = null
      fault.succeeded()
    } catch (error) {
      fault.failed(error)
    }
    running = null
    if (batch !== null || buffer.waiting > 0) timer ??= arm()
  }
  const flush = (): Promise<void> => {
    batch ??= take()
    if (batch !== null) running ??= write(batch)
    return running ?? Promise.resolve()
  }
  return {
    note: (refusal) => {
      buffer.note(refusal)
      timer ??= arm()
    },
    get waiting() {
      return countWaiting()
    },
    close: async () => {
      await running
      for (let failures = 0; countWaiting() > 0 && failures < failuresAtCloseMax; ) {
        await flush()
        if (batch !== null) failures += 1
      }
      timer?.cancel()
      if (countWaiting() > 0) tell('lost', countWaiting())
    },
  }
}
