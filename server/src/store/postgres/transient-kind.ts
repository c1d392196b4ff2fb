/** Failures after which the same statement may simply be sent again. Null: it would fail again. */
export type TransientKind = 'deadlock' | 'connection'

const deadlockCodes = new Set(['40P01', '40001', '55P03'])
const connectionCodes = new Set([
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
