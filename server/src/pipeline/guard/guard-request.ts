import type { DialectCall } from '#dialects/dialect.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import type { Arrival } from '../types.ts'

/** The request as it is judged before anything is routed, held or sent. */
export interface GuardRequest {
  readonly arrival: Arrival
  readonly principal: Principal
  readonly call: DialectCall
  readonly wanted: Wanted
}

/** The model that would be tried first, for the audit entry of a request. */
export function firstModelOf({ wanted }: GuardRequest): string {
  return wanted.models[0]?.id ?? ''
}
