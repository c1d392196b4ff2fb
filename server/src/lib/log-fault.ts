import { errorText } from './error-text.ts'
import { type FaultWatch, watchFault } from './fault-watch.ts'
import type { Log } from './log.ts'

/**
 * Logs a fault that may recur every second: when it begins, then once a minute with a count, and its end. Without
 * stacks.
 */
export function logFault(
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  what: string,
  { level = 'error', overAfterMs, nowMs = Date.now }: LogFaultOptions = {},
): FaultWatch {
  return watchFault({
    nowMs,
    ...(overAfterMs === undefined ? {} : { overAfterMs }),
    tell: ({ kind, times, sinceMs, error }) => {
      const count = { times, since: new Date(sinceMs).toISOString() }
      if (kind === 'over') log.info(count, `recovered: ${what}`)
      else log[level]({ error: errorText(error), ...(kind === 'began' ? {} : count) }, what)
    },
  })
}

interface LogFaultOptions {
  readonly level?: 'warn' | 'error'
  /** For a fault without an end event. */
  readonly overAfterMs?: number
  readonly nowMs?: () => number
}
