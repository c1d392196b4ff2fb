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
  const model = id.startsWith('test/') ? testModel(id) : (byName(id, catalogue) ?? bySpelling(id, catalogue))
  if (model === undefined) return { found: false, why: 'unknown' }
  if (lifeCycleAt(model, nowMs) === 'retired') return { found: false, why: 'retired', id: model.id }
  return { found: true, model }
}

function byName(name: string, catalogue: Catalogue): Model | undefined {
  return catalogue.models.get(completed(name)) ?? byBareName(name, catalogue)
}

/** Clients write `4-5` where the listing has `4.5`, and the other way round. A spelling that several models share is none's. */
function bySpelling(name: string, catalogue: Catalogue): Model | undefined {
  const id = spellingsOf(catalogue).get(withHyphens(completed(name)))
  return typeof id === 'string' ? catalogue.models.get(id) : undefined
}

/** The names that callers use most often need no provider. */
function completed(name: string): string {
  if (name.startsWith('gpt-')) return `openai/${name}`
  return name.startsWith('claude-') ? `anthropic/${name}` : name
}

const spellings = new WeakMap<Catalogue, ReadonlyMap<string, string | null>>()

/** Every id and bare name in its hyphenated spelling; null where several share it. Made once per catalogue. */
function spellingsOf(catalogue: Catalogue): ReadonlyMap<string, string | null> {
  const known = spellings.get(catalogue)
  if (known !== undefined) return known
  const made = new Map<string, string | null>()
  for (const id of catalogue.models.keys()) {
    for (const name of [id, id.slice(id.indexOf('/') + 1)]) {
      const spelling = withHyphens(name)
      made.set(spelling, made.has(spelling) ? null : id)
    }
  }
  spellings.set(catalogue, made)
  return made
}

function withHyphens(name: string): string {
  return name.replaceAll(/(?<=\d)\.(?=\d)/g, '-')
}

function byBareName(name: string, catalogue: Catalogue): Model | undefined {
  if (name.includes('/') || completed(name) !== name) return undefined
  const matches = [...catalogue.models.values()].filter((model) => model.id.endsWith(`/${name}`))
  return matches.length === 1 ? matches[0] : undefined
}
