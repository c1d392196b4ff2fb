import type { AuditFilter } from '../../api/audit.ts'
import { dayMs } from '../../lib/utc-days.ts'
import type { AuditSearch } from './search.ts'

/** The filter of the API: its end is exclusive, and a person means the whole last day. */
export function auditFilter({ action, actor, from, to }: AuditSearch): AuditFilter {
  return {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString() }),
  }
}
