import type { GatewayError } from './gateway-error.ts'

/** Why a request was refused, for programs: the code, or where that is only a status, the name of the error. */
export function reasonOf({
  row: { code },
  errorName,
  reason,
}: Pick<GatewayError, 'row' | 'errorName' | 'reason'>): string {
  if (typeof code === 'string') return code
  return reason ?? errorName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
