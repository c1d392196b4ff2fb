import { parseScimFilter, type ScimFilter, withoutSchema } from '#domain/provisioning/scim-filter.ts'
import { ScimRefusal } from '#domain/provisioning/scim-refusal.ts'

type Query = Readonly<Record<string, string | undefined>>

interface ScimListQuery {
  readonly filter: ScimFilter | null
  readonly startIndex: number
  readonly count: number
}

const pageMax = 100
const startMax = 1_000_000

/** Paging of RFC 7644, section 3.4.2.4: values out of range are moved into it. */
export function readListQuery(query: Query): ScimListQuery {
  const filter = query['filter']
  return {
    filter: filter === undefined || filter.trim() === '' ? null : parseScimFilter(filter),
    startIndex: readCount(query, 'startIndex', { fallback: 1, min: 1, max: startMax }),
    count: readCount(query, 'count', { fallback: pageMax, min: 0, max: pageMax }),
  }
}

function readCount(
  query: Query,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = query[name]
  if (text === undefined || text === '') return fallback
  if (!/^-?\d{1,15}$/.test(text)) throw new ScimRefusal('invalidValue', `${name} must be an integer.`)
  return Math.min(max, Math.max(min, Number(text)))
}

/** Which attributes a response has. Names of sub-attributes choose their attribute. */
export function readWanted(query: Query): (attribute: string) => boolean {
  const wanted = namesIn(query['attributes'])
  const excluded = namesIn(query['excludedAttributes'])
  if (wanted !== null) return (attribute) => wanted.has(attribute)
  return (attribute) => excluded?.has(attribute) !== true
}

function namesIn(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined || text.trim() === '') return null
  return new Set(text.split(',').map((name) => withoutSchema(name.trim()).replace(/\..*$/, '')))
}
