import { platformEntry } from '#control/operators/platform-entry.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { CatalogueImports, CatalogueStore, ImportReport, PastImport } from '#ports/catalogue.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { announcedModels } from '../announcements/announced-models.ts'
import { planImport } from './plan-import.ts'

interface UndoDeps {
  readonly catalogue: Pick<CatalogueStore, 'load' | 'import'>
  readonly imports: Pick<CatalogueImports, 'findLast'>
}

interface UndoWish {
  /** The import that the operator saw. Without it, the latest. */
  readonly seenId?: string
  /** Whether customers are told about prices and retirement dates that change back. */
  readonly announce: boolean
}

/** The latest import that can be undone, and what undoing it would change. */
export async function planUndo(
  { catalogue, imports }: UndoDeps,
  nowMs: number,
): Promise<{ past: PastImport; plan: CatalogueProposal; current: Catalogue }> {
  const past = await imports.findLast()
  if (past === null) throw new GatewayError('notFound', { message: 'There is no catalogue import to undo.' })
  const current = await catalogue.load()
  requireUnchanged(current, past)
  const plan = planImport(current, { rows: past.before, name: `undo ${past.id}`, replace: false }, nowMs)
  return { past, plan, current }
}

/** Restores the models as they were before the latest import. The one before it can be undone next. */
export async function undoImport(
  deps: UndoDeps,
  { seenId, announce }: UndoWish,
  author: ChangeAuthor,
): Promise<ImportReport> {
  const { past, plan, current } = await planUndo(deps, author.nowMs)
  if (seenId !== undefined && past.id !== seenId) {
    throw new GatewayError('conflict', { message: 'Another import is now the latest. Look at what it would undo.' })
  }
  const entry = platformEntry(author, {
    action: 'catalogue.undo',
    target: { kind: 'catalogue_import', id: past.id },
    details: { importedAt: new Date(past.importedAtMs).toISOString(), changes: plan.changes.length, announce },
  })
  return deps.catalogue.import(plan.rows, author.nowMs, {
    expectedRevision: plan.baseRevision,
    entry,
    undoes: past.id,
    announcement: { models: announcedModels(current, plan.rows), isWanted: announce },
  })
}

/** Changes that came after it, such as an import of an earlier release, would be lost. */
function requireUnchanged({ revision }: Catalogue, past: PastImport): void {
  if (revision === past.revision) return
  throw new GatewayError('conflict', {
    message: 'The catalogue has changed since the last recorded import, so the import cannot be undone.',
  })
}
