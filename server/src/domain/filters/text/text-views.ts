import { type FoldedText, foldText } from './fold-text.ts'
import type { Span } from './span.ts'

/** One text in the forms that matchers need. Each form is created on first use and maps to the original. */
export class TextViews {
  readonly original: string
  #folded: FoldedText | undefined
  #plain: string | undefined
  #lowerCase: string | undefined

  constructor(original: string) {
    this.original = original
  }

  /** The normalized form; the same string as the original if nothing changed. */
  get folded(): string {
    return this.#foldedText.text
  }

  /** The normalized form with ASCII digits and hyphens; the length in units stays the same. */
  get plain(): string {
    this.#plain ??= plainDigits(this.folded).replaceAll(dashes, '-')
    return this.#plain
  }

  /** The normalized form in lower case; the length in units stays the same. */
  get lowerCase(): string {
    this.#lowerCase ??= lowerCaseOf(this.folded)
    return this.#lowerCase
  }

  /** Maps a span of the normalized form to the original. */
  toOriginal({ start, end }: Span): Span {
    const { starts, ends } = this.#foldedText
    if (starts === null || ends === null) return wholeCharacters(this.original, { start, end })
    return wholeCharacters(this.original, { start: starts[start] ?? 0, end: ends[end - 1] ?? this.original.length })
  }

  get #foldedText(): FoldedText {
    this.#folded ??= foldText(this.original)
    return this.#folded
  }
}

/** Lower-cases unit by unit: the dotted capital I would become longer, and the final sigma becomes a sigma. */
export function lowerCaseOf(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/** Widens a span that begins or ends inside a surrogate pair. */
export function wholeCharacters(text: string, { start, end }: Span): Span {
  return { start: isInsidePair(text, start) ? start - 1 : start, end: isInsidePair(text, end) ? end + 1 : end }
}

const dashes = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g

function isInsidePair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}

/** The zeros of the scripts whose digits are one UTF-16 unit; nine more follow each. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
]

const otherDigits = /[\p{Nd}--[0-9]]/gv

/** Converts the digits of every script to ASCII; the length in units stays the same. */
export function plainDigits(text: string): string {
  return text.replaceAll(otherDigits, (digit) => {
    const unit = digit.charCodeAt(0)
    const zero = zeros.find((candidate) => unit >= candidate && unit <= candidate + 9)
    return zero === undefined ? digit : String(unit - zero)
  })
}
