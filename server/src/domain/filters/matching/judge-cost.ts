import type { FilterMatcher } from '../filter-rule.ts'
import { TextViews } from '../text/text-views.ts'
import { compileMatcher } from './compile-matcher.ts'
import { compileRegex } from './compile-regex.ts'
import type { Finder } from './finder.ts'
import { hostileTextLength, hostileTexts } from './hostile-texts.ts'
import { matchesMax } from './inspect-texts.ts'
import { regexFinder } from './regex-finder.ts'

export type CostVerdict = { readonly accepted: true } | { readonly accepted: false; readonly reason: string }

/** Maximum CPU time of one rule for one hostile text: more than half of a request's whole deadline. */
const costMsMax = 150

export const tooSlowReason = `The pattern is too slow: on adversarial input of ${hostileTextLength / 1_000} KB it takes longer than a request may wait. Shorten its repetitions, or start it with a fixed word.`

const emptyReason =
  'The pattern matches the empty string because everything in it is optional, so it would match everywhere. Make part of it required.'

/** Compiles a matcher and runs a pattern over texts that slow it down. Keywords and templates need no such check. */
export function judgeCost(matcher: FilterMatcher, cpuMs: () => number): CostVerdict {
  if (matcher.kind !== 'regex') {
    const compiled = compileMatcher(matcher)
    return compiled.compiled ? { accepted: true } : { accepted: false, reason: compiled.reason }
  }
  const compiled = compileRegex(matcher.pattern, matcher.ignoreCase)
  if (!compiled.compiled) return { accepted: false, reason: compiled.reason }
  if (compiled.regex.test('')) return { accepted: false, reason: emptyReason }
  const find = regexFinder(compiled.regex)
  for (const text of hostileTexts(matcher.pattern)) {
    // A tenth of the text first, because a very slow pattern would not return from the whole text.
    const isSlow =
      isTooSlow({ find, text: text.slice(-hostileTextLength / 10), costMs: costMsMax / 4 }, cpuMs) ||
      isTooSlow({ find, text, costMs: costMsMax }, cpuMs)
    if (isSlow) return { accepted: false, reason: tooSlowReason }
  }
  return { accepted: true }
}

interface Trial {
  readonly find: Finder
  readonly text: string
  readonly costMs: number
}

const trialsMax = 4

/**
 * Repeated until one run is fast: a first run includes one-time work, and on shared cores the measurement may include
 * other work.
 */
function isTooSlow({ find, text, costMs }: Trial, cpuMs: () => number): boolean {
  return Array.from({ length: trialsMax }).every(() => {
    const startMs = cpuMs()
    find(new TextViews(text), { matchesMax, isLate: () => cpuMs() - startMs > costMs })
    return cpuMs() - startMs > costMs
  })
}
