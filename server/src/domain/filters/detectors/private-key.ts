import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'

/** Private keys in PEM format: the header and a plausible body. A truncated key counts up to its end. */
export const findPrivateKeys: Detector = (text) => {
  const found: Span[] = []
  for (const { index, 0: heading, 1: kind = '' } of text.matchAll(headingPattern)) {
    const start = index + heading.length
    const end = endOfBody(text, start)
    if (isBody(text.slice(start, end.body), kind)) found.push({ start: index, end: end.block })
  }
  return found
}

const headingPattern = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,3})PRIVATE KEY(?: BLOCK)?-----/g
const footingPattern = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** The largest keys in use take 15 KB. */
const bodyLengthMax = 40_000

function endOfBody(text: string, start: number): { body: number; block: number } {
  const window = text.slice(start, start + bodyLengthMax)
  const dashes = window.indexOf('-----')
  if (dashes !== -1) {
    footingPattern.lastIndex = start + dashes
    const footing = footingPattern.exec(text)?.[0]
    if (footing !== undefined) return { body: start + dashes, block: start + dashes + footing.length }
  }
  const cut = brokenOffPattern.exec(window)?.[0].length ?? 0
  return { body: start + cut, block: start + cut }
}

const brokenOffPattern =
  /^(?:(?:\s|\\[nr]|["'>|])*[A-Za-z0-9+/=]{16,}|(?:\s|\\[nr])*(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]*)+/
const headerLine = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\n\\]*/g

/** Placeholders must not count: dots, "put your key here", a few letters. */
function isBody(body: string, kind: string): boolean {
  const isEncrypted = /Proc-Type|DEK-Info/.test(body)
  const lines = body.replaceAll(headerLine, '').replaceAll(/\\[nrt]/g, '\n')
  if (/[A-Za-z] [A-Za-z]/.test(lines)) return false
  const base64 = lines.replaceAll(/[^A-Za-z0-9+/=]/g, '')
  if (base64.length < 40 || new Set(base64).size < 12) return false
  if (isEncrypted || kind.includes('PGP')) return true
  // The name of OpenSSH's own format, or the outer sequence of all others.
  return base64.startsWith(kind.includes('OPENSSH') ? 'b3BlbnNzaC1rZXkt' : 'M')
}
