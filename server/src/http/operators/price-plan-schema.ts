import { Type } from 'typebox'
import type { Impact } from '#control/catalogue/import/estimate-impact.ts'
import type { Doubtful } from '#control/catalogue/sync/approve-changes.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ImportReport } from '#ports/catalogue.ts'
import type { CatalogueProposal } from '#ports/catalogue-proposals.ts'
import type { CustomerName } from '#ports/customers.ts'
import type { OfferCustomer } from '#ports/offer-use.ts'
import { customerNameSchema } from '../customers/customer-schema.ts'
import { optionalText, optionalUsd, usd } from '../schema-types.ts'

interface PlanEffect {
  readonly impacts: readonly Impact[]
  readonly affected: readonly OfferCustomer[]
  readonly names: ReadonlyMap<Uuid, CustomerName>
  readonly toTell: { readonly models: number; readonly customers: number }
  readonly isStale: boolean
}

export function renderPlan(
  plan: CatalogueProposal,
  { impacts, affected, names, toTell, isStale }: PlanEffect,
): JsonObject {
  return {
    id: plan.id,
    planned_at: new Date(plan.proposedAtMs).toISOString(),
    sources: [...plan.sources],
    stale: isStale,
    changes: plan.changes.map((change) => ({ ...change })),
    announcement: { ...toTell },
    impact: impacts.map(({ model, provider, requests, customers, charged, wouldBe }) => ({
      model,
      provider,
      requests,
      customers,
      charged: usdJson(charged),
      would_be: wouldBe === null ? null : usdJson(wouldBe),
    })),
    customers: affected.map(({ walletId, requests, charged, models }) => {
      const customer = names.get(walletId)
      return {
        wallet_id: walletId,
        customer: customer === undefined ? null : { kind: customer.kind, id: customer.id, name: customer.name },
        requests,
        charged: usdJson(charged),
        models: [...models],
      }
    }),
  }
}

export function renderReport(report: ImportReport): JsonObject {
  return {
    models: report.models,
    offers: report.offers,
    prices_added: report.pricesAdded,
    prices_withdrawn: report.pricesWithdrawn,
    unlisted: report.unlisted,
    models_announced: report.announced,
  }
}

export function parseDoubtful(text: string): Doubtful {
  if (text === 'refuse' || text === 'skip' || text === 'confirm') return text
  throw malformed('doubtful must be refuse, skip or confirm.')
}

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const change = Type.Object(
  {
    model: Type.String(),
    what: Type.Enum(['model', 'offer', 'price', 'purchase', 'limit', 'retirement', 'field']),
    where: Type.String({ description: 'The offer, price, limit or field that changes.' }),
    from: optionalText('Value before the change. Prices are in USD per unit. Null if there was none.'),
    to: optionalText('Value after the change. Null if there is none.'),
    doubt: optionalText('Why the change looks like a mistake. Null if it does not.'),
  },
  { $id: 'CatalogueChange' },
)

const impact = Type.Object({
  model: Type.String(),
  provider: Type.String(),
  requests: Type.Integer(),
  customers: Type.Integer(),
  charged: usd('Charges of the last 30 days'),
  would_be: optionalUsd('About what the same requests would cost at the new price, or null if the price is withdrawn'),
})

const affected = Type.Object({
  wallet_id: Type.String({ format: 'uuid' }),
  customer: customerNameSchema,
  requests: Type.Integer(),
  charged: usd('Charges of the last 30 days at prices that change'),
  models: Type.Array(Type.String()),
})

const plan = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    planned_at: Type.String({ format: 'date-time' }),
    sources: Type.Array(Type.String()),
    stale: Type.Boolean({ description: 'Whether the catalogue has changed since. A stale plan cannot be applied.' }),
    changes: Type.Array(change),
    announcement: Type.Object(
      {
        models: Type.Integer({ description: 'Models with changed prices or another retirement date.' }),
        customers: Type.Integer({ description: 'Customers that used one of these models in the last 30 days.' }),
      },
      { description: 'Whom applying the plan tells, by email and in the console.' },
    ),
    impact: Type.Array(impact, {
      description: 'Requests of the last 30 days at prices that change, the highest charges first.',
    }),
    customers: Type.Array(affected, { description: 'The customers of these requests, at most 100.' }),
  },
  { $id: 'PricePlan' },
)

export const planSchema = Type.Object({ data: nullable(plan) })

export const undoPlanSchema = Type.Object({
  data: nullable(
    Type.Object({
      import_id: Type.String({ format: 'uuid' }),
      imported_at: Type.String({ format: 'date-time' }),
      plan,
    }),
  ),
})

export const newPlanSchema = Type.Object({
  file: Type.String({ description: 'Text of a catalogue file.' }),
  name: Type.Optional(Type.String({ description: 'Name of the file, for the audit log.' })),
  replace: Type.Optional(Type.Boolean({ description: 'Unlist models that the file does not contain.' })),
})

const announce = Type.Optional(
  Type.Boolean({
    description:
      'Whether to tell customers about changed prices and retirement dates of models that they used in the last 30 days. Defaults to true.',
  }),
)

const planId = Type.String({ description: 'ID of the plan that the operator has seen.' })

export const rejectionSchema = Type.Object({ planId })

export const approvalSchema = Type.Object({
  planId,
  doubtful: Type.Optional(
    Type.Enum(['refuse', 'skip', 'confirm'], {
      description:
        'What to do with changes that look like mistakes: reject the request, skip their models, or apply them. Defaults to `refuse`.',
    }),
  ),
  announce,
})

export const undoSchema = Type.Object({
  importId: Type.String({ description: '`import_id` of the import to undo. It must still be the last one.' }),
  announce,
})

export const reportSchema = Type.Object({
  data: Type.Object(
    {
      models: Type.Integer(),
      offers: Type.Integer({ description: 'Active offers of these models.' }),
      prices_added: Type.Integer(),
      prices_withdrawn: Type.Integer(),
      unlisted: Type.Integer(),
      models_announced: Type.Integer({ description: 'Models whose customers a worker tells about the change.' }),
    },
    { $id: 'ImportReport' },
  ),
})
