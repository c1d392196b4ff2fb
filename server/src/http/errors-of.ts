import { accessRowOf } from '#domain/access/access-table.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { Endpoint } from './endpoint.ts'
import { inferenceErrors } from './inference/inference-errors.ts'
import type { InferenceEndpoint } from './inference/inference-endpoint.ts'

/** All errors of an endpoint: its own, then those that its access row and body imply. */
export function errorsOf(endpoint: Endpoint): ErrorName[] {
  const { errors = [], body, method } = endpoint
  const changeErrors = method === 'PATCH' ? (['unsupportedParam'] as const) : []
  return [
    ...new Set<ErrorName>([
      ...errors,
      ...accessErrorsOf(endpoint),
      ...(body === undefined ? [] : [...bodyErrors, ...changeErrors]),
    ]),
  ]
}

export function inferenceErrorsOf({ errors = [] }: InferenceEndpoint): ErrorName[] {
  return [...new Set<ErrorName>([...inferenceErrors, ...errors])]
}

function accessErrorsOf({ access, method, isUnlimited }: Endpoint): ErrorName[] {
  const { credentials, within, operators } = accessRowOf(access)
  if (credentials.length === 0) return []
  const errors: ErrorName[] = ['unauthenticated', 'forbidden', 'accountSuspended']
  if (credentials.includes('session') && method !== 'GET') errors.push('foreignOrigin')
  if (operators !== undefined) errors.push('secondFactorRequired', 'staleSession')
  if (within === 'organization') errors.push('notFound')
  if (isUnlimited !== true) errors.push('rateLimited', 'penaltyBlocked')
  return [...errors, 'storeUnavailable']
}

const bodyErrors = [
  'malformedRequest',
  'bodyTooSlow',
  'bodyTooLarge',
  'unsupportedMediaType',
  'overloaded',
] as const satisfies ErrorName[]
