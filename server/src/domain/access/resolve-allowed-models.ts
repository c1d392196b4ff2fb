import { matchesPattern } from './judge-model.ts'

/** The lists that hold for a call: of the organization, of the team, of the member. An empty one says nothing. */
export interface AllowedModelsLayers {
  readonly organization: readonly string[]
  readonly team: readonly string[]
  readonly member: readonly string[]
}

/**
 * What all layers allow together, as patterns; null where none of them says anything, so that everything is allowed.
 */
export function resolveAllowedModels(layers: AllowedModelsLayers): readonly string[] | null {
  const said = [layers.organization, layers.team, layers.member].filter((patterns) => patterns.length > 0)
  return said.length === 0 ? null : said.reduce(intersection)
}

// Two patterns have models in common only if one of them covers the other; what remains is the narrower one.
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
