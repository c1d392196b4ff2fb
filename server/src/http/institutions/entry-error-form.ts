import { Type } from 'typebox'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { ErrorForm } from '../endpoint.ts'

/** Refusals on the way in are one word, also those that come before the handler. */
export const entryErrorForm: ErrorForm = {
  errorBody: (error) => JSON.stringify({ error: wordOf(error) }),
  schema: Type.Object({ error: Type.String({ description: 'The code, as a word' }) }),
}

function wordOf({ row }: GatewayError): string {
  if (typeof row.code === 'string') return row.code
  if (row.status === 429) return 'rate_limited'
  return row.status >= 500 ? 'unavailable' : 'invalid'
}
