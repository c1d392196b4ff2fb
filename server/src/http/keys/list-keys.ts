import type { KeyQuery, KeyStore } from '#ports/keys.ts'
import type { KeySort } from '#ports/pages.ts'
import type { EndpointReply, EndpointRequest } from '../endpoint.ts'
import { cursorText, type PageRules, pageQuerySchema, pageRequestOf } from '../page-query.ts'
import { renderKey, renderKeys } from './render-key.ts'

const keyPages: PageRules<KeySort> = { sorts: { created: 'time', name: 'text' }, usual: '-created' }

export const keyPageQuerySchema = pageQuerySchema(keyPages, 'the name, or whose `keySuffix` or `id` equals it')

/** All keys that match a query, or the requested page of them. */
export async function listKeys(
  keys: KeyStore,
  query: KeyQuery,
  request: Pick<EndpointRequest, 'query'>,
): Promise<EndpointReply> {
  const page = pageRequestOf(request.query, keyPages)
  if (page === null) return { body: renderKeys(await keys.list(query)) }
  const { entries, next } = await keys.listPage(query, page)
  const data = entries.map(renderKey)
  return { body: { keys: data, data, next_cursor: cursorText(page, next) } }
}
