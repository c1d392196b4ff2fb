import type { PlatformAuditFilter } from '../../../api/platform-audit.ts'
import { parseDaySpan } from '../../../lib/period.ts'
import type { PlatformAuditSearch } from './search.ts'

/** The filter of the API: its end is exclusive, and a person means the whole last day. */
export function platformAuditFilter({ period, ...others }: PlatformAuditSearch): PlatformAuditFilter {
  const days = parseDaySpan(period)
  if (days === undefined) return others
  return { ...others, from: new Date(days.fromMs).toISOString(), to: new Date(days.toMs).toISOString() }
}
