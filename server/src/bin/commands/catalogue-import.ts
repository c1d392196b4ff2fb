import { countIncomplete, countPriced } from '#control/catalogue/count-priced.ts'
import { estimateImpact } from '#control/catalogue/import/estimate-impact.ts'
import { planImport } from '#control/catalogue/import/plan-import.ts'
import { planUndo, undoImport } from '#control/catalogue/import/undo-import.ts'
import { type ReadCatalogue, readCatalogueText } from '#control/catalogue/read-catalogue-text.ts'
import { applyProposal } from '#control/catalogue/sync/approve-changes.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { ImportReport } from '#ports/catalogue.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import { createCatalogueImports } from '#store/postgres/catalogue/catalogue-imports.sql.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createCatalogueProposals } from '#store/postgres/catalogue/proposals-store.ts'
import { createOfferUse } from '#store/postgres/usage/offer-use.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import type { Command, CommandOutput } from '../command-line/command.ts'
import { announceOptions, applyOptions, readAnnounce, readApplication } from '../command-line/apply-options.ts'
import { type Session, withSession } from '../command-line/session.ts'
import { customersToTell } from '../command-line/customers-to-tell.ts'
import { impactJson, impactLines } from '../command-line/shown-impact.ts'
import { shownProposal } from '../command-line/shown-proposal.ts'
import { readTextFile } from '../read-text-file.ts'
import { readStarterCatalogue, starterName } from '../starter-catalogue.ts'

export const catalogueImportCommands: readonly Command[] = [
  {
    words: 'catalogue import',
    summary:
      'Import models, offers and prices from a JSON file, or from the bundled one, in one transaction. Changed prices add a new version. Changes that look like mistakes need --confirm or --skip-doubtful.',
    positionals: ['file|starter'],
    options: {
      plan: {
        type: 'boolean',
        description: 'Show the changes and their effect on the last 30 days, and save them for approval.',
      },
      replace: {
        type: 'boolean',
        description: 'Treat the file as complete: unlist models it does not contain.',
      },
      ...applyOptions,
    },
    async run(input) {
      const name = input.argument(0)
      const { rows } = readCatalogue(name)
      const application = readApplication(input)
      return withSession(async (session) => {
        const nowMs = Date.now()
        const store = createCatalogueStore(session.pool)
        const catalogue = await store.load()
        const proposal = planImport(catalogue, { rows, name, replace: input.flag('replace') }, nowMs)
        if (input.flag('plan')) return showPlan(session, { catalogue, proposal, nowMs })
        const how = { ...application, action: 'catalogue.import' } as const
        return shownReport(rows, await applyProposal({ catalogue: store }, proposal, how, commandAuthor(nowMs)))
      })
    },
  },
  {
    words: 'catalogue undo',
    summary: 'Undo the last catalogue import or approval: restore its models, offers and prices as they were before.',
    options: {
      plan: { type: 'boolean', description: 'Only show the changes and their effect on the last 30 days.' },
      ...announceOptions,
    },
    run: (input) =>
      withSession(async ({ pool }) => {
        const nowMs = Date.now()
        const deps = { catalogue: createCatalogueStore(pool), imports: createCatalogueImports(pool) }
        if (!input.flag('plan'))
          return reportOf(await undoImport(deps, { announce: readAnnounce(input) }, commandAuthor(nowMs)))
        const { plan, current } = await planUndo(deps, nowMs)
        const uses = createOfferUse(pool)
        const impacts = await estimateImpact({ catalogue: current, uses }, plan, nowMs)
        const shown = shownProposal(plan, ['Nothing has changed yet. Apply with: weir catalogue undo'])
        const toTell = await customersToTell(pool, { catalogue: current, plan, nowMs })
        return { lines: [...shown.lines, ...impactLines(impacts), ...toTell.lines], data: impactJson(impacts) }
      }),
  },
]

/** Saves the changes, so that another person can approve exactly what this one has seen. */
async function showPlan(
  { pool }: Session,
  { catalogue, proposal, nowMs }: { catalogue: Catalogue; proposal: CatalogueProposal; nowMs: number },
): Promise<CommandOutput> {
  if (proposal.changes.length === 0) return shownProposal(proposal, ['The catalogue is up to date.'])
  const impacts = await estimateImpact({ catalogue, uses: createOfferUse(pool) }, proposal, nowMs)
  await createCatalogueProposals(pool).put(proposal)
  const toTell = await customersToTell(pool, { catalogue, plan: proposal, nowMs })
  const next = `Nothing has changed yet. Apply with: weir catalogue approve ${proposal.id}`
  const { lines } = shownProposal(proposal, [])
  const data = {
    id: proposal.id,
    changes: proposal.changes.map((change) => ({ ...change })),
    impact: impactJson(impacts),
    announcement: toTell.data,
  }
  return { lines: [...lines, ...impactLines(impacts), ...toTell.lines, '', next], data }
}

function shownReport(rows: readonly CatalogueRow[], report: ImportReport): CommandOutput {
  const priced = countPriced(rows)
  const { prices, incomplete } = countIncomplete(rows)
  const lines = [
    ...reportLines(report),
    ...priced.map((each) => `priced ${each.kind}: ${each.priced} of ${each.models}`),
    ...(incomplete > 0 ? [`chat prices without cache_read: ${incomplete} of ${prices}`] : []),
  ]
  return { lines, data: { ...report, priced: priced.map((each) => ({ ...each })), incomplete } }
}

function reportOf(report: ImportReport): CommandOutput {
  return { lines: reportLines(report), data: { ...report } }
}

function reportLines(report: ImportReport): string[] {
  return Object.entries(report).map(([name, count]) => `${name}: ${count}`)
}

function readCatalogue(name: string): ReadCatalogue {
  if (name === starterName) return readStarterCatalogue()
  return readCatalogueText(readTextFile(name, { what: 'The file' }))
}
