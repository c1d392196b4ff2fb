import { type Catalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'

/** Holds the catalogue of this process: one immutable snapshot, swapped whole. */
export interface CatalogueKeeper {
  current(): Catalogue
  /** Loads again. A failing load is reported and the last good snapshot stays. */
  refresh(): Promise<void>
  /** Takes the revision that was just seen, and loads again when it is not the one held. */
  seeRevision(revision: number): Promise<void>
}

export interface CatalogueKeeperNeeds {
  readonly store: Pick<CatalogueStore, 'load'>
  readonly onError: (error: unknown) => void
}

export function createCatalogueKeeper({ store, onError }: CatalogueKeeperNeeds): CatalogueKeeper {
  let snapshot = emptyCatalogue
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const load = async (): Promise<void> => {
    try {
      snapshot = await store.load()
    } catch (error) {
      onError(error)
    }
  }

  // One load at a time. A load under way may have missed what the caller has seen, so the caller shares the next one.
  const refresh = (): Promise<void> => {
    if (running === undefined) {
      running = load().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running.then(() => {
      next = undefined
      return refresh()
    })
    return next
  }

  return {
    current: () => snapshot,
    refresh,
    async seeRevision(revision) {
      if (revision !== snapshot.revision) await refresh()
    },
  }
}
