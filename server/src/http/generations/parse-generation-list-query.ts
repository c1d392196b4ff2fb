import { parseGenerationId } from '#domain/ledger/generation-id.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationListQuery } from '#ports/account-reads.ts'
import { limitOf, momentOf, type Query, refuseValue, textOf } from '../query-values.ts'

export function parseGenerationListQuery(query: Query): Pick<GenerationListQuery, 'filter' | 'before' | 'limit'> {
  return {
    filter: {
      model: textOf(query, 'model'),
      provider: textOf(query, 'provider'),
      app: textOf(query, 'app'),
      keyId: keyOf(query),
      status: statusOf(query),
      fromMs: momentOf(query, 'from'),
      toMs: momentOf(query, 'to'),
    },
    before: beforeOf(query),
    limit: limitOf(query, { fallback: 20, max: 100 }),
  }
}

function keyOf(query: Query): Uuid | null {
  const text = textOf(query, 'api_key_id')?.toLowerCase() ?? null
  if (text !== null && !isUuid(text)) throw refuseValue('api_key_id', 'the id of a key')
  return text
}

function statusOf(query: Query): GenerationFilter['status'] {
  const status = textOf(query, 'status')
  if (status === null || status === 'charged' || status === 'refunded') return status
  throw refuseValue('status', 'charged or refunded')
}

function beforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  if (text === null) return null
  const id = parseGenerationId(text)
  if (id === undefined) throw refuseValue('before', 'a cursor that a page ended with')
  return id
}
