import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { ProposedChange } from '#ports/catalogue-proposals.ts'
import { rowOfModel } from '../row-of-model.ts'

/**
 * The changed models as they are before an import: importing these rows undoes it. A model that is new was not sold.
 */
export function rowsBefore(
  { models }: Catalogue,
  rows: readonly CatalogueRow[],
  changes: readonly ProposedChange[],
): CatalogueRow[] {
  const added = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(changes.map(({ model }) => model))].flatMap((id) => {
    const model = models.get(id)
    if (model !== undefined) return [rowOfModel(model)]
    const row = added.get(id)
    return row === undefined ? [] : [{ ...row, listed: false, offers: [], prices: [] }]
  })
}
