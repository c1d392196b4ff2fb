import type { Model, Offer } from '#domain/catalogue/model.ts'
import type { ModelOffersView } from './model-schema.ts'
import { createdSecondsOf, renderArchitecture } from './render-model.ts'
import { renderPricing } from './render-pricing.ts'

/** A model with every host that sells it. Prices are per million, as in the listing. */
export function renderModelOffers(model: Model): ModelOffersView {
  return {
    data: {
      id: model.id,
      name: model.name,
      created: createdSecondsOf(model),
      description: model.description,
      architecture: renderArchitecture(model),
      endpoints: model.offers.map((offer) => renderOffer(model, offer)),
    },
  }
}

function renderOffer(model: Model, offer: Offer): ModelOffersView['data']['endpoints'][number] {
  const tag = offer.variant === '' ? offer.provider : `${offer.provider}/${offer.variant}`
  return {
    name: `${tag} | ${model.id}`,
    provider_name: offer.provider,
    tag,
    context_length: offer.contextLength ?? model.contextLength,
    max_completion_tokens: offer.maxCompletionTokens ?? model.maxCompletionTokens,
    // A host without a price of its own is charged at the model's.
    pricing: renderPricing(offer.price ?? model.price),
    quantization: offer.quantization,
    supported_parameters: [...(model.supportedParameters ?? [])],
    status: 0,
  }
}
