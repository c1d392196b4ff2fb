import type { Logger } from 'pino'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { type ContentFilter, createContentFilter } from '#pipeline/guard/filter-content.ts'
import { createRuleCache, type RuleCache } from '#pipeline/guard/rule-cache.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { withDeadline } from '#lib/deadline.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'
import type { FilterRuleBook } from '#ports/filter-rules.ts'
import { createFilterRuleBook } from '#store/postgres/filters/filter-rule-book.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createFilterEngine } from './filter-engine.ts'

export interface Filters {
  filterContent: ContentFilter
  engine: FilterEngine
  book: FilterRuleBook
  invalidate: RuleCache['invalidate']
  close(): Promise<void>
}

/** Content filters: the rules of each organization, what runs them, and the record of what they found. */
export function wireFilters(needs: {
  pools: PostgresPools
  auditTrail: AuditTrail
  logger: Logger
  timeoutMs: number
  loadTimeoutMs: number
  nowMs: () => number
}): Filters {
  const { pools, auditTrail, logger, timeoutMs, loadTimeoutMs, nowMs } = needs
  const book = createFilterRuleBook(pools.general, nowMs)
  const rules = createRuleCache({ load: book.list, clock: nowMs, loadTimeoutMs })
  const engine = engineWhenNeeded(logger, timeoutMs)
  const record = (entry: AuditEntry): void => {
    auditTrail.append(entry).catch((error: unknown) => {
      logger.error({ err: error, entry }, 'a filter fired and could not be put on record')
    })
  }
  return {
    filterContent: createContentFilter({ rules, engine, record }),
    engine,
    book,
    invalidate: rules.invalidate,
    close: engine.close,
  }
}

// Threads take some hundred milliseconds to start. The first request waits for them as long as for 40 inspections: 10 s by default.
const startTimes = 40

/** Most installations have no rules: threads start with the first text or rule that needs them. */
function engineWhenNeeded(logger: Logger, timeoutMs: number): FilterEngine & { close(): Promise<void> } {
  const startMsMax = startTimes * timeoutMs
  let started: ReturnType<typeof createFilterEngine> | undefined
  async function start(): Promise<FilterEngine> {
    started ??= createFilterEngine({
      timeoutMs,
      onThreadLost: (error) => logger.warn({ err: error }, 'a thread of the content filters was lost'),
    })
    const { ready } = started
    await withDeadline(ready, startMsMax, () => notStarted(startMsMax))
    return started
  }
  return {
    inspect: async (request) => (await start()).inspect(request),
    judgeMatcher: async (matcher) => (await start()).judgeMatcher(matcher),
    close: async () => started?.close(),
  }
}

function notStarted(startMsMax: number): GatewayError {
  return new GatewayError('overloaded', {
    message: 'Content filters can not be run at the moment. Please try again.',
    inside: `the threads of the content filters did not start within ${startMsMax} ms`,
    retryAfterS: 1,
  })
}
