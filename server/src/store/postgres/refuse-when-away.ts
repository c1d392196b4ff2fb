import { GatewayError } from '#errors/gateway-error.ts'
import { transientKind } from './transient-kind.ts'

/** A read that fails because Postgres is away or slow is refused with 503; a statement that is wrong is our own fault. */
export async function refuseWhenAway<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    throw isAway(cause) ? storeAway(cause) : cause
  }
}

export function isAway(error: unknown): boolean {
  return !isOwnFault(error)
}

export function storeAway(cause: unknown): GatewayError {
  return new GatewayError('storeUnavailable', {
    message: 'The account store can not be reached. Please try again shortly.',
    inside: cause instanceof Error ? cause.message : String(cause),
    retryAfterS: 5,
    cause,
  })
}

/**
 * Postgres answered and objected to a statement: its errors carry a code of five characters, those of the network mostly another or none.
 * What ends a connection or refuses one (FATAL), and what it says of its own state (classes 53, 57 and 58, a read-only standby), is no
 * fault of a statement.
 */
function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error) || transientKind(error) !== null) return false
  if ('severity' in error && error.severity === 'FATAL') return false
  if (/timeout/i.test(error.message)) return false
  return !('code' in error) || (typeof error.code === 'string' && /^(?!5[378]|25006)\d/.test(error.code))
}
