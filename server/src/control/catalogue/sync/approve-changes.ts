import { platformEntry } from '#control/operators/platform-entry.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CatalogueStore, ImportReport } from '#ports/catalogue.ts'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import type { ChangeAuthor } from '#ports/keys.ts'

interface Approval {
  /** The id of the proposal that the operator has seen. */
  readonly id: string
  /** What to do with doubtful changes: reject all, skip their models, or apply them. */
  readonly doubtful: 'refuse' | 'skip' | 'confirm'
}

/** Imports the proposed changes if neither the proposal nor the catalogue has changed since the operator saw it. */
export async function approveChanges(
  { catalogue, proposals }: { catalogue: Pick<CatalogueStore, 'import'>; proposals: CatalogueProposals },
  { id, doubtful }: Approval,
  author: ChangeAuthor,
): Promise<ImportReport> {
  const proposal = await readProposal(proposals, id)
  const doubted = proposal.changes.filter(({ doubt }) => doubt !== null)
  if (doubtful === 'refuse' && doubted.length > 0) throw doubts(doubted)
  const skipped = new Set(doubtful === 'skip' ? doubted.map(({ model }) => model) : [])
  const rows = proposal.rows.filter((row) => !skipped.has(row.id))
  const entry = entryOf('catalogue.approve', proposal, author, { doubtful, modelsSkipped: skipped.size })
  const report = await catalogue.import(rows, author.nowMs, { expectedRevision: proposal.baseRevision, entry })
  await proposals.remove(proposal.id)
  return report
}

/** Deletes the proposal. */
export async function rejectChanges(proposals: CatalogueProposals, id: string, author: ChangeAuthor): Promise<void> {
  const proposal = await readProposal(proposals, id)
  await proposals.reject(proposal.id, entryOf('catalogue.reject', proposal, author, {}), author.nowMs)
}

function entryOf(
  action: 'catalogue.approve' | 'catalogue.reject',
  { id, sources, changes }: CatalogueProposal,
  author: ChangeAuthor,
  details: JsonObject,
): AuditEntry {
  const target = { kind: 'catalogue_proposal', id }
  const models = [...new Set(changes.map(({ model }) => model))].slice(0, modelsNamedMax)
  return platformEntry(author, {
    action,
    target,
    details: { sources: [...sources], changes: changes.length, models, ...details },
  })
}

// An audit entry names the changed models; a sync of all models would fill the log.
const modelsNamedMax = 50

/** The pending proposal, by its id. */
export async function readProposal(proposals: CatalogueProposals, id: string): Promise<CatalogueProposal> {
  const proposal = await proposals.find()
  if (proposal?.id === id) return proposal
  const message =
    proposal === null
      ? 'No catalogue changes are pending approval.'
      : `The pending catalogue changes have the id ${proposal.id}.`
  throw new GatewayError('notFound', { message })
}

const doubtsShownMax = 20

function doubts(doubted: CatalogueProposal['changes']): GatewayError {
  const shown = doubted
    .slice(0, doubtsShownMax)
    .map(({ model, where, from, to, doubt }) => `  ${model} ${where}: ${from ?? 'none'} to ${to ?? 'none'} (${doubt})`)
  const message = [
    `${doubted.length} changes look like source errors. Apply them with --confirm, or skip their models with --skip-doubtful:`,
    ...shown,
  ].join('\n')
  return new GatewayError('conflict', { message })
}
