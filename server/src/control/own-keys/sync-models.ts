import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { resolveModel } from '#domain/routing/resolve-model.ts'
import type { ModelMapping } from '#ports/own-keys.ts'

/** The match between a provider's models and ours. */
export interface SyncResult {
  /** Our ids of models that the provider lists. */
  readonly matched: readonly string[]
  /** The provider's names that match none of our models. */
  readonly unmatched: readonly string[]
  /** Our ids of mapped models that the provider does not list. */
  readonly stale: readonly string[]
}

export const nothingSynced: SyncResult = { matched: [], unmatched: [], stale: [] }

const shownMax = 1_000

/**
 * Maps every model that the provider lists under one of our ids, aliases or bare names; if several names match one
 * model, the first wins. Mappings that the organization wrote are compared, not changed.
 */
export function syncModels(
  names: readonly string[],
  written: readonly ModelMapping[] | undefined,
  catalogue: Catalogue,
  nowMs: number,
): { result: SyncResult; mappings: readonly ModelMapping[] } {
  const found = new Map<string, string>()
  const unmatched: string[] = []
  for (const name of names) {
    const model = modelNamed(name, catalogue, nowMs)
    if (model === null) unmatched.push(name)
    else if (!found.has(model)) found.set(model, name)
  }
  if (written === undefined) {
    const mappings = Array.from(found, ([model, upstreamModel]) => ({ model, upstreamModel, enabled: true }))
    return { result: { matched: [...found.keys()], unmatched: unmatched.slice(0, shownMax), stale: [] }, mappings }
  }
  const listed = new Set(names)
  const isListed = ({ upstreamModel }: ModelMapping): boolean => listed.has(upstreamModel)
  return {
    result: {
      matched: written.filter(isListed).map(({ model }) => model),
      unmatched: unmatched
        .filter((name) => !written.some(({ upstreamModel }) => upstreamModel === name))
        .slice(0, shownMax),
      stale: written.filter((mapping) => !isListed(mapping)).map(({ model }) => model),
    },
    mappings: written,
  }
}

function modelNamed(name: string, catalogue: Catalogue, nowMs: number): string | null {
  const resolved = resolveModel(name, catalogue, { nowMs, completesBareNames: true, testModels: false })
  if (!resolved.found || resolved.model.author === 'test' || resolved.sort !== null || resolved.online) return null
  return resolved.model.id
}
