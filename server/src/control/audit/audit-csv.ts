import { type CsvCell, csvLine } from '#lib/csv-line.ts'
import type { JsonValue } from '#lib/json.ts'
import type { AuditRecord } from '#ports/audit.ts'

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

export const auditCsvHeading = csvLine(Object.keys(columns))

export function auditCsvLine(record: AuditRecord): string {
  return csvLine(Object.values(columns).map((cellOf) => cellOf(record)))
}

function jsonText(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value)
}
