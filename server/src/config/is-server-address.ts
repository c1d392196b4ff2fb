import { isIP } from 'node:net'

const withPort = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+)):(?<port>\d{1,5})$/

/** Whether a string is an IP address with an optional port: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:5353`. */
export function isServerAddress(text: string): boolean {
  if (isIP(text) !== 0) return true
  const { six = '', four = '', port = '' } = withPort.exec(text)?.groups ?? {}
  return (isIP(six) === 6 || isIP(four) === 4) && Number(port) >= 1 && Number(port) <= 65_535
}
