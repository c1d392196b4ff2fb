import { domainToASCII, domainToUnicode } from 'node:url'

const labelForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const topLabelForm = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * A mail domain in canonical form: lower case, international names as punycode. Undefined unless it is a plain domain
 * with at least two labels. A name that only looks like its canonical form (wide letters, a soft hyphen, an ideographic
 * full stop) is rejected instead of corrected, because it is not typed by accident.
 */
export function canonicalDomain(text: string): string | undefined {
  if (text.length > 253) return undefined
  // Only the letters A to Z: lower-casing turns some other letters into ASCII, such as the Kelvin sign.
  const written = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const ascii = isAscii(written) ? written : internationalName(written)
  if (ascii === undefined || ascii.length > 253) return undefined
  const labels = ascii.split('.')
  const isPlain = labels.length >= 2 && labels.every((label) => labelForm.test(label))
  return isPlain && topLabelForm.test(labels.at(-1) ?? '') && isSoundPunycode(ascii) ? ascii : undefined
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text)
}

function internationalName(written: string): string | undefined {
  const ascii = domainToASCII(written)
  return ascii !== '' && domainToUnicode(ascii) === written.normalize('NFC') ? ascii : undefined
}

// Punycode that does not round-trip, such as encoded plain letters, is not a real name.
function isSoundPunycode(ascii: string): boolean {
  return !ascii.includes('xn--') || domainToASCII(domainToUnicode(ascii)) === ascii
}
