import type { Model } from '#domain/catalogue/model.ts'
import type { Excluded } from './explanation.ts'
import type { SortBy } from './preferences.ts'

/**
 * What a client asked for, resolved: the models that may answer, in the order of trying, and how to choose among hosts.
 */
export interface Wanted {
  /** At least one; several where the client listed fallbacks or left the choice to us. */
  readonly models: readonly Model[]
  /** From a suffix of the name (`:floor`, `:nitro`); the request's own preferences win over it. */
  readonly sort: SortBy | null
  /** `:online`: the web plugin is switched on. */
  readonly online: boolean
  /** The tier that `auto` chose; null for models that were named. */
  readonly autoTier: string | null
  /** Models that were named and cannot answer, for the explanation. */
  readonly excluded: readonly Excluded[]
}
