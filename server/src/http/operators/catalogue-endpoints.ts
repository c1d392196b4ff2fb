import { listPastPrices, listSoldOffers } from '#control/catalogue/sold-prices.ts'
import { isChargeable } from '#domain/catalogue/can-charge.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { formatDiscount } from '#domain/money/discount.ts'
import { quotePrices, type QuotedPrice } from '#domain/money/quote-prices.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { rawJsonNumber } from '#lib/raw-json.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import type { Operators } from '#ports/operators.ts'
import type { Endpoint } from '../endpoint.ts'
import { limitOf, textOf } from '../request-values.ts'
import { modelListSchema, modelQuerySchema, modelsQuerySchema, soldModelSchema } from './catalogue-schema.ts'

interface CatalogueEndpointDeps {
  readonly catalogue: () => Catalogue
  readonly store: Pick<CatalogueStore, 'priceHistory'>
  readonly operators: Pick<Operators, 'listAccounts'>
}

const common = { tag: 'Operators', access: 'operators.providers.read', method: 'GET' } as const

/** The models that this process has loaded, also unlisted ones, with their prices and what the operator pays. */
export function catalogueEndpoints(deps: CatalogueEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), modelEndpoint(deps)]
}

function listEndpoint({ catalogue }: CatalogueEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'listCatalogueModels',
    paths: ['/api/admin/catalogue/models'],
    summary: 'List the models of the catalogue',
    query: modelsQuerySchema,
    reply: { status: 200, description: 'A page of models, sorted by ID.', schema: modelListSchema },
    errors: ['malformedRequest'],
    handle: async ({ query, nowMs }) => {
      const limit = limitOf(query, { fallback: 50, max: 200 })
      const [words, after] = [textOf(query, 'q')?.toLowerCase() ?? '', textOf(query, 'after') ?? '']
      const found = [...catalogue().models.values()]
        .filter(({ id, name }) => id > after && (id.includes(words) || name.toLowerCase().includes(words)))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      const page = found.slice(0, limit)
      return {
        body: {
          data: page.map((model) => renderListed(model, nowMs)),
          next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
        },
      }
    },
  }
}

function modelEndpoint({ catalogue, store, operators }: CatalogueEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'getCatalogueModel',
    paths: ['/api/admin/catalogue/model'],
    summary: 'Get a model with its prices and their history',
    query: modelQuerySchema,
    reply: { status: 200, description: 'The model, its offers and every price it ever had.', schema: soldModelSchema },
    errors: ['malformedRequest', 'modelNotFound'],
    handle: async ({ query, nowMs }) => {
      const name = textOf(query, 'model')
      if (name === null) throw malformed('Set the query parameter model.')
      const model = findModel(catalogue(), name)
      if (model === undefined) throw new GatewayError('modelNotFound', { message: `Model ${name} not found.` })
      const [offers, history] = await Promise.all([listSoldOffers(model, operators), listPastPrices(store, model.id)])
      return {
        body: {
          data: {
            ...renderListed(model, nowMs),
            offers: offers.map(({ upstreamModel, prices, purchase, accounts, ...offer }) => ({
              ...offer,
              upstream_model: upstreamModel,
              prices: prices.map(renderQuoted),
              purchase: purchase?.map(renderQuoted) ?? null,
              accounts: accounts.map((account) => ({
                name: account.name,
                enabled: account.enabled,
                discount_percent: rawJsonNumber(formatDiscount(account.discountPpm)),
              })),
            })),
            history: history.map(({ fromMs, prices, ...price }) => {
              return { ...price, from: new Date(fromMs).toISOString(), prices: prices.map(renderQuoted) }
            }),
          },
        },
      }
    },
  }
}

function renderListed(model: Model, nowMs: number): JsonObject {
  const { id, name, kind, defaultProvider, price, listed, retiresAtMs } = model
  return {
    id,
    name,
    kind,
    state: lifeCycleAt(model, nowMs) === 'retired' ? 'retired' : listed ? 'listed' : 'unlisted',
    retires_at: retiresAtMs === null ? null : new Date(retiresAtMs).toISOString(),
    default_provider: defaultProvider,
    providers: [...new Set(model.offers.map(({ provider }) => provider))],
    priced: isChargeable(model),
    prices: price === null ? [] : quotePrices(price).map(renderQuoted),
  }
}

function renderQuoted({ unit, usd, isPerMillion, when }: QuotedPrice): JsonObject {
  return { unit, usd, per: isPerMillion ? 'million' : 'one', when }
}
