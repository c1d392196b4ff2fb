import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'
import { topLevelDomains } from './top-level-domains.ts'

/** Email addresses: a grammatical local part and domain name under an existing top-level domain. */
export const findEmailAddresses: Detector = (text) => {
  const found: Span[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const span = addressAround(text, { start: at, end: at + 1 })
    if (span !== undefined) found.push(span)
  }
  for (const { index, 0: sign } of text.matchAll(spokenSign)) {
    const span = addressAround(text, { start: index, end: index + sign.length })
    if (span !== undefined) found.push(span)
  }
  return found
}

/** Obfuscated spellings that people can read. */
const spokenSign = / ?[[({<] ?(?:at|AT|@|arroba|chez) ?[\])}>] ?/g
const spokenDot = / ?[[({<] ?(?:dot|DOT|punkt|point|punto|ponto|\.) ?[\])}>] ?/g

const localLengthMax = 64
const domainLengthMax = 253
/** A name in Latin letters ends where another script begins, because some scripts have no spaces. */
const latinLocal = /[\p{sc=Latin}0-9._%+'&=/!#$*?^`{|}~-]{1,64}$/u
const otherLocal = /[\p{L}\p{N}\p{M}._%+'-]{1,64}$/u
const latinDomain =
  /^(?:[\p{sc=Latin}0-9](?:[\p{sc=Latin}0-9-]{0,61}[\p{sc=Latin}0-9])?\.)+(?:\p{sc=Latin}{2,63}|xn--[a-z0-9-]{2,59})(?![\p{sc=Latin}0-9_-])/iu
const otherDomain =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}]{2,63}(?![\p{L}\p{N}_-])/iu
const latinCharacter = /^[\p{sc=Latin}0-9]/u

function addressAround(text: string, sign: Span): Span | undefined {
  const local = localBefore(text, sign.start)
  const domain = domainAfter(text, sign.end)
  if (local === undefined || domain === undefined) return undefined
  const span = { start: sign.start - local.length, end: sign.end + domain }
  return isHandleOrLogin(text, span) ? undefined : span
}

function localBefore(text: string, end: number): string | undefined {
  const localEnd = /[\p{sc=Latin}0-9_+-]/u.test(text.charAt(end - 1)) ? latinLocal : otherLocal
  const written = localEnd.exec(text.slice(Math.max(0, end - localLengthMax), end))?.[0]
  // Quotes, brackets and other signs in front of an address usually do not belong to it, although an address may
  // contain them.
  const local = written?.replace(/^.*[=/!#$*?^`{|}~&](?=[^=/!#$*?^`{|}~&]*$)/u, '').replace(/^['.%+-]+/, '')
  if (local === undefined || local === '' || local.includes('..') || local.endsWith('.')) return undefined
  return /[\p{L}\p{N}_]/u.test(local) ? local : undefined
}

/** The length of the domain name that begins here, in the text as written. */
function domainAfter(text: string, start: number): number | undefined {
  const written = text.slice(start, start + domainLengthMax)
  const plain = /[[({<]/.test(written) ? written.replaceAll(spokenDot, '.') : written
  const domain = (latinCharacter.test(plain) ? latinDomain : otherDomain).exec(plain)?.[0]
  const top = domain?.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  if (domain === undefined || top === undefined) return undefined
  if (!topLevelDomains.has(top) && !top.startsWith('xn--')) return undefined
  return plain === written ? domain.length : lengthWithSpokenDots(written, domain.length)
}

/** Converts a length in normalized dots to a length in the written text. */
function lengthWithSpokenDots(written: string, length: number): number {
  let at = 0
  let plainLength = 0
  for (const { index, 0: dot } of written.matchAll(spokenDot)) {
    if (plainLength + index - at >= length) break
    plainLength += index - at + 1
    at = index + dot.length
  }
  return at + length - plainLength
}

const inUrl = /[a-z][a-z0-9+.-]*:\/\/[^\s/@]*$/i
const afterRemoteShell = /\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\s[^\n|;&]{0,80}$/

/** Strings that look like addresses: `@name@host` of a social network, the user part of a URL, a login host. */
function isHandleOrLogin(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - 100), start)
  const after = text.slice(end, end + 80)
  if (before.endsWith('@') || inUrl.test(before) || afterRemoteShell.test(before)) return true
  return /^:(?:[~/]|[\w.-]{1,60}\/)|^@/.test(after)
}
