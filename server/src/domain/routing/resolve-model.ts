import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { testModel } from '#domain/test-models/test-models.ts'

export type Resolution =
  | { found: true; model: Model }
  | { found: false; why: 'malformed' | 'unknown' }
  | { found: false; why: 'retired'; id: string }

// A provider and a name, each without blanks; a bare name may still be completed below.
const wellFormed = /^(?:[\w.~-]+\/)?[\w.~:@+-]+(?:\/[\w.~:@+-]+)*$/

/** Finds the catalogue entry that a caller means. */
export function resolveModel(name: string, catalogue: Catalogue, nowMs: number): Resolution {
  if (!wellFormed.test(name)) return { found: false, why: 'malformed' }
  const id = name.toLowerCase()
  const model = id.startsWith('test/') ? testModel(id) : (catalogue.models.get(id) ?? byBareName(id, catalogue))
  if (model === undefined) return { found: false, why: 'unknown' }
  if (lifeCycleAt(model, nowMs) === 'retired') return { found: false, why: 'retired', id: model.id }
  return { found: true, model }
}

function byBareName(name: string, catalogue: Catalogue): Model | undefined {
  if (name.includes('/')) return undefined
  if (name.startsWith('gpt-')) return catalogue.models.get(`openai/${name}`)
  if (name.startsWith('claude-')) return catalogue.models.get(`anthropic/${name}`)
  const matches = [...catalogue.models.values()].filter((model) => model.id.endsWith(`/${name}`))
  return matches.length === 1 ? matches[0] : undefined
}
