import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { newUuid } from '#lib/uuid.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import { rowOfModel } from '../row-of-model.ts'
import { diffCatalogue } from './diff-catalogue.ts'
import { judgeChange } from './judge-change.ts'
import { type Merged, mergeListings } from './merge-listings.ts'
import { readSources, type SourceContent, type SourceTexts } from './read-sources.ts'

export interface ProposeDeps {
  readonly catalogue: Pick<CatalogueStore, 'load'>
  readonly texts: SourceTexts
  /** Whether this program supports the provider. */
  readonly isKnownProvider: (slug: string) => boolean
  readonly nowMs: () => number
}

/** Computes the changes that these sources suggest as of now. Nothing is changed. */
export async function proposeChanges(deps: ProposeDeps, sources: readonly string[]): Promise<CatalogueProposal> {
  const content = await readSources(deps.texts, sources)
  const catalogue = await deps.catalogue.load()
  const current = [...catalogue.models.values()].map(rowOfModel)
  const { rows, disagreements, unmatched } = merge(current, content, deps)
  const nowMs = deps.nowMs()
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const changes = diffCatalogue(current, rows).map((change) => {
    const { model, what, where, from, to } = change
    return { model, what, where, from, to, doubt: judgeChange(change, today) }
  })
  const changed = new Set(changes.map(({ model }) => model))
  return {
    id: newUuid(nowMs),
    proposedAtMs: nowMs,
    baseRevision: catalogue.revision,
    sources,
    rows: rows.filter(({ id }) => changed.has(id)),
    changes,
    disagreements,
    unmatched,
  }
}

function merge(current: readonly CatalogueRow[], content: SourceContent, deps: ProposeDeps): Merged {
  if (content.kind === 'catalogue') return { rows: content.rows, disagreements: [], unmatched: 0 }
  return mergeListings(current, content.listings, deps.isKnownProvider)
}
