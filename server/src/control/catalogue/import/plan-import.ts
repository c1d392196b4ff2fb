import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { newUuid } from '#lib/uuid.ts'
import type { CatalogueProposal, ProposedChange } from '#ports/catalogue-proposals.ts'
import { rowOfModel } from '../row-of-model.ts'
import { diffCatalogue } from '../sync/diff-catalogue.ts'
import { judgeChange } from '../sync/judge-change.ts'

interface ImportSource {
  readonly rows: readonly CatalogueRow[]
  /** For the audit log: the name of the file. */
  readonly name: string
  /** The file is complete: models that it does not name are unlisted. */
  readonly replace: boolean
}

/** The changes that an import of a file makes, as a proposal. A model that is new has nothing to doubt. */
export function planImport(
  catalogue: Catalogue,
  { rows, name, replace }: ImportSource,
  nowMs: number,
): CatalogueProposal {
  const current = [...catalogue.models.values()].map(rowOfModel)
  const known = new Set(current.map(({ id }) => id))
  const today = new Date(nowMs).toISOString().slice(0, 10)
  const changes = diffCatalogue(current, rows).map((change): ProposedChange => {
    const { model, what, where, from, to } = change
    return { model, what, where, from, to, doubt: known.has(model) ? judgeChange(change, today) : null }
  })
  return {
    id: newUuid(nowMs),
    proposedAtMs: nowMs,
    baseRevision: catalogue.revision,
    sources: [name],
    rows,
    changes: [...changes, ...(replace ? unlisted(current, rows) : [])],
    disagreements: [],
    unmatched: 0,
    ...(replace ? { replace: true } : {}),
  }
}

function unlisted(current: readonly CatalogueRow[], rows: readonly CatalogueRow[]): ProposedChange[] {
  const named = new Set(rows.map(({ id }) => id))
  return current
    .filter(({ id, listed }) => listed && !named.has(id))
    .map(({ id }) => ({ model: id, what: 'field', where: 'listed', from: 'true', to: 'false', doubt: null }))
}
