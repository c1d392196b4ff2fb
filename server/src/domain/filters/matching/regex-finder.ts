import type { RE2JS } from 're2js'
import type { Span } from '../text/span.ts'
import { type TextViews, wholeCharacters } from '../text/text-views.ts'
import type { Finder, SearchBounds } from './finder.ts'

/**
 * Finds the matches of a pattern in the original text and, if it differs, in its normalized form. That covers patterns
 * for unusual characters as well as disguised letters. Empty matches do not count.
 */
export function regexFinder(regex: RE2JS): Finder {
  return (views, bounds) => {
    const spans: Span[] = []
    for (const { text, toOriginal } of formsOf(views)) {
      // Testing for a match is thirty times faster than locating it.
      if (!regex.test(text)) continue
      const end = collect({ regex, text, toOriginal, spans }, bounds)
      if (end !== 'done') return { spans, end }
    }
    return { spans, end: bounds.isLate() ? 'late' : 'done' }
  }
}

/** The forms of a text that patterns run over. */
export function formsOf(views: TextViews): { text: string; toOriginal: (span: Span) => Span }[] {
  const { original, folded } = views
  const forms = [{ text: original, toOriginal: (span: Span) => wholeCharacters(original, span) }]
  if (folded !== original) forms.push({ text: folded, toOriginal: (span) => views.toOriginal(span) })
  return forms
}

interface Collection {
  readonly regex: RE2JS
  readonly text: string
  readonly toOriginal: (span: Span) => Span
  readonly spans: Span[]
}

function collect({ regex, text, toOriginal, spans }: Collection, bounds: SearchBounds): 'done' | 'full' | 'late' {
  const matcher = regex.matcher(text)
  while (matcher.find()) {
    const start = matcher.start()
    const end = matcher.end()
    if (end > start) spans.push(toOriginal({ start, end }))
    if (spans.length >= bounds.matchesMax) return 'full'
    if (bounds.isLate()) return 'late'
  }
  return 'done'
}
