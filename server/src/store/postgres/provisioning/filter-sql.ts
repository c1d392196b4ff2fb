import type { Literal, Operator, ScimFilter } from '#domain/provisioning/scim-filter.ts'
import { ScimRefusal } from '#domain/provisioning/scim-refusal.ts'
import { unreachable } from '#lib/unreachable.ts'

/** How an attribute is found in SQL. `equals` replaces the comparison with `eq` by one that an index serves. */
export interface FilterColumn {
  readonly kind: 'text' | 'exact' | 'flag' | 'time'
  readonly sql: string
  readonly equals?: (value: string) => string
}

/** By attribute, in lower case. A map, because a client chooses the names that are looked up. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>

/** A filter as a condition. All values are bound, so none becomes part of the statement. */
export function filterSql(filter: ScimFilter, columns: FilterColumns, bind: (value: unknown) => string): string {
  const translate = (part: ScimFilter, within: string): string => {
    switch (part.kind) {
      case 'and':
      case 'or':
        return `(${translate(part.left, within)} ${part.kind} ${translate(part.right, within)})`
      case 'not':
        return `(NOT ${translate(part.filter, within)})`
      case 'within':
        return translate(part.filter, `${within}${part.attribute}.`)
      case 'present': {
        const column = columnOf(columns, within + part.attribute)
        return column.kind === 'text' || column.kind === 'exact'
          ? `(coalesce(${column.sql}, '') <> '')`
          : `(${column.sql} IS NOT NULL)`
      }
      case 'compare':
        return comparison(columnOf(columns, within + part.attribute), part, bind)
      default:
        return unreachable(part)
    }
  }
  return translate(filter, '')
}

function columnOf(columns: FilterColumns, attribute: string): FilterColumn {
  const column = columns.get(attribute) ?? columns.get(`${attribute}.value`)
  if (column !== undefined) return column
  throw new ScimRefusal('invalidFilter', `The attribute ${attribute} cannot be used in a filter.`)
}

const order = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function comparison(
  column: FilterColumn,
  { attribute, operator, value }: { attribute: string; operator: Operator; value: Literal },
  bind: (value: unknown) => string,
): string {
  if (value === null) {
    if (operator === 'eq') return `(${column.sql} IS NULL)`
    if (operator === 'ne') return `(${column.sql} IS NOT NULL)`
    throw refuse(attribute, operator)
  }
  if (column.kind === 'flag') {
    if (typeof value !== 'boolean' || (operator !== 'eq' && operator !== 'ne')) throw refuse(attribute, operator)
    return `(${column.sql} ${operator === 'eq' ? '=' : '<>'} ${bind(value)}::boolean)`
  }
  if (typeof value !== 'string') throw refuse(attribute, operator)
  return column.kind === 'time'
    ? timeComparison(column, { attribute, operator, value }, bind)
    : textComparison(column, operator, value, bind)
}

function timeComparison(
  { sql }: FilterColumn,
  { attribute, operator, value }: { attribute: string; operator: Operator; value: string },
  bind: (value: unknown) => string,
): string {
  const atMs = Date.parse(value)
  const sign = operator === 'eq' ? '=' : operator === 'ne' ? '<>' : order[operator as keyof typeof order]
  if (Number.isNaN(atMs) || sign === undefined) throw refuse(attribute, operator)
  return `(date_trunc('milliseconds', ${sql}) ${sign} ${bind(new Date(atMs).toISOString())}::timestamptz)`
}

function textComparison(
  column: FilterColumn,
  operator: Operator,
  value: string,
  bind: (value: unknown) => string,
): string {
  const lowered = (sql: string): string => (column.kind === 'exact' ? sql : `lower(${sql})`)
  const bound = `${bind(value)}::text`
  const [left, right] = [lowered(column.sql), lowered(bound)]
  switch (operator) {
    case 'eq':
      return column.equals?.(right) ?? `(${left} = ${right})`
    case 'ne':
      return `(${left} IS DISTINCT FROM ${right})`
    case 'co':
      return `(strpos(${left}, ${right}) > 0)`
    case 'sw':
      return `starts_with(${left}, ${right})`
    case 'ew':
      return `(right(${left}, length(${right})) = ${right})`
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return `(${left} COLLATE "C" ${order[operator]} ${right} COLLATE "C")`
    default:
      return unreachable(operator)
  }
}

function refuse(attribute: string, operator: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', `${attribute} cannot be compared with this value by ${operator}.`)
}
