import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { findSuspects, type Suspect } from '#domain/moderation/find-suspects.ts'
import { type ModerationPolicy, moderationPolicies } from '#domain/moderation/policies.ts'
import { createLiteralScan } from '#lib/literal-scan.ts'
import type { FilterEngine, FilterHit } from '#ports/filter-engine.ts'
import type { Moderation, ModerationVerdict } from '#ports/moderation.ts'

/**
 * Judges by the built-in policies. Nearly every text contains none of their keywords and passes directly. The patterns
 * run only on the text around a keyword, outside the event loop.
 */
export function createBuiltInModeration(engine: Pick<FilterEngine, 'inspect'>): Moderation {
  const findNeedle = createLiteralScan(moderationPolicies.flatMap(({ needles }) => needles))
  return {
    review({ texts }) {
      const suspects = findSuspects(texts, findNeedle)
      return suspects.length === 0 ? allowed : inspect(engine, suspects)
    },
  }
}

const allowed: ModerationVerdict = { allowed: true }

const ruleSet = 'moderation'
const rules: readonly FilterRule[] = moderationPolicies.map(({ category, pattern }, index) => ({
  id: idOf(index),
  name: category,
  enabled: true,
  action: 'block',
  matcher: { kind: 'regex', pattern, ignoreCase: true },
}))
const policyOf: ReadonlyMap<string, ModerationPolicy> = new Map(
  moderationPolicies.map((policy, index) => [idOf(index), policy]),
)

// Rules are identified by ids. The built-in policies have no row, so they get ids by index.
function idOf(index: number): string {
  return `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`
}

async function inspect(
  engine: Pick<FilterEngine, 'inspect'>,
  suspects: readonly Suspect[],
): Promise<ModerationVerdict> {
  const { hits } = await engine.inspect({ ruleSet, rules, texts: suspects.map(({ content }) => content) })
  // A finding counts, even if the rest could not be checked in time.
  const found = hits.filter(({ matches }) => matches.length > 0)
  const [first] = found
  if (first === undefined) {
    if (hits.length > 0) throw new Error('the built-in moderation policies timed out')
    return allowed
  }
  return {
    allowed: false,
    source: 'built-in',
    categories: [...new Set(found.map(({ ruleId }) => policyOf.get(ruleId)?.category ?? 'unknown'))],
    place: placeOf(first, suspects),
  }
}

function placeOf({ matches }: FilterHit, suspects: readonly Suspect[]) {
  const [match] = matches
  const suspect = suspects[match?.text ?? 0]
  return { text: suspect?.text ?? 0, start: (suspect?.start ?? 0) + (match?.start ?? 0) }
}
