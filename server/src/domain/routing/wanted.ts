import type { Model } from '#domain/catalogue/model.ts'
import type { Excluded } from './explanation.ts'
import type { SortBy } from './preferences.ts'

/** The resolved request: the models that may serve it, in the order of attempts, and how to choose among providers. */
export interface Wanted {
  /** At least one; several if the client listed fallbacks or used the auto router. */
  readonly models: readonly Model[]
  /** From a suffix of the name (`:floor`, `:nitro`); the request's own preferences override it. */
  readonly sort: SortBy | null
  /** `:online`: the web plugin is enabled. */
  readonly online: boolean
  /** The tier that `auto` chose; null if the client named a model. */
  readonly autoTier: string | null
  /** Named models that cannot serve the request, for the explanation. */
  readonly excluded: readonly Excluded[]
}
