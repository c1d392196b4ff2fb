import type { FilterMatcher } from '#domain/filters/filter-rule.ts'
import { malformed } from '#errors/malformed.ts'
import type { FilterEngine } from '#ports/filter-engine.ts'

/** Refuses what can not be compiled, or is too slow on texts that are made to slow it down. */
export async function refuseMatcher(engine: FilterEngine, matcher: FilterMatcher): Promise<void> {
  const verdict = await engine.judgeMatcher(matcher)
  if (!verdict.accepted) throw malformed(verdict.reason)
}
