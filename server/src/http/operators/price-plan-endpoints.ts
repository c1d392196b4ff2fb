import { announcedModels } from '#control/catalogue/announcements/announced-models.ts'
import { estimateImpact, listAffected } from '#control/catalogue/import/estimate-impact.ts'
import { planImport } from '#control/catalogue/import/plan-import.ts'
import { planUndo, undoImport } from '#control/catalogue/import/undo-import.ts'
import { readCatalogueText } from '#control/catalogue/read-catalogue-text.ts'
import { approveChanges, rejectChanges } from '#control/catalogue/sync/approve-changes.ts'
import { createFieldReader } from '#control/read-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Announcements } from '#ports/announcements.ts'
import type { CatalogueImports, CatalogueStore } from '#ports/catalogue.ts'
import type { CatalogueProposal, CatalogueProposals } from '#ports/catalogue-proposals.ts'
import type { Customers } from '#ports/customers.ts'
import type { OfferUseReads } from '#ports/offer-use.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  approvalSchema,
  newPlanSchema,
  parseDoubtful,
  planSchema,
  rejectionSchema,
  renderPlan,
  renderReport,
  reportSchema,
  undoPlanSchema,
  undoSchema,
} from './price-plan-schema.ts'

interface PricePlanDeps {
  readonly catalogue: CatalogueStore
  readonly proposals: CatalogueProposals
  readonly imports: CatalogueImports
  readonly uses: OfferUseReads
  readonly customers: Pick<Customers, 'nameWallets'>
  readonly announcements: Pick<Announcements, 'countCustomers'>
}

const common = { tag: 'Operators', access: 'operators.catalogue' } as const
const seen = { ...common, access: 'operators.providers.read', method: 'GET' } as const

/** Changes of models and prices: planned, approved, rejected and undone with the functions of `weir catalogue`. */
export function pricePlanEndpoints(deps: PricePlanDeps): Endpoint[] {
  return [
    readEndpoint(deps),
    createEndpoint(deps),
    approveEndpoint(deps),
    rejectEndpoint(deps),
    readUndoEndpoint(deps),
    undoEndpoint(deps),
  ]
}

/** A plan with its effect on the last 30 days, the customers by name, and how many of them would be told. */
async function describe(deps: PricePlanDeps, plan: CatalogueProposal, nowMs: number): Promise<JsonObject> {
  const catalogue = await deps.catalogue.load()
  const impacts = await estimateImpact({ catalogue, uses: deps.uses }, plan, nowMs)
  const affected = await listAffected(deps.uses, impacts, nowMs)
  const names = await deps.customers.nameWallets(affected.map(({ walletId }) => walletId))
  const models = announcedModels(catalogue, plan.rows).map(({ id }) => id)
  const toTell = { models: models.length, customers: await deps.announcements.countCustomers(models, nowMs) }
  return renderPlan(plan, { impacts, affected, names, toTell, isStale: plan.baseRevision !== catalogue.revision })
}

function readEndpoint(deps: PricePlanDeps): Endpoint {
  return {
    ...seen,
    name: 'getPricePlan',
    paths: ['/api/admin/catalogue/plan'],
    summary: 'Get the planned catalogue changes',
    description: 'There is at most one plan: a new one replaces it.',
    reply: { status: 200, description: 'The plan with its effect on the last 30 days, or null.', schema: planSchema },
    handle: async ({ nowMs }) => {
      const plan = await deps.proposals.find()
      return { body: { data: plan === null ? null : await describe(deps, plan, nowMs) } }
    },
  }
}

function createEndpoint(deps: PricePlanDeps): Endpoint {
  return {
    ...common,
    name: 'createPricePlan',
    method: 'POST',
    paths: ['/api/admin/catalogue/plan'],
    summary: 'Plan catalogue changes from a file',
    description: 'Compares the file with the catalogue, like `weir catalogue import --plan`. Nothing changes yet.',
    body: newPlanSchema,
    reply: { status: 201, description: 'The plan. Null if the catalogue is up to date.', schema: planSchema },
    errors: ['missingRequiredField'],
    handle: async ({ body, nowMs }) => {
      const reader = createFieldReader(body)
      const { rows } = readCatalogueText(reader.requiredText('file'))
      const name = reader.text('name') ?? 'upload'
      const replace = reader.flag('replace') ?? false
      const plan = planImport(await deps.catalogue.load(), { rows, name, replace }, nowMs)
      if (plan.changes.length === 0) return { body: { data: null } }
      await deps.proposals.put(plan)
      return { body: { data: await describe(deps, plan, nowMs) } }
    },
  }
}

function approveEndpoint(deps: PricePlanDeps): Endpoint {
  return {
    ...common,
    name: 'approvePricePlan',
    method: 'POST',
    paths: ['/api/admin/catalogue/plan/approve'],
    summary: 'Apply the planned catalogue changes',
    body: approvalSchema,
    reply: { status: 200, description: 'What was changed. Gateways load it within a second.', schema: reportSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const approval = {
        id: reader.requiredText('planId'),
        doubtful: parseDoubtful(reader.text('doubtful') ?? 'refuse'),
        announce: reader.flag('announce') ?? true,
      }
      return { body: { data: renderReport(await approveChanges(deps, approval, changeAuthorOf(request))) } }
    },
  }
}

function rejectEndpoint({ proposals }: PricePlanDeps): Endpoint {
  return {
    ...common,
    name: 'rejectPricePlan',
    method: 'POST',
    paths: ['/api/admin/catalogue/plan/reject'],
    summary: 'Discard the planned catalogue changes',
    body: rejectionSchema,
    reply: { status: 204, description: 'The plan was discarded.', schema: {} },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => {
      const planId = createFieldReader(request.body).requiredText('planId')
      await rejectChanges(proposals, planId, changeAuthorOf(request))
      return {}
    },
  }
}

function readUndoEndpoint(deps: PricePlanDeps): Endpoint {
  return {
    ...seen,
    name: 'getCatalogueUndo',
    paths: ['/api/admin/catalogue/undo'],
    summary: 'Show what undoing the last import would change',
    reply: {
      status: 200,
      description: 'The last import, and the changes that undo it. Null if there is none.',
      schema: undoPlanSchema,
    },
    errors: ['conflict'],
    handle: async ({ nowMs }) => {
      if ((await deps.imports.findLast()) === null) return { body: { data: null } }
      const { past, plan } = await planUndo(deps, nowMs)
      const imported = new Date(past.importedAtMs).toISOString()
      return { body: { data: { import_id: past.id, imported_at: imported, plan: await describe(deps, plan, nowMs) } } }
    },
  }
}

function undoEndpoint(deps: PricePlanDeps): Endpoint {
  return {
    ...common,
    name: 'undoCatalogueImport',
    method: 'POST',
    paths: ['/api/admin/catalogue/undo'],
    summary: 'Undo the last import',
    description: 'Restores models, offers and prices as they were before the last import or approval.',
    body: undoSchema,
    reply: { status: 200, description: 'What was restored.', schema: reportSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const wish = { seenId: reader.requiredText('importId'), announce: reader.flag('announce') ?? true }
      return { body: { data: renderReport(await undoImport(deps, wish, changeAuthorOf(request))) } }
    },
  }
}
