import type { AuditFilter } from '#ports/audit.ts'
import { limitOf, momentOf, type Query, refuseValue, textOf } from '../request-values.ts'

/** What all lists of audit entries can be limited to. */
export function parseAuditFilter(query: Query): Pick<AuditFilter, 'action' | 'fromMs' | 'toMs'> {
  const action = textOf(query, 'action')
  if (action !== null && !/^[a-z_]+(?:\.[a-z_]+)*\.?$/.test(action)) throw refuseValue('action', 'an action name')
  return { action, fromMs: momentOf(query, 'from'), toMs: momentOf(query, 'to') }
}

export function parseAuditPage(query: Query): { before: bigint | null; limit: number } {
  const before = textOf(query, 'before')
  if (before !== null && !/^\d{1,18}$/.test(before)) throw refuseValue('before', 'a next_cursor from a previous page')
  return { before: before === null ? null : BigInt(before), limit: limitOf(query, { fallback: 50, max: 200 }) }
}

export function parseExportFormat(query: Query): 'ndjson' | 'csv' {
  const format = query['format'] ?? 'ndjson'
  if (format === 'ndjson' || format === 'csv') return format
  throw refuseValue('format', 'ndjson or csv')
}
