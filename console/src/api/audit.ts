import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import type { Exact } from './exact-json.ts'
import { linkTo } from './link-to.ts'
import type { components } from './schema.d.ts'

export type AuditEntry = Exact<components['schemas']['AuditEntry']>
export type ChainEntry = Exact<components['schemas']['AuditChainEntry']>

const pageSize = 50

/** What the list and the export are limited to. */
export interface AuditFilter {
  readonly action?: string
  readonly actorId?: string
  readonly from?: string
  readonly to?: string
}

/** The audit log of an organization, paginated, newest first. */
export function auditQuery(orgId: string, filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', orgId, filter],
    queryFn: ({ pageParam }) => {
      const query = { ...filter, limit: String(pageSize), ...(pageParam === null ? {} : { before: pageParam }) }
      return dataOf(api.GET('/api/orgs/{orgId}/audit-log', { params: { path: { orgId }, query } }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** One entry, or null if the log has none with this number. */
export function auditEntryQuery(orgId: string, sequence: number) {
  return queryOptions({
    queryKey: ['audit', orgId, 'one', sequence],
    queryFn: async () => {
      const params = { path: { orgId }, query: { before: String(sequence + 1), limit: '1' } }
      const { data } = await dataOf(api.GET('/api/orgs/{orgId}/audit-log', { params }))
      return data.find((entry) => Number(entry.sequence) === sequence) ?? null
    },
  })
}

/** The URL of a file with all entries that match the filter. */
export function auditExportLink(orgId: string, filter: AuditFilter, format: 'csv' | 'ndjson'): string {
  const query = { ...filter, format }
  return linkTo('/api/orgs/{orgId}/audit-log/export', { path: { orgId }, query })
}

/** A page of the columns that the hashes cover, oldest first. */
export function readChain(orgId: string, after: string | null) {
  const params = { path: { orgId }, query: after === null ? {} : { after } }
  return dataOf(api.GET('/api/orgs/{orgId}/audit-log/chain', { params }))
}

export type ChainPage = Awaited<ReturnType<typeof readChain>>
