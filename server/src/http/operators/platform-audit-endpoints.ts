import { Type } from 'typebox'
import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { AuditArchive, AuditFilter } from '#ports/audit.ts'
import { parseAuditFilter, parseAuditPage, parseExportFormat } from '../audit/audit-query.ts'
import { auditLogSchema, platformAuditExportQuerySchema, platformAuditQuerySchema } from '../audit/audit-schema.ts'
import { auditFile, renderAuditPage } from '../audit/render-audit.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Query, textOf } from '../request-values.ts'

/** The audit log of the platform: what operators, and the gateway itself, changed outside of organizations. */
export function platformAuditEndpoints(archive: Pick<AuditArchive, 'list'>): Endpoint[] {
  const common = { method: 'GET', tag: 'Operators', access: 'operators.audit', errors: ['malformedRequest'] } as const
  return [
    {
      ...common,
      name: 'listPlatformAuditLog',
      paths: ['/api/admin/audit-log'],
      summary: "List the platform's audit log",
      query: platformAuditQuerySchema,
      reply: { status: 200, description: 'A page of audit log entries, newest first.', schema: auditLogSchema },
      handle: async ({ query }) => {
        const { before, limit } = parseAuditPage(query)
        // One row more than requested tells whether there is a next page.
        const found = await archive.list({ ...filterOf(query), chainId: platformChain, before, limit: limit + 1 })
        return renderAuditPage(found, limit)
      },
    },
    {
      ...common,
      name: 'exportPlatformAuditLog',
      paths: ['/api/admin/audit-log/export'],
      summary: "Export the platform's audit log",
      query: platformAuditExportQuerySchema,
      reply: {
        status: 200,
        description: 'The audit log entries that match the filters, as NDJSON or CSV, newest first.',
        schema: Type.String(),
        contentTypes: ['application/x-ndjson', 'text/csv'],
      },
      handle: async ({ query, nowMs }) => {
        const format = parseExportFormat(query)
        const batches = exportAuditLog(archive, { ...filterOf(query), chainId: platformChain })
        return auditFile(batches, { name: 'platform-audit-log', format, nowMs })
      },
    },
  ]
}

function filterOf(query: Query): AuditFilter {
  return {
    ...parseAuditFilter(query),
    actorId: null,
    actor: textOf(query, 'actor'),
    target: textOf(query, 'target'),
  }
}
