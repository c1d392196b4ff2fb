import type { Pool, PoolClient } from 'pg'
import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import type { StatedPrice } from '#domain/catalogue/catalogue-row.ts'
import type { Model, Offer } from '#domain/catalogue/model.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { readCatalogueRevision, type RevisionRow } from '../revisions.sql.ts'
import { inTransaction } from '../with-client.ts'
import {
  selectCurrentPrices,
  type SelectedModel,
  type SelectedOffer,
  type SelectedPrice,
  selectModels,
  selectOffers,
} from './catalogue.sql.ts'

/** Reads revision, models, offers and prices in one snapshot, so that a catalogue never mixes two imports. */
export function loadCatalogue(pool: Pool): Promise<Catalogue> {
  return inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) => {
    const [revision] = await rowsOf<RevisionRow>(client, readCatalogueRevision)
    const models = await rowsOf<SelectedModel>(client, selectModels)
    const offers = await rowsOf<SelectedOffer>(client, selectOffers)
    const prices = await rowsOf<SelectedPrice>(client, selectCurrentPrices)
    return assemble(revision?.revision ?? 0, { models, offers, prices })
  })
}

async function rowsOf<Row extends object>(client: PoolClient, statement: string): Promise<Row[]> {
  return (await client.query<Row>(statement)).rows
}

interface Selected {
  models: readonly SelectedModel[]
  offers: readonly SelectedOffer[]
  prices: readonly SelectedPrice[]
}

function assemble(revision: number, selected: Selected): Catalogue {
  const prices = new Map(selected.prices.map((price) => [priceKey(price), priceListOf(price)]))
  const offersByModel = new Map<string, Offer[]>()
  for (const offer of selected.offers) {
    const offers = offersByModel.get(offer.model_id) ?? []
    offers.push(offerOf(offer, prices.get(priceKey(offer)) ?? null))
    offersByModel.set(offer.model_id, offers)
  }
  const models = selected.models.map((model) =>
    modelOf(
      model,
      prices.get(priceKey({ model_id: model.id, provider: model.default_provider ?? '', variant: '' })) ?? null,
      offersByModel.get(model.id) ?? [],
    ),
  )
  return buildCatalogue(revision, models)
}

function priceKey(price: { model_id: string; provider: string; variant: string }): string {
  return `${price.model_id}\n${price.provider}\n${price.variant}`
}

function priceListOf(price: StatedPrice & { id: string }): PriceList | null {
  if (Object.keys(price.units).length === 0 && (price.rules ?? []).length === 0) return null
  return parsePrice(price)
}

function offerOf(offer: SelectedOffer, price: PriceList | null): Offer {
  return {
    provider: offer.provider,
    variant: offer.variant,
    upstreamModel: offer.upstream_model,
    contextLength: offer.context_length,
    maxCompletionTokens: offer.max_completion_tokens,
    quantization: offer.quantization,
    ...(offer.api === null ? {} : { api: offer.api }),
    price,
    ...(offer.purchase === null ? {} : { purchase: parsePrice({ id: 'purchase', ...offer.purchase }) }),
  }
}

function modelOf(model: SelectedModel, price: PriceList | null, offers: readonly Offer[]): Model {
  return {
    id: model.id,
    name: model.name,
    author: model.author,
    kind: model.kind,
    description: model.description,
    contextLength: model.context_length,
    maxCompletionTokens: model.max_completion_tokens,
    inputModalities: model.input_modalities,
    outputModalities: model.output_modalities,
    supportedParameters: model.supported_parameters,
    defaultProvider: model.default_provider,
    upstreamModel: model.upstream_model,
    aliases: model.aliases,
    releasedAtMs: model.released_at_ms,
    retiresAtMs: model.retires_at_ms,
    listed: model.listed,
    details: model.details,
    price,
    offers,
  }
}
