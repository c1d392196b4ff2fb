import { platformEntry } from '#control/operators/platform-entry.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CatalogueStore, ImportReport } from '#ports/catalogue.ts'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { announcedModels } from '../announcements/announced-models.ts'
import { rowsBefore } from '../import/rows-before.ts'

/** What to do with doubtful changes: reject all, skip their models, or apply them. */
export type Doubtful = 'refuse' | 'skip' | 'confirm'

/** How an operator applies changes. */
export interface Application {
  readonly doubtful: Doubtful
  /** Whether customers are told about changed prices and retirement dates. */
  readonly announce: boolean
}

interface ApplyDeps {
  readonly catalogue: Pick<CatalogueStore, 'load' | 'import'>
}

/** Imports the proposed changes if neither the proposal nor the catalogue has changed since the operator saw it. */
export async function approveChanges(
  deps: ApplyDeps & { readonly proposals: CatalogueProposals },
  { id, ...how }: Application & { readonly id: string },
  author: ChangeAuthor,
): Promise<ImportReport> {
  const proposal = await readProposal(deps.proposals, id)
  const report = await applyProposal(deps, proposal, { ...how, action: 'catalogue.approve' }, author)
  await deps.proposals.remove(proposal.id)
  return report
}

/** Imports the changes of a proposal, with an audit entry, in a way that can be undone. */
export async function applyProposal(
  { catalogue }: ApplyDeps,
  proposal: CatalogueProposal,
  { doubtful, announce, action }: Application & { readonly action: 'catalogue.approve' | 'catalogue.import' },
  author: ChangeAuthor,
): Promise<ImportReport> {
  const doubted = proposal.changes.filter(({ doubt }) => doubt !== null)
  if (doubtful === 'refuse' && doubted.length > 0) throw doubts(doubted)
  const skipped = new Set(doubtful === 'skip' ? doubted.map(({ model }) => model) : [])
  const rows = proposal.rows.filter((row) => !skipped.has(row.id))
  const changes = proposal.changes.filter(({ model }) => !skipped.has(model))
  if (changes.length === 0) return unchanged(rows, author.nowMs)
  const current = await catalogue.load()
  return catalogue.import(rows, author.nowMs, {
    expectedRevision: proposal.baseRevision,
    entry: entryOf(action, proposal, author, { doubtful, modelsSkipped: skipped.size, announce }),
    before: rowsBefore(current, rows, changes),
    announcement: { models: announcedModels(current, rows), isWanted: announce },
    ...(proposal.replace === true ? { replace: true, kept: [...skipped] } : {}),
  })
}

/** Without a change there is nothing to write, to log or to undo. */
function unchanged(rows: readonly CatalogueRow[], nowMs: number): ImportReport {
  return {
    models: rows.length,
    offers: rows.flatMap(({ offers }) => offers).length,
    pricesAdded: 0,
    pricesWithdrawn: 0,
    unchanged: rows.flatMap(({ prices }) => prices).length,
    retired: rows.filter(({ retiresOn }) => retiresOn !== null && Date.parse(retiresOn) <= nowMs).length,
    unlisted: 0,
    announced: 0,
  }
}

/** Deletes the proposal. */
export async function rejectChanges(proposals: CatalogueProposals, id: string, author: ChangeAuthor): Promise<void> {
  const proposal = await readProposal(proposals, id)
  await proposals.reject(proposal.id, entryOf('catalogue.reject', proposal, author, {}), author.nowMs)
}

function entryOf(
  action: 'catalogue.approve' | 'catalogue.import' | 'catalogue.reject',
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
    `Changes that look like mistakes: ${doubted.length}. Confirm them (\`--confirm\`), or skip their models (\`--skip-doubtful\`):`,
    ...shown,
  ].join('\n')
  return new GatewayError('conflict', { message })
}
