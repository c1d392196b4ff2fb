import { Type } from 'typebox'
import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import type { AuditArchive, AuditFilter } from '#ports/audit.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { type Query, textOf } from '../request-values.ts'
import { auditChainEndpoint } from './audit-chain-endpoint.ts'
import { parseAuditFilter, parseAuditPage, parseExportFormat } from './audit-query.ts'
import { auditExportQuerySchema, auditLogQuerySchema, auditLogSchema } from './audit-schema.ts'
import { auditFile, renderAuditPage } from './render-audit.ts'

/** The audit log of an organization. */
export function auditEndpoints({ archive }: { archive: AuditArchive }): Endpoint[] {
  const common = { method: 'GET', tag: 'Organizations', access: 'audit.read', errors: ['malformedRequest'] } as const
  const list: Endpoint = {
    ...common,
    name: 'listAuditLog',
    paths: ['/api/orgs/:orgId/audit-log'],
    summary: 'List audit log entries',
    query: auditLogQuerySchema,
    reply: { status: 200, description: 'A page of audit log entries, newest first.', schema: auditLogSchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const { before, limit } = parseAuditPage(request.query)
      const filter = filterOf(request.query)
      // One row more than requested tells whether there is a next page.
      const found = await archive.list({ ...filter, chainId: organizationId, before, limit: limit + 1 })
      return renderAuditPage(found, limit)
    },
  }
  const whole: Endpoint = {
    ...common,
    name: 'exportAuditLog',
    paths: ['/api/orgs/:orgId/audit-log/export'],
    summary: 'Export the audit log',
    query: auditExportQuerySchema,
    reply: {
      status: 200,
      description: 'The audit log entries that match the filters, as NDJSON or CSV, newest first.',
      schema: Type.String(),
      contentTypes: ['application/x-ndjson', 'text/csv'],
    },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const format = parseExportFormat(request.query)
      const batches = exportAuditLog(archive, { ...filterOf(request.query), chainId: organizationId })
      return auditFile(batches, { name: 'audit-log', format, nowMs: request.nowMs })
    },
  }
  return [list, whole, auditChainEndpoint(archive)]
}

function filterOf(query: Query): AuditFilter {
  return { ...parseAuditFilter(query), actorId: textOf(query, 'actorId'), actor: null, target: null }
}
