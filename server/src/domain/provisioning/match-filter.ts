import { unreachable } from '#lib/unreachable.ts'
import type { Literal, Operator, ScimFilter } from './scim-filter.ts'

/** Whether the attributes of one value fulfil a filter. Strings compare case-insensitively. */
export function matchesFilter(filter: ScimFilter, read: (attribute: string) => Literal | undefined): boolean {
  switch (filter.kind) {
    case 'and':
      return matchesFilter(filter.left, read) && matchesFilter(filter.right, read)
    case 'or':
      return matchesFilter(filter.left, read) || matchesFilter(filter.right, read)
    case 'not':
      return !matchesFilter(filter.filter, read)
    case 'present':
      return isPresent(read(filter.attribute))
    case 'compare':
      return compare(filter.operator, read(filter.attribute) ?? null, filter.value)
    case 'within':
      return matchesFilter(filter.filter, (attribute) => read(`${filter.attribute}.${attribute}`))
    default:
      return unreachable(filter)
  }
}

function isPresent(value: Literal | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

function compare(operator: Operator, actual: Literal, wanted: Literal): boolean {
  if (operator === 'eq') return lowered(actual) === lowered(wanted)
  if (operator === 'ne') return lowered(actual) !== lowered(wanted)
  if (actual === null || wanted === null) return false
  const [left, right] = [String(lowered(actual)), String(lowered(wanted))]
  switch (operator) {
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
    default:
      return unreachable(operator)
  }
}

function lowered(value: Literal): Literal {
  return typeof value === 'string' ? value.toLowerCase() : value
}
