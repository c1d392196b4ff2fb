import type { Span } from '../text/span.ts'
import { lowerCaseOf } from '../text/text-views.ts'
import { foldText } from '../text/fold-text.ts'
import type { Finder } from './finder.ts'

/** Finds a word or phrase, ignoring case and whitespace differences, but not inside longer words. */
export function keywordFinder(keyword: string): Finder {
  const forms = formsOf(keyword)
  return (views, { matchesMax, isLate }) => {
    const text = views.lowerCase
    const spans: Span[] = []
    for (const form of forms) {
      for (const span of form.occurrences(text)) {
        if (isInsideWord(text, span)) continue
        spans.push(views.toOriginal(span))
        if (spans.length >= matchesMax) return { spans, end: 'full' }
      }
      if (isLate()) return { spans, end: 'late' }
    }
    return { spans, end: 'done' }
  }
}

/** A keyword of whitespace or invisible characters would match everywhere or nowhere. */
export function isKeywordEmpty(keyword: string): boolean {
  return wordsOf(keyword).length === 0
}

interface KeywordForm {
  readonly occurrences: (text: string) => Iterable<Span>
}

function wordsOf(keyword: string): string[] {
  return lowerCaseOf(foldText(keyword).text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** The sharp s has no common capital, so a word with one is searched in both spellings. */
function formsOf(keyword: string): KeywordForm[] {
  const words = wordsOf(keyword)
  const spellings = [
    words,
    words.map((word) => word.replaceAll('ss', 'ß')),
    words.map((word) => word.replaceAll('ß', 'ss')),
  ]
  const distinct = new Map(spellings.map((spelling) => [spelling.join(' '), spelling]))
  return [...distinct.values()].map((spelling) => ({ occurrences: searchFor(spelling) }))
}

function searchFor(words: readonly string[]): (text: string) => Iterable<Span> {
  const [first = '', ...more] = words
  if (more.length === 0) return (text) => occurrencesOf(text, first)
  const phrase = new RegExp(words.map(escapePattern).join(String.raw`\s+`), 'g')
  return (text) => phraseOccurrences(text, phrase)
}

function escapePattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

function* occurrencesOf(text: string, word: string): Iterable<Span> {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    yield { start: at, end: at + word.length }
  }
}

function* phraseOccurrences(text: string, phrase: RegExp): Iterable<Span> {
  for (const found of text.matchAll(phrase)) yield { start: found.index, end: found.index + found[0].length }
}

const wordCharacter = /[\p{L}\p{M}\p{N}]/u
/** Scripts without spaces between words, or (Hangul) with joined endings: every position may be a word boundary. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

function isInsideWord(text: string, { start, end }: Span): boolean {
  return (
    isJoined(characterBefore(text, start), characterAt(text, start)) ||
    isJoined(characterBefore(text, end), characterAt(text, end))
  )
}

function isJoined(left: string, right: string): boolean {
  return wordCharacter.test(left) && wordCharacter.test(right) && !unspaced.test(left) && !unspaced.test(right)
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, at: number): string {
  if (at <= 0) return ''
  const point = text.codePointAt(at - 2)
  return at >= 2 && point !== undefined && point > 0xffff ? String.fromCodePoint(point) : text.charAt(at - 1)
}
