import { GatewayError } from '#errors/gateway-error.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import type { AuditFilter } from '#ports/audit.ts'

type Query = Readonly<Record<string, string | undefined>>

const limitDefault = 50
const limitMax = 200

export function parseAuditFilter(query: Query): AuditFilter {
  const action = textOf(query, 'action')
  if (action !== null && !/^[a-z_]+(?:\.[a-z_]+)*\.?$/.test(action)) throw refuse('action', 'the name of an action')
  return {
    action,
    actorId: textOf(query, 'actorId'),
    fromMs: momentOf(query, 'from'),
    toMs: momentOf(query, 'to'),
  }
}

export function parseAuditPage(query: Query): { before: bigint | null; limit: number } {
  const before = textOf(query, 'before')
  if (before !== null && !/^\d{1,18}$/.test(before)) throw refuse('before', 'a cursor that a page ended with')
  const limit = Number(/^\d{1,4}$/.exec(query['limit'] ?? String(limitDefault))?.[0] ?? 0)
  if (limit < 1 || limit > limitMax) throw refuse('limit', `a whole number from 1 to ${limitMax}`)
  return { before: before === null ? null : BigInt(before), limit }
}

export function parseExportFormat(query: Query): 'ndjson' | 'csv' {
  const format = query['format'] ?? 'ndjson'
  if (format === 'ndjson' || format === 'csv') return format
  throw refuse('format', 'ndjson or csv')
}

function momentOf(query: Query, name: string): number | null {
  const text = textOf(query, name)
  if (text === null) return null
  const moment = parseIsoMoment(text)
  if (moment === undefined) throw refuse(name, 'a date or a moment in ISO 8601')
  return moment
}

// Postgres can not hold the character zero, so nothing in the log can have it.
function textOf(query: Query, name: string): string | null {
  const text = query[name] ?? ''
  if (text.length > 200 || text.includes('\0')) throw refuse(name, 'a text of at most 200 characters')
  return text === '' ? null : text
}

function refuse(name: string, expected: string): GatewayError {
  return new GatewayError('malformedRequest', { message: `The query parameter ${name} must be ${expected}.` })
}
