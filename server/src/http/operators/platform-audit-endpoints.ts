import { Type } from 'typebox'
import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { isJsonObject, stringAt } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { AuditArchive, AuditFilter, AuditRecord } from '#ports/audit.ts'
import type { Customers, ObjectName } from '#ports/customers.ts'
import { parseAuditFilter, parseAuditPage, parseExportFormat } from '../audit/audit-query.ts'
import {
  platformAuditExportQuerySchema,
  platformAuditLogSchema,
  platformAuditQuerySchema,
} from '../audit/audit-schema.ts'
import { auditFile, nextAuditCursor, renderAuditRecord } from '../audit/render-audit.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Query, textOf } from '../request-values.ts'

interface PlatformAuditDeps {
  readonly archive: Pick<AuditArchive, 'list'>
  readonly customers: Pick<Customers, 'nameObjects'>
}

/** The audit log of the platform: what operators changed, and the gateway itself outside of organizations. */
export function platformAuditEndpoints({ archive, customers }: PlatformAuditDeps): Endpoint[] {
  const common = { method: 'GET', tag: 'Operators', access: 'operators.audit', errors: ['malformedRequest'] } as const
  return [
    {
      ...common,
      name: 'listPlatformAuditLog',
      paths: ['/api/admin/audit-log'],
      summary: "List the platform's audit log",
      query: platformAuditQuerySchema,
      reply: { status: 200, description: 'A page of audit log entries, newest first.', schema: platformAuditLogSchema },
      handle: async ({ query }) => {
        const { before, limit } = parseAuditPage(query)
        // One row more than requested tells whether there is a next page.
        const found = await archive.list({ ...filterOf(query), chainId: platformChain, before, limit: limit + 1 })
        const page = found.slice(0, limit)
        const names = await customers.nameObjects(page.flatMap(idsOf))
        const data = page.map((record) => ({ ...renderAuditRecord(record), ...namesFor(record, names) }))
        return { body: { data, next_cursor: nextAuditCursor(found, limit) } }
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

/** The ids of the changed object and of its organization. */
function idsOf(record: AuditRecord): Uuid[] {
  return [record.target?.id, organizationOf(record)].filter((id) => id !== undefined && isUuid(id))
}

function organizationOf({ details }: AuditRecord): string | undefined {
  return isJsonObject(details) ? stringAt(details, 'organizationId') : undefined
}

function namesFor(record: AuditRecord, names: ReadonlyMap<Uuid, ObjectName>) {
  const [target, organization] = [record.target?.id, organizationOf(record)].map((id) => names.get(id ?? ''))
  const customer = target?.customer ?? organization?.customer ?? null
  return { targetName: target?.name ?? null, customer: customer === null ? null : { ...customer } }
}

function filterOf(query: Query): AuditFilter {
  return {
    ...parseAuditFilter(query),
    actorId: null,
    actor: textOf(query, 'actor'),
    target: textOf(query, 'target'),
  }
}
