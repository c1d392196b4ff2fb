import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import type { Part } from '../part.ts'

export interface CatalogueSyncDeps {
  /** Empty means that nothing is read. */
  readonly sources: readonly string[]
  readonly everyMs: number
  readonly propose: (sources: readonly string[]) => Promise<CatalogueProposal>
  readonly proposals: CatalogueProposals
  readonly log: Pick<Log, 'info' | 'warn'>
}

/**
 * Compares the catalogue with public sources and stores the difference for an operator. It never changes the catalogue.
 */
export function catalogueParts(deps: CatalogueSyncDeps): readonly Part[] {
  if (deps.sources.length === 0) return []
  return [{ name: 'catalogue', everyMs: deps.everyMs, run: () => compare(deps) }]
}

async function compare({ sources, propose, proposals, log }: CatalogueSyncDeps): Promise<void> {
  // An unavailable source is not a fault of the worker, and the next round is early enough.
  const proposal = await propose(sources).catch((error: unknown) => {
    log.warn({ sources, why: errorText(error) }, 'failed to read the catalogue sources')
    return null
  })
  if (proposal === null || proposal.changes.length === 0) return
  if (isKept(await proposals.find(), proposal)) return
  await proposals.put(proposal)
  const doubtful = proposal.changes.filter(({ doubt }) => doubt !== null).length
  const counts = { changes: proposal.changes.length, doubtful, disagreements: proposal.disagreements.length }
  log.info({ id: proposal.id, ...counts }, 'catalogue changes are pending approval')
}

/**
 * A pending proposal stays, because an operator may be reviewing it, unless it can no longer be approved or the sources
 * have changed.
 */
function isKept(waiting: CatalogueProposal | null, proposal: CatalogueProposal): boolean {
  if (waiting === null || waiting.baseRevision !== proposal.baseRevision) return false
  return waiting.sources.join('\n') !== proposal.sources.join('\n') || textOf(waiting) === textOf(proposal)
}

function textOf({ changes }: CatalogueProposal): string {
  return JSON.stringify(changes.map(({ model, what, where, from, to }) => [model, what, where, from, to]))
}
