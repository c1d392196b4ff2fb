import type { Span } from '../../text/span.ts'

/** Texts hidden inside another text in an encoded form, with their positions. */
export function hiddenTexts(text: string): HiddenText[] {
  return [...spacedLetters(text), ...encodedTexts(text), ...backwards(text)]
}

interface HiddenText {
  readonly span: Span
  readonly text: string
  /** Whether the spaces between words are missing, because their positions are lost. */
  readonly isRunTogether: boolean
}

/** `i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`; words are separated by two or more spaces, or a slash. */
const spacedPattern = /(?<![\p{L}\p{N}])(?:\p{L}[ ._*-]{1,3}){9,400}\p{L}(?![\p{L}\p{N}])/gu

function spacedLetters(text: string): HiddenText[] {
  return Array.from(text.matchAll(spacedPattern), ({ index, 0: written }) => ({
    span: { start: index, end: index + written.length },
    text: written.replaceAll(/[ ._*-]/g, ''),
    isRunTogether: true,
  }))
}

/** Runs without spaces; hexadecimal bytes may have separators. */
const base64Run = /[A-Za-z0-9+/_=-]+/g
const hexRun = /(?<![0-9A-Za-z])[0-9a-fA-F]{2}(?:(?:[ ,]|\\x|%|[ ,]?0x)?[0-9a-fA-F]{2}){19,2000}(?![0-9A-Za-z])/g
const base64LengthMin = 24
const base64LengthMax = 4_000
/** The maximum number of decoded runs: a prompt hides one or two, but a file has thousands. */
const encodedMax = 200

function encodedTexts(text: string): HiddenText[] {
  return [...findRuns(text, base64Run, 'base64'), ...findRuns(text, hexRun, 'hex')].flatMap(({ span, bytes }) => {
    const decoded = bytes.toString('utf8')
    return isSentence(decoded) ? [{ span, text: decoded, isRunTogether: false }] : []
  })
}

function findRuns(text: string, pattern: RegExp, encoding: 'base64' | 'hex'): { span: Span; bytes: Buffer }[] {
  const found: { span: Span; bytes: Buffer }[] = []
  for (const { index, 0: run } of text.matchAll(pattern)) {
    if (run.length < base64LengthMin || run.length > base64LengthMax) continue
    const written = encoding === 'hex' ? run.replaceAll(/\\x|0x|[%, ]/g, '') : run
    found.push({ span: { start: index, end: index + run.length }, bytes: Buffer.from(written, encoding) })
    if (found.length >= encodedMax) break
  }
  return found
}

function isSentence(decoded: string): boolean {
  return (
    decoded.length >= 15 && !/[[\p{Cc}\ufffd]--[\t\n\r]]/v.test(decoded) && /\p{L}{2,}[ ,.]+\p{L}{2,}/u.test(decoded)
  )
}

/** `snoitcurtsni suoiverp`: a reversed sentence. The search runs only if one of its most common words occurs. */
const backwardsWord = /(?<!\p{L})(?:snoitcurtsni|tpmorp|erongi|dragersid)(?!\p{L})/gu
const reach = 120

function backwards(text: string): HiddenText[] {
  const found: HiddenText[] = []
  let end = 0
  for (const { index } of text.matchAll(backwardsWord)) {
    if (index < end) continue
    const start = Math.max(end, index - reach)
    end = Math.min(text.length, index + reach)
    found.push({
      span: { start, end },
      text: Array.from(text.slice(start, end)).toReversed().join(''),
      isRunTogether: false,
    })
  }
  return found
}
