import type { AuditFilter } from '../../api/audit.ts'
import { parseDaySpan } from '../../lib/period.ts'
import type { AuditSearch } from './search.ts'

/** The filter of the API: its end is exclusive, and a person means the whole last day. */
export function auditFilter({ action, actor, period }: AuditSearch): AuditFilter {
  const days = parseDaySpan(period)
  return {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(days === undefined ? {} : { from: new Date(days.fromMs).toISOString(), to: new Date(days.toMs).toISOString() }),
  }
}
