import { ConfigError } from '#config/config-error.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** A failure in words that say what to do about it. What we did not foresee keeps its trace. */
export function explainFailure(error: unknown): string {
  if (error instanceof GatewayError || error instanceof ConfigError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '42P01') return 'The database is not up to date. Run: weir migrate'
  if (code === 'ENOENT' || code === 'EACCES') return error.message
  if (['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '3D000', '28000'].includes(code)) {
    return `Postgres can not be used: ${error.message || code}. Check postgres.url (WEIR_POSTGRES_URL).`
  }
  return error.stack ?? error.message
}
