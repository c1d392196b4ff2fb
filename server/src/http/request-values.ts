import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { ScopeQuestion } from '#control/usage/usage-scope.ts'
import { clientOf, type EndpointRequest } from './endpoint.ts'

export type Query = Readonly<Record<string, string | undefined>>

/**
 * The value of a parameter; null if it is missing or empty. Postgres cannot store NUL, so such a value matches nothing.
 */
export function textOf(query: Query, name: string, charsMax = 200): string | null {
  const text = query[name] ?? ''
  if (text.length > charsMax || text.includes('\0')) {
    throw refuseValue(name, `a string of at most ${charsMax} characters`)
  }
  return text === '' ? null : text
}

/** The id in a parameter; null if it is missing. */
export function idOf(query: Query, name: string, expected: string): Uuid | null {
  const text = textOf(query, name)?.toLowerCase() ?? null
  if (text !== null && !isUuid(text)) throw refuseValue(name, expected)
  return text
}

/** The timestamp of a parameter in Unix milliseconds; null if it is missing. */
export function momentOf(query: Query, name: string): number | null {
  const text = textOf(query, name)
  if (text === null) return null
  const moment = parseIsoMoment(text)
  if (moment === undefined) throw refuseValue(name, 'an ISO 8601 date or timestamp')
  return moment
}

/** A boolean parameter; null if it is missing. */
export function flagOf(query: Query, name: string): boolean | null {
  const text = textOf(query, name)
  if (text === null || text === 'true' || text === 'false') return text === null ? null : text === 'true'
  throw refuseValue(name, 'true or false')
}

/** The page size. */
export function limitOf(query: Query, { fallback, max }: { fallback: number; max: number }): number {
  const limit = Number(/^\d{1,4}$/.exec(query['limit'] ?? String(fallback))?.[0] ?? 0)
  if (limit < 1 || limit > max) throw refuseValue('limit', `an integer from 1 to ${max}`)
  return limit
}

/**
 * The client and the requested organization, for data that a signed-in person may read in each of their organizations.
 */
export function scopeQuestionOf(request: EndpointRequest): ScopeQuestion {
  return { client: clientOf(request), organization: textOf(request.query, 'organization') }
}

export function refuseValue(name: string, expected: string): GatewayError {
  return malformed(`The query parameter ${name} must be ${expected}.`)
}

/** The person, wallet or account in a path. Postgres cannot store NUL, so such a name matches nothing. */
export function referenceOf({ params }: EndpointRequest, name: string): string {
  const reference = params[name] ?? ''
  if (reference.includes('\0')) throw new GatewayError('notFound', { message: 'Not found.' })
  return reference
}
