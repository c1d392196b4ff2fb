import { coversAddress } from './cidr.ts'

/** An empty list allows every address; any other list allows only the addresses it covers, and never an unknown one. */
export function judgeClientIp(allowedCidrs: readonly string[], clientIp: string | null): boolean {
  if (allowedCidrs.length === 0) return true
  if (clientIp === null) return false
  return allowedCidrs.some((entry) => coversAddress(entry, clientIp))
}
