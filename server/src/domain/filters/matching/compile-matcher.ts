import { unreachable } from '#lib/unreachable.ts'
import type { Detector } from '../detectors/detector.ts'
import { detectors } from '../detectors/detectors.ts'
import type { FilterMatcher } from '../filter-rule.ts'
import { compileRegex } from './compile-regex.ts'
import type { Finder } from './finder.ts'
import { isKeywordEmpty, keywordFinder } from './keyword-finder.ts'
import { regexFinder } from './regex-finder.ts'

export type CompiledMatcher =
  | { readonly compiled: true; readonly find: Finder }
  | { readonly compiled: false; readonly reason: string }

export function compileMatcher(matcher: FilterMatcher): CompiledMatcher {
  switch (matcher.kind) {
    case 'keyword':
      if (isKeywordEmpty(matcher.keyword)) return { compiled: false, reason: 'The keyword has no visible characters.' }
      return { compiled: true, find: keywordFinder(matcher.keyword) }
    case 'regex': {
      const result = compileRegex(matcher.pattern, matcher.ignoreCase)
      return result.compiled ? { compiled: true, find: regexFinder(result.regex) } : result
    }
    case 'template':
      return { compiled: true, find: templateFinder(detectors[matcher.template]) }
    default:
      return unreachable(matcher)
  }
}

export function templateFinder(detect: Detector): Finder {
  return (views, { matchesMax, isLate }) => {
    const found = detect(views.plain)
    const spans = found.slice(0, matchesMax).map((span) => views.toOriginal(span))
    if (found.length >= matchesMax) return { spans, end: 'full' }
    return { spans, end: isLate() ? 'late' : 'done' }
  }
}
