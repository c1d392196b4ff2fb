import type { Model, Offer } from '#domain/catalogue/model.ts'
import type { Measured } from '#domain/routing/measurements.ts'
import type { ModelOffersView } from './model-schema.ts'
import { createdSecondsOf, renderArchitecture } from './render-model.ts'
import { renderPricing } from './render-pricing.ts'

type Measure = (host: { readonly vendor: string; readonly model: string }) => Measured

/** A model with all its providers. Prices are per million, as in the listing. */
export function renderModelOffers(
  model: Model,
  measure: Measure,
  hasAccount: (vendor: string) => boolean,
): ModelOffersView {
  return {
    data: {
      id: model.id,
      name: model.name,
      created: createdSecondsOf(model),
      description: model.description,
      architecture: renderArchitecture(model),
      endpoints: model.offers.map((offer) => ({
        ...renderOffer(model, offer, measure({ vendor: offer.provider, model: model.id })),
        status: hasAccount(offer.provider) ? inService : withoutAccount,
      })),
    },
  }
}

const inService = 0
const withoutAccount = -1

type OfferView = ModelOffersView['data']['endpoints'][number]

function renderOffer(model: Model, offer: Offer, measured: Measured): Omit<OfferView, 'status'> {
  const tag = offer.variant === '' ? offer.provider : `${offer.provider}/${offer.variant}`
  return {
    name: `${tag} | ${model.id}`,
    provider_name: offer.provider,
    tag,
    context_length: offer.contextLength ?? model.contextLength,
    max_completion_tokens: offer.maxCompletionTokens ?? model.maxCompletionTokens,
    // A provider without its own price is charged at the model's.
    pricing: renderPricing(model, offer.price ?? model.price),
    quantization: offer.quantization,
    supported_parameters: [...(model.supportedParameters ?? [])],
    latency_ms: figures(measured.latencyMs),
    tokens_per_second: figures(measured.tokensPerSecond),
  }
}

function figures(measured: Measured['latencyMs']): { median: number; p95: number } | null {
  return measured === null ? null : { median: tenths(measured.median), p95: tenths(measured.p95) }
}

function tenths(figure: number): number {
  return Math.round(figure * 10) / 10
}
