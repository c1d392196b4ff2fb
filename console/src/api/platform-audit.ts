import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import { linkTo } from './link-to.ts'
import type { components } from './schema.d.ts'

export type PlatformAuditEntry = Exact<components['schemas']['PlatformAuditEntry']>

const pageSize = 50

/** What the list and the export are limited to. */
export interface PlatformAuditFilter {
  readonly action?: string
  /** An ID, an email address, or a name. */
  readonly actor?: string
  /** An ID, an email address, a slug, a model, or the name of a provider account. */
  readonly target?: string
  readonly from?: string
  readonly to?: string
}

/** The platform's audit log, paginated, newest first. */
export function platformAuditQuery(filter: PlatformAuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['platform-audit', filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: String(pageSize), ...(pageParam === null ? {} : { before: pageParam }) }
      return dataOf(api.GET('/api/admin/audit-log', { params: { query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** One entry, or null if the log has none with this number. */
export function platformAuditEntryQuery(sequence: number) {
  return queryOptions({
    queryKey: ['platform-audit', 'one', sequence],
    queryFn: async () => {
      const params = { query: { before: String(sequence + 1), limit: '1' } }
      const { data } = await dataOf(api.GET('/api/admin/audit-log', { params }))
      return data.find((entry) => Number(entry.sequence) === sequence) ?? null
    },
  })
}

/** The URL of a CSV file with all entries that match the filter. */
export function platformAuditExportLink(filter: PlatformAuditFilter): string {
  return linkTo('/api/admin/audit-log/export', { query: { ...filter, format: 'csv' } })
}
