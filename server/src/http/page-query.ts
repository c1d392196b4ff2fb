import { Type } from 'typebox'
import { isUuid } from '#lib/uuid.ts'
import type { PageCursor, PageRequest } from '#ports/pages.ts'
import { limitOf, type Query, refuseValue, textOf } from './request-values.ts'

/** The sort fields of a list, and their types. */
type Sorts<Sort extends string> = Readonly<Record<Sort, 'time' | 'text'>>

export interface PageRules<Sort extends string> {
  readonly sorts: Sorts<Sort>
  /** The default order, as a client writes it: `-created` for newest first. */
  readonly usual: Sort | `-${Sort}`
}

const sizes = { fallback: 20, max: 100 }

/** The requested page; null if the query asks for the whole list. */
export function pageRequestOf<Sort extends string>(query: Query, rules: PageRules<Sort>): PageRequest<Sort> | null {
  const isAsked = ['limit', 'cursor', 'q', 'sort'].some((name) => query[name] !== undefined)
  if (!isAsked) return null
  const { sort, descending } = sortOf(query, rules)
  return {
    sort,
    descending,
    search: textOf(query, 'q'),
    after: cursorOf(query, rules.sorts, sort),
    limit: limitOf(query, sizes),
  }
}

function sortOf<Sort extends string>(query: Query, rules: PageRules<Sort>): { sort: Sort; descending: boolean } {
  const text = textOf(query, 'sort') ?? rules.usual
  const name = text.replace(/^-/, '')
  if (!isSort(rules.sorts, name)) throw refuseValue('sort', `one of ${sortNames(rules.sorts).join(', ')}`)
  return { sort: name, descending: text !== name }
}

function isSort<Sort extends string>(sorts: Sorts<Sort>, name: string): name is Sort {
  return Object.hasOwn(sorts, name)
}

function sortNames(sorts: Sorts<string>): string[] {
  return Object.keys(sorts).flatMap((name) => [name, `-${name}`])
}

/** A cursor from another sort order is invalid. */
function cursorOf<Sort extends string>(query: Query, sorts: Sorts<Sort>, sort: Sort): PageCursor | null {
  const text = query['cursor'] ?? ''
  if (text === '') return null
  const [name, id = '', value] = splitCursor(text)
  const isRight = value !== undefined && name === sort && isUuid(id)
  if (!isRight || (sorts[sort] === 'time' && !/^\d{1,17}$/.test(value)) || value.includes('\0'))
    throw refuseValue('cursor', 'a next_cursor of this list with the same sort order')
  return { value, id }
}

function splitCursor(text: string): string[] {
  // Key names have up to 200 characters of up to four bytes.
  if (text.length > 2_000) return []
  const [name = '', id = '', ...value] = Buffer.from(text, 'base64url').toString('utf8').split(' ')
  return value.length === 0 ? [] : [name, id, value.join(' ')]
}

/** The cursor that a client sends for the next page. */
export function cursorText({ sort }: PageRequest<string>, next: PageCursor | null): string | null {
  return next === null ? null : Buffer.from(`${sort} ${next.id} ${next.value}`).toString('base64url')
}

const wanted = (description: string) => Type.Optional(Type.String({ description }))

/** The query parameters of a paginated list. */
export function pageQuerySchema(rules: PageRules<string>, searched: string) {
  const names = sortNames(rules.sorts).map((name) => `\`${name}\``)
  return Type.Object({
    limit: wanted(
      'Number of entries per page, from 1 to 100. Defaults to 20 if `cursor`, `q`, or `sort` is set; otherwise the whole list is returned.',
    ),
    cursor: wanted('`next_cursor` of the previous page, with the same sort order.'),
    q: wanted(`Case-insensitive search. Returns entries that contain it in ${searched}.`),
    sort: wanted(`Sort order: ${names.join(', ')}. Defaults to \`${rules.usual}\`.`),
  })
}

export const nextCursor = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description:
      'Cursor to pass as `cursor` for the next page. Null on the last page. Present only in paged responses.',
  }),
)

export const totalCount = Type.Optional(
  Type.Integer({ description: 'Total number of entries. Present only when the whole list is returned.' }),
)
