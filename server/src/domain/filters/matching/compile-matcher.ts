import { unreachable } from '#lib/unreachable.ts'
import { detectors } from '../detectors/detectors.ts'
import type { FilterMatcher } from '../filter-rule.ts'
import { compileRegex } from './compile-regex.ts'
import type { Finder } from './finder.ts'
import { isKeywordEmpty, keywordFinder } from './keyword-finder.ts'
import { regexFinder } from './regex-finder.ts'
import { templateFinder } from './template-finder.ts'

export type CompiledMatcher =
  | { readonly compiled: true; readonly find: Finder }
  | { readonly compiled: false; readonly reason: string }

export function compileMatcher(matcher: FilterMatcher): CompiledMatcher {
  switch (matcher.kind) {
    case 'keyword':
      if (isKeywordEmpty(matcher.keyword))
        return { compiled: false, reason: 'The keyword has nothing that can be seen.' }
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
