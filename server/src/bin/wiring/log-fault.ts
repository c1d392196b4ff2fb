import type { Logger } from 'pino'
import { errorText } from '#lib/error-text.ts'
import { type FaultWatch, watchFault } from '#lib/fault-watch.ts'

/** Logs a fault that may come every second: when it begins, then once a minute with a count, and its end. Without stacks. */
export function logFault(
  logger: Logger,
  what: string,
  { level = 'error', overAfterMs }: { level?: 'warn' | 'error'; overAfterMs?: number } = {},
): FaultWatch {
  return watchFault({
    nowMs: Date.now,
    ...(overAfterMs === undefined ? {} : { overAfterMs }),
    tell: ({ kind, times, sinceMs, error }) => {
      const count = { times, since: new Date(sinceMs).toISOString() }
      if (kind === 'over') logger.info(count, `over: ${what}`)
      else logger[level]({ error: errorText(error), ...(kind === 'began' ? {} : count) }, what)
    },
  })
}
