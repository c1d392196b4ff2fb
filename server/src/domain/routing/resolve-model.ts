import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { listedTestModels, testModel } from '#domain/test-models/test-models.ts'
import { oncePer } from '#lib/once-per.ts'
import { nearestIds } from './nearest-ids.ts'
import type { SortBy } from './preferences.ts'
import { splitShortcuts } from './split-shortcuts.ts'

export type Resolution =
  | { found: true; model: Model; sort: SortBy | null; online: boolean }
  | { found: false; why: 'malformed' }
  | { found: false; why: 'unknown'; nearest: readonly string[] }
  | { found: false; why: 'retired'; id: string }

interface ResolveOptions {
  nowMs: number
  /** Whether a name without its provider may match the one model with that name. */
  completesBareNames: boolean
  /** Whether test models are enabled. */
  testModels: boolean
}

// A provider and a name, each without spaces; a bare name may be completed below.
const wellFormed = /^(?:[\w.~-]+\/)?[\w.~:@+-]+(?:\/[\w.~:@+-]+)*$/

/** Finds the catalogue model that a client names. */
export function resolveModel(name: string, catalogue: Catalogue, options: ResolveOptions): Resolution {
  if (!wellFormed.test(name)) return { found: false, why: 'malformed' }
  const { id, sort, online } = splitShortcuts(name.toLowerCase())
  const model = id.startsWith('test/')
    ? fromTests(id, options)
    : (inCatalogue(id, catalogue, options) ?? bareTest(id, options))
  if (model === undefined) return { found: false, why: 'unknown', nearest: nearestTo(id, catalogue, options) }
  if (lifeCycleAt(model, options.nowMs) === 'retired') return { found: false, why: 'retired', id: model.id }
  return { found: true, model, sort, online }
}

function fromTests(id: string, { testModels }: ResolveOptions): Model | undefined {
  return testModels ? (testModel(id) ?? testModel(id.replace(independentSuffix, ''))) : undefined
}

/** A catalogue model takes precedence over a test model of the same name. */
function bareTest(name: string, options: ResolveOptions): Model | undefined {
  return options.completesBareNames && !name.includes('/') ? fromTests(`test/${name}`, options) : undefined
}

function nearestTo(id: string, catalogue: Catalogue, { testModels, nowMs }: ResolveOptions): readonly string[] {
  if (id.startsWith('test/')) return testModels ? nearestIds(id, listedTestModels()) : []
  return nearestIds(
    id,
    [...catalogue.models.values()].filter((model) => lifeCycleAt(model, nowMs) !== 'retired'),
  )
}

/** The variant's own entry, or else its base model. */
function inCatalogue(id: string, catalogue: Catalogue, options: ResolveOptions): Model | undefined {
  const base = id.replace(independentSuffix, '')
  return find(id, catalogue, options) ?? (base === id ? undefined : find(base, catalogue, options))
}

const independentSuffix = /:(?:free|extended|thinking|exacto)$/

function find(id: string, catalogue: Catalogue, options: ResolveOptions): Model | undefined {
  const known = catalogue.models.get(completed(id)) ?? byAlias(id, catalogue)
  if (known !== undefined) return known
  return (options.completesBareNames ? byBareName(id, catalogue) : undefined) ?? bySpelling(id, catalogue, options)
}

/** The names that clients use most often need no provider. */
function completed(name: string): string {
  if (name.startsWith('gpt-')) return `openai/${name}`
  return name.startsWith('claude-') ? `anthropic/${name}` : name
}

function byAlias(id: string, catalogue: Catalogue): Model | undefined {
  const owner = namesOf(catalogue).aliases.get(completed(id))
  return typeof owner === 'string' ? catalogue.models.get(owner) : undefined
}

function byBareName(name: string, catalogue: Catalogue): Model | undefined {
  const owner = namesOf(catalogue).bare.get(name)
  return typeof owner === 'string' ? catalogue.models.get(owner) : undefined
}

/**
 * Clients write `4-5` where the listing has `4.5`, and the reverse. A spelling that several models share matches none.
 */
function bySpelling(id: string, catalogue: Catalogue, options: ResolveOptions): Model | undefined {
  const names = namesOf(catalogue)
  const spelling = withHyphens(completed(id))
  const owner =
    names.spelled.get(spelling) ?? (options.completesBareNames ? names.spelledBare.get(spelling) : undefined)
  return typeof owner === 'string' ? catalogue.models.get(owner) : undefined
}

interface Names {
  readonly aliases: ReadonlyMap<string, string | null>
  readonly bare: ReadonlyMap<string, string | null>
  readonly spelled: ReadonlyMap<string, string | null>
  readonly spelledBare: ReadonlyMap<string, string | null>
}

/** Every other spelling of an id; null if several models share it. */
const namesOf = oncePer((catalogue: Catalogue): Names => {
  const names = { aliases: new Map(), bare: new Map(), spelled: new Map(), spelledBare: new Map() }
  for (const { id, aliases } of catalogue.models.values()) {
    const bare = id.slice(id.indexOf('/') + 1)
    for (const alias of aliases) add(names.aliases, alias.toLowerCase(), id)
    add(names.bare, bare, id)
    add(names.spelled, withHyphens(id), id)
    add(names.spelledBare, withHyphens(bare), id)
  }
  return names
})

function add(owners: Map<string, string | null>, name: string, id: string): void {
  owners.set(name, owners.has(name) && owners.get(name) !== id ? null : id)
}

function withHyphens(name: string): string {
  return name.replaceAll(/(?<=\d)\.(?=\d)/g, '-')
}
