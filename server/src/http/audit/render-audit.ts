import { auditCsvHeading, auditCsvLine } from '#control/audit/audit-csv.ts'
import { byteOrderMark } from '#lib/csv-line.ts'
import type { AuditRecord } from '#ports/audit.ts'
import type { EndpointReply, StreamedBody } from '../endpoint.ts'

export function renderAuditRecord(record: AuditRecord) {
  // A sequence starts at 1 and increments by one, so it is far below the limit of JSON numbers.
  return { ...record, sequence: Number(record.sequence) }
}

/** A page of entries. `found` has one row more than requested if there is a next page. */
export function renderAuditPage(found: readonly AuditRecord[], limit: number): EndpointReply {
  return { body: { data: found.slice(0, limit).map(renderAuditRecord), next_cursor: nextAuditCursor(found, limit) } }
}

export function nextAuditCursor(found: readonly AuditRecord[], limit: number): string | null {
  const last = found.length > limit ? found[limit - 1] : undefined
  return last === undefined ? null : String(last.sequence)
}

/** Entries as a file to download. */
export function auditFile(
  batches: AsyncIterable<readonly AuditRecord[]>,
  { name, format, nowMs }: { name: string; format: 'ndjson' | 'csv'; nowMs: number },
): EndpointReply {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const headers = { 'content-disposition': `attachment; filename="${name}-${day}.${format}"` }
  return { headers, stream: streamOf(format, batches) }
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
