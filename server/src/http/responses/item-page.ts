import type { JsonObject } from '#lib/json.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'

const sizes = { fallback: 20, max: 100 }

/** A page of items, the newest first unless the query says otherwise. */
export function itemPageOf(items: readonly JsonObject[], query: Query): JsonObject {
  const order = textOf(query, 'order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw refuseValue('order', 'asc or desc')
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = startOf(ordered, textOf(query, 'after'))
  const page = ordered.slice(from, from + limitOf(query, sizes))
  return {
    object: 'list',
    data: page,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: from + page.length < ordered.length,
  }
}

/** Clients may send an id more than once. After the last of them, so that every page comes closer to the end. */
function startOf(ordered: readonly JsonObject[], after: string | null): number {
  if (after === null) return 0
  const position = ordered.findLastIndex(({ id }) => id === after)
  if (position === -1) throw refuseValue('after', 'the id of an input item of the response')
  return position + 1
}
