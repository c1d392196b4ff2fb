import { isIP } from 'node:net'

/** Whether a string is an IP address, optionally with a prefix length: `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (length === undefined) return true
  return /^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128)
}
