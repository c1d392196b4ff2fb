import { matchesPattern } from './judge-model.ts'

/** The lists that apply to a request: of the organization, the team and the member. An empty list allows everything. */
export interface AllowedModelsLayers {
  readonly organization: readonly string[]
  readonly team: readonly string[]
  readonly member: readonly string[]
}

/** The patterns that all layers allow together; null if no layer has a list, so that everything is allowed. */
export function resolveAllowedModels(layers: AllowedModelsLayers): readonly string[] | null {
  const said = [layers.organization, layers.team, layers.member].filter((patterns) => patterns.length > 0)
  return said.length === 0 ? null : said.reduce(intersection)
}

// Two patterns have models in common only if one covers the other; the narrower one remains.
function intersection(left: readonly string[], right: readonly string[]): readonly string[] {
  const narrower = [
    ...left.filter((pattern) => isWithin(pattern, right)),
    ...right.filter((pattern) => isWithin(pattern, left)),
  ]
  return [...new Set(narrower)]
}

function isWithin(pattern: string, patterns: readonly string[]): boolean {
  return patterns.some((wider) => matchesPattern(wider, pattern))
}
