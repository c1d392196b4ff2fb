import { errorCatalogue } from './catalogue.ts'
import type { GatewayError } from './gateway-error.ts'

// Computed once, because floods of refusals must cost little.
const names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(errorCatalogue).map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
)

/** Why a request was refused, for programs: the code, or where that is only a status, the name of the error. */
export function reasonOf(error: Pick<GatewayError, 'row' | 'errorName' | 'reason'>): string {
  const { code } = error.row
  if (typeof code === 'string') return code
  return error.reason ?? names[error.errorName] ?? error.errorName
}
