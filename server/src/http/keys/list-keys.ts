import type { KeyQuery, KeyStore } from '#ports/keys.ts'
import type { KeySort } from '#ports/pages.ts'
import type { EndpointReply, EndpointRequest } from '../endpoint.ts'
import { cursorText, type PageRules, pageQuerySchema, pageRequestOf } from '../page-query.ts'
import { renderKey } from './render-key.ts'

const keyPages: PageRules<KeySort> = { sorts: { created: 'time', name: 'text' }, usual: '-created' }

export const keyPageQuerySchema = pageQuerySchema(keyPages, 'the name, or whose `keySuffix` or `id` equals it')

// A response of this size takes a fraction of a second. Larger accounts read the rest by page.
const wholeMax = 1_000
const newestFirst = { sort: 'created', descending: true, search: null, after: null, limit: wholeMax } as const

/** All keys that match a query, or the requested page of them. Beyond 1,000 keys, the first page and its cursor. */
export async function listKeys(
  keys: KeyStore,
  query: KeyQuery,
  request: Pick<EndpointRequest, 'query'>,
): Promise<EndpointReply> {
  const page = pageRequestOf(request.query, keyPages)
  const { entries, next } = await keys.listPage(query, page ?? newestFirst)
  const data = entries.map(renderKey)
  if (page !== null) return { body: { keys: data, data, next_cursor: cursorText(page, next) } }
  if (next === null) return { body: { keys: data, data, total_count: data.length } }
  const total = await keys.count(query)
  return { body: { keys: data, data, total_count: total, next_cursor: cursorText(newestFirst, next) } }
}
