import { realTimers, type Timer, type Timers } from './timers.ts'

/** Deadlines of the same length, which share one timer: the first that begins is the first that ends. */
export interface DeadlineQueue {
  /** Calls back when the time is over, unless the deadline is cancelled before. */
  begin(onLate: () => void): Deadline
}

export interface Deadline {
  cancel(): void
}

interface Waiting extends Deadline {
  readonly dueAtMs: number
  onLate: (() => void) | null
}

export function createDeadlineQueue(timeoutMs: number, timers: Timers = realTimers): DeadlineQueue {
  let waiting: Waiting[] = []
  let timer: Timer | null = null

  function end(): void {
    timer = null
    const nowMs = timers.nowMs()
    const late: (() => void)[] = []
    waiting = waiting.filter(({ dueAtMs, onLate }) => {
      if (onLate !== null && dueAtMs <= nowMs) late.push(onLate)
      return onLate !== null && dueAtMs > nowMs
    })
    const [first] = waiting
    if (first !== undefined) timer = timers.after(first.dueAtMs - nowMs, end)
    for (const onLate of late) onLate()
  }

  return {
    begin(onLate) {
      const deadline: Waiting = {
        dueAtMs: timers.nowMs() + timeoutMs,
        onLate,
        cancel() {
          this.onLate = null
        },
      }
      waiting.push(deadline)
      timer ??= timers.after(timeoutMs, end)
      return deadline
    },
  }
}
