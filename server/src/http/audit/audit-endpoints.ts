import { Type } from 'typebox'
import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import { byteOrderMark, type CsvCell, csvLine } from '#lib/csv-line.ts'
import type { JsonValue } from '#lib/json.ts'
import type { AuditArchive, AuditFilter, AuditRecord } from '#ports/audit.ts'
import { type Endpoint, organizationOf, type StreamedBody } from '../endpoint.ts'
import { limitOf, momentOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { auditChainEndpoint } from './audit-chain-endpoint.ts'
import { auditExportQuerySchema, auditLogQuerySchema, auditLogSchema } from './audit-schema.ts'

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
      const filter = parseAuditFilter(request.query)
      // One row more than requested tells whether there is a next page.
      const found = await archive.list({ ...filter, chainId: organizationId, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      const next = found.length > limit ? (page.at(-1)?.sequence ?? null) : null
      return { body: { data: page.map(renderAuditRecord), next_cursor: next === null ? null : String(next) } }
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
      const batches = exportAuditLog(archive, { ...parseAuditFilter(request.query), chainId: organizationId })
      const day = new Date(request.nowMs).toISOString().slice(0, 10)
      const headers = { 'content-disposition': `attachment; filename="audit-log-${day}.${format}"` }
      return { headers, stream: streamOf(format, batches) }
    },
  }
  return [list, whole, auditChainEndpoint(archive)]
}

function streamOf(format: 'ndjson' | 'csv', batches: AsyncIterable<readonly AuditRecord[]>): StreamedBody {
  if (format === 'csv') {
    const chunks = linesOf(batches, `${byteOrderMark}${auditCsvHeading}`, auditCsvLine)
    return { contentType: 'text/csv; charset=utf-8', chunks }
  }
  const chunks = linesOf(batches, '', (record) => `${JSON.stringify(renderAuditRecord(record))}\n`)
  return { contentType: 'application/x-ndjson; charset=utf-8', chunks }
}

async function* linesOf(
  batches: AsyncIterable<readonly AuditRecord[]>,
  heading: string,
  lineOf: (record: AuditRecord) => string,
): AsyncGenerator<string> {
  let unsent = heading
  for await (const batch of batches) {
    yield unsent + batch.map(lineOf).join('')
    unsent = ''
  }
  if (unsent !== '') yield unsent
}

function parseAuditFilter(query: Query): AuditFilter {
  const action = textOf(query, 'action')
  if (action !== null && !/^[a-z_]+(?:\.[a-z_]+)*\.?$/.test(action)) throw refuseValue('action', 'an action name')
  return {
    action,
    actorId: textOf(query, 'actorId'),
    fromMs: momentOf(query, 'from'),
    toMs: momentOf(query, 'to'),
  }
}

function parseAuditPage(query: Query): { before: bigint | null; limit: number } {
  const before = textOf(query, 'before')
  if (before !== null && !/^\d{1,18}$/.test(before)) throw refuseValue('before', 'a next_cursor from a previous page')
  return { before: before === null ? null : BigInt(before), limit: limitOf(query, { fallback: 50, max: 200 }) }
}

function parseExportFormat(query: Query): 'ndjson' | 'csv' {
  const format = query['format'] ?? 'ndjson'
  if (format === 'ndjson' || format === 'csv') return format
  throw refuseValue('format', 'ndjson or csv')
}

function renderAuditRecord(record: AuditRecord) {
  // A sequence starts at 1 and increments by one, so it is far below the limit of JSON numbers.
  return { ...record, sequence: Number(record.sequence) }
}

const columns: Readonly<Record<string, (record: AuditRecord) => CsvCell>> = {
  sequence: (record) => record.sequence,
  id: (record) => record.id,
  at: (record) => record.at,
  actor_kind: (record) => record.actor.kind,
  actor_id: (record) => record.actor.id,
  actor_name: (record) => record.actor.name,
  action: (record) => record.action,
  target_kind: (record) => record.target?.kind ?? null,
  target_id: (record) => record.target?.id ?? null,
  before: (record) => jsonText(record.before),
  after: (record) => jsonText(record.after),
  details: (record) => jsonText(record.details),
  request_id: (record) => record.requestId,
  hash: (record) => record.hash,
}

const auditCsvHeading = csvLine(Object.keys(columns))

function auditCsvLine(record: AuditRecord): string {
  return csvLine(Object.values(columns).map((cellOf) => cellOf(record)))
}

function jsonText(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value)
}
