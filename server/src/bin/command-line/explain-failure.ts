import { ConfigError } from '#config/config-error.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { errorText } from '#lib/error-text.ts'
import { SealError } from '#lib/seal.ts'
import { transientKind } from '#store/postgres/faults.ts'
import { StartError } from '../start-error.ts'
import { schemaBehind } from '../schema.ts'

const unreachableCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Describes a failure and how to fix it. Unexpected errors keep their stack trace. */
export function explainFailure(error: unknown): string {
  if (error instanceof GatewayError) return explainPostgres(error.cause) ?? error.message
  if (error instanceof StartError || error instanceof ConfigError) return error.message
  if (error instanceof SealError)
    return `An encrypted value can't be read: ${error.message}. Check secret (WEIR_SECRET).`
  if (!(error instanceof Error)) return String(error)
  const code = codeOf(error)
  if (code === '42P01') return schemaBehind
  if (code === 'ENOENT' || code === 'EACCES') return error.message
  return explainPostgres(error) ?? error.stack ?? error.message
}

/** Returns null if the failure does not come from Postgres. */
function explainPostgres(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const isFatal = 'severity' in error && error.severity === 'FATAL'
  const isUnreachable = transientKind(error) === 'connection' || unreachableCodes.has(codeOf(error))
  if (!isFatal && !isUnreachable && !/timeout (?:expired|exceeded)/.test(error.message)) return null
  return `Postgres is unavailable: ${errorText(error)}. Check postgres.url (WEIR_POSTGRES_URL).`
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
