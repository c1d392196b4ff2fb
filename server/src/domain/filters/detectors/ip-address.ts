import { isIPv4, isIPv6 } from 'node:net'
import type { Span } from '../text/span.ts'
import { anyOf } from './alternatives.ts'
import { textAfter, textBefore } from './context.ts'
import type { Detector } from './detector.ts'

/**
 * IPv4 and IPv6 addresses. Addresses that identify no machine are skipped: loopback, unspecified, broadcast and masks;
 * and so are version numbers, which differ only by the words around them.
 */
export const findIpAddresses: Detector = (text) => [...findVersion4(text), ...findVersion6(text)]

const version4Pattern =
  /(?<![\p{Script=Latin}\p{N}_]|[\p{N}][.:-]|\.)\d{1,3}(?:\.\d{1,3}){3}(?![\p{Script=Latin}\p{N}_]|\.\d|-\d)/gu
const version6Pattern =
  /(?<![\p{Script=Latin}\p{N}_:.])(?:[0-9a-fA-F]{1,4}:|::)[0-9a-fA-F:]{0,38}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\p{Script=Latin}\p{N}_:])/gu

function findVersion4(text: string): Span[] {
  const found: Span[] = []
  for (const { index, 0: address } of text.matchAll(version4Pattern)) {
    const span = { start: index, end: index + address.length }
    if (isIPv4(address) && !isNobodys(address) && !isVersionNumber(text, span)) found.push(span)
  }
  return found
}

/** Loopback, "any", broadcast, and network masks. */
function isNobodys(address: string): boolean {
  return /^(?:127|0|255)\./.test(address)
}

const versionWords = anyOf(String.raw`
  v, ver, version\p{L}*, versión, versione, versão, wersj\p{L}, верси\p{L}+, release, build, firmware, driver, kernel, patch, chrome,
  firefox, safari, opera, assembly, dll, sdk, sections?, chapter, chapitre, abschnitt, kapitel, sección, clause, paragraph, figure, fig,
  appendix, oid, раздел\p{L}*`)
const versionBefore = new RegExp(
  `(?:(?<!\\p{L})${versionWords}|§|版本|バージョン|버전|第)(?:\\s+(?:is|to|from|of|no|number|nummer|auf|von))?[.\\s:="'(#-]*$`,
  'iu',
)
const versionSeries = /\b\d+(?:\.\d+){2,3}\s*(?:to|->|→|and|und|et|-|,|or)\s*$/i
/** Verbs used with versions. Networks that begin with a small number are rare, except the private one. */
const versionVerb =
  /\b(?:upgrad|updat|bump|migrat|downgrad|mov|requir|depend|support|install|us)\p{L}*(?: \p{L}+){0,2} (?:to |from |on |[\d.]+ to )?$/iu
/** A path, a version range, or a file name. */
const versionSign = /(?:[\w)]\/|[~^]|[<>=!]=|[A-Za-z]-)$/

function isVersionNumber(text: string, span: Span): boolean {
  const before = textBefore(text, span, 40)
  if (versionBefore.test(before) || versionSign.test(before)) return true
  const after = textAfter(text, span, 16)
  if (
    /^\s*(?:release|build|version|beta|alpha|rc\d*|\(build|(?:or|and) (?:newer|later|higher|above|older|up)\b)/i.test(
      after,
    )
  ) {
    return true
  }
  if (
    versionVerb.test(before) &&
    /^(?:[0-9]|[12]\d)\./.test(text.slice(span.start)) &&
    !text.startsWith('10.', span.start)
  )
    return true
  return versionSeries.test(before) && versionBefore.test(before.replace(versionSeries, ''))
}

function findVersion6(text: string): Span[] {
  const found: Span[] = []
  for (const { index, 0: written } of text.matchAll(version6Pattern)) {
    const address = written.replace(/(?<!:):$/, '')
    if (isMeantAsVersion6(address)) found.push({ start: index, end: index + address.length })
  }
  return found
}

/** Names with two colons in programs, and hardware addresses of eight bytes, have the same syntax. */
function isMeantAsVersion6(address: string): boolean {
  if (!isIPv6(address) || /^[0:]*1?$/.test(address)) return false
  const groups = address.split(':').filter((group) => group !== '')
  if (groups.length === 8 && groups.every((group) => group.length === 2)) return false
  return groups.length >= 2 && /\d/.test(address) && groups.some((group) => group.length >= 3 || /[a-f]/i.test(group))
}
