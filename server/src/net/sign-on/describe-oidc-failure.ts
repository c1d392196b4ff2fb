import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, stringAt } from '#lib/json.ts'

/** The library's error in words for administrators: what the provider answered, or which check failed. */
export function describeOidcFailure(error: unknown): Error {
  if (error instanceof GatewayError || !(error instanceof Error)) return toError(error)
  const told = toldByProvider(error)
  if (told !== null) return new Error(told, { cause: error })
  const details = checkedValue(error.cause)
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return new Error(`${error.message}${details ?? inner}`, { cause: error })
}

function toldByProvider(error: Error): string | null {
  const code = 'error' in error && typeof error.error === 'string' ? error.error : null
  if (code === null) return null
  const text =
    'error_description' in error && typeof error.error_description === 'string' ? error.error_description : ''
  return `The provider answered ${code}${text === '' ? '' : `: ${text}`}`
}

/** Which claim or field differs from the expected value. */
function checkedValue(cause: unknown): string | null {
  if (!isJsonObject(cause)) return null
  const { expected } = cause
  const what = stringAt(cause, 'claim') ?? stringAt(cause, 'attribute')
  if (what === undefined) return null
  return `: ${what}${typeof expected === 'string' || typeof expected === 'number' ? ` must be ${expected}` : ''}`
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
