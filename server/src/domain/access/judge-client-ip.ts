import { coversAddress } from './cidr.ts'

/** An empty list admits everybody; any other admits only addresses it covers, and never an unknown address. */
export function judgeClientIp(allowedCidrs: readonly string[], clientIp: string | null): boolean {
  if (allowedCidrs.length === 0) return true
  if (clientIp === null) return false
  return allowedCidrs.some((entry) => coversAddress(entry, clientIp))
}
