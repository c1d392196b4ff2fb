import type { GatewayError } from './gateway-error.ts'

/** Why a request was refused, for programs: the code, or where that is only a status, the name of the error. */
export function reasonOf({ row: { code }, errorName }: Pick<GatewayError, 'row' | 'errorName'>): string {
  if (typeof code === 'string') return code
  return errorName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
