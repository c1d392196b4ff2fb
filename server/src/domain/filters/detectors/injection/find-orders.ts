import type { Span } from '../../text/span.ts'
import { anyOf } from '../alternatives.ts'
import { englishPatterns } from './english-patterns.ts'
import { languagePatterns, looseLanguages } from './language-patterns.ts'
import { isMentioned, isStatement } from './mention.ts'

/** Finds injected instructions in lower-case text, except mentioned ones. */
export function findOrders(text: string): Span[] {
  return [...ordersByStart(text), ...looseOrders(text)].filter((span) => !isMentioned(text, span))
}

/** A wrapped line is part of the same sentence; the text before a sentence is judged by the original lines. */
const wrappedLine = /(?<=[\p{L},] ?)\n(?= ?\p{L})/gu

/** A pattern with the first word that triggers it, or the constant letters of that word. */
interface CloseLook {
  readonly stem: string
  readonly isWholeWord: boolean
  readonly pattern: RegExp
  readonly isVerb: boolean
}

const closeLooks: readonly CloseLook[] = [...englishPatterns, ...languagePatterns].flatMap(
  ({ start, rest, isVerb = false }) => {
    const pattern = new RegExp(`${anyOf(start)}${rest}`, 'uy')
    const pieces = start.split(',').map((piece) => piece.trim())
    const stems = [...new Set(pieces.map(stemOf))]
    return stems.map((stem) => {
      const isWholeWord = pieces.every((piece) => stemOf(piece) !== stem || beginsWithWord(piece))
      return { stem, isWholeWord, pattern, isVerb }
    })
  },
)

function stemOf(piece: string): string {
  return /^(\p{L}+)(?![?*])/u.exec(piece)?.[1] ?? ''
}

/** Letters up to a space, an apostrophe or the end. */
function beginsWithWord(piece: string): boolean {
  return /^\p{L}+(?:$| |\(\?: |\.\p{L})/u.test(piece)
}

function looksFor(word: string): readonly CloseLook[] {
  return closeLooks.filter(({ stem, isWholeWord }) => (isWholeWord ? word === stem : word.startsWith(stem)))
}

const wordPattern = /\p{L}+/gu
const stemLengthMax = 20
const knownWordsMax = 20_000

/**
 * Goes from word to word and tries the patterns that the word may begin. The patterns of each word are computed once,
 * which is a hundred times faster than running every pattern over the whole text.
 */
function ordersByStart(text: string): Span[] {
  const found: Span[] = []
  const known = new Map<string, readonly CloseLook[]>()
  const unwrapped = text.replaceAll(wrappedLine, ' ')
  for (const { index, 0: word } of text.matchAll(wordPattern)) {
    const head = word.slice(0, stemLengthMax)
    const looks = known.get(head) ?? looksFor(head)
    if (known.size < knownWordsMax) known.set(head, looks)
    for (const { pattern, isVerb } of looks) {
      pattern.lastIndex = index
      const length = pattern.exec(unwrapped)?.[0].length ?? 0
      if (length > 0 && !(isVerb && isStatement(text, index))) found.push({ start: index, end: index + length })
    }
  }
  return found
}

function looseOrders(text: string): Span[] {
  return looseLanguages
    .filter(({ sign }) => sign.test(text))
    .flatMap(({ patterns }) => patterns)
    .flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ index, 0: order }) => ({ start: index, end: index + order.length })),
    )
}
