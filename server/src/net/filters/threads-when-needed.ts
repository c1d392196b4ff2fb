import { GatewayError } from '#errors/gateway-error.ts'
import { withDeadline } from '#lib/deadline.ts'
import type { Timers } from '#lib/timers.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterThreads } from './filter-threads.ts'

// Threads take some hundred milliseconds to start. The first request waits for them up to the time of 40 inspections:
// 10 s by default.
const startTimes = 40

/**
 * A filter engine whose threads start with the first text or rule that needs them: most installations have no rules.
 */
export function createThreadsWhenNeeded(options: {
  readonly start: () => Pick<FilterThreads, 'ready' | 'inspect' | 'judgeMatcher' | 'close'>
  /** Time limit of one inspection. */
  readonly timeoutMs: number
  readonly timers?: Timers
}): FilterEngine & { close(): Promise<void> } {
  const startMsMax = startTimes * options.timeoutMs
  let started: ReturnType<typeof options.start> | undefined
  async function engine(): Promise<FilterEngine> {
    started ??= options.start()
    await withDeadline(started.ready, startMsMax, () => notStarted(startMsMax), options.timers)
    return started
  }
  return {
    inspect: async (request) => (await engine()).inspect(request),
    judgeMatcher: async (matcher) => (await engine()).judgeMatcher(matcher),
    close: async () => started?.close(),
  }
}

function notStarted(startMsMax: number): GatewayError {
  return new GatewayError('overloaded', {
    message: 'Content filters are temporarily unavailable. Retry shortly.',
    inside: `the content filter threads did not start within ${startMsMax} ms`,
    retryAfterS: 1,
  })
}
