import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '#errors/gateway-error.ts'

/**
 * Whether Postgres rejected the data (a number out of range, a violated constraint) and would reject it again: SQLSTATE
 * classes 22 and 23. Everything else (full disk, read-only standby, lost connection) is a transient state of the store.
 */
export function isDataFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]\w{3}$/.test(error.code)
}

/** Whether a row with this key exists already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Failures after which the same statement can be retried. Null if it would fail again. */
type TransientKind = 'deadlock' | 'connection'

const deadlockCodes = new Set(['40P01', '40001', '55P03'])
// A read-only server is a standby or a former primary. The next connection finds the primary.
const connectionCodes = new Set([
  '25006',
  'NO_PRIMARY',
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08000',
])

export function transientKind(error: unknown): TransientKind | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (deadlockCodes.has(code)) return 'deadlock'
  if (connectionCodes.has(code)) return 'connection'
  return /Connection terminated|connection timeout|Client has encountered a connection error/i.test(error.message)
    ? 'connection'
    : null
}

// Long enough for a broken connection or a restarting server.
const pausesMs = [100, 500, 2_000]

/** For events that cannot be requested again: retries a few times, unless Postgres rejects the data. */
export async function persistently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await act()
    } catch (error) {
      if (isDataFault(error)) throw error
      await wait(pauseMs)
    }
  }
  return act()
}

/**
 * A read that fails because Postgres is unavailable or slow is answered with 503. A wrong statement is our own fault.
 */
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
    message: 'The account database is unavailable. Retry shortly.',
    inside: cause instanceof Error ? cause.message : String(cause),
    retryAfterS: 5,
    cause,
  })
}

/**
 * Whether Postgres rejected a statement: its errors have a code of five characters, while network errors mostly have
 * another code or none. Errors that end or reject a connection (FATAL), and those about the server's state (classes 53,
 * 57 and 58), are not the statement's fault.
 */
function isOwnFault(error: unknown): boolean {
  if (!(error instanceof Error) || transientKind(error) !== null) return false
  if ('severity' in error && error.severity === 'FATAL') return false
  if (/timeout/i.test(error.message)) return false
  return !('code' in error) || (typeof error.code === 'string' && /^(?!5[378])\d/.test(error.code))
}
