import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import { modalityOf } from '#domain/catalogue/modality.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { stringAt } from '#lib/json.ts'
import type { Architecture, ModelView } from './model-schema.ts'
import { renderPricing, renderPricingTiers, renderPricingVariants } from './render-pricing.ts'

/** A model as listings show it. It must not be retired. The availability comes last, which listings rely on. */
export function renderModel(model: Model, nowMs: number, isAvailable: boolean): ModelView {
  const tiers = renderPricingTiers(model.price)
  const variants = renderPricingVariants(model, model.price)
  return {
    id: model.id,
    canonical_slug: stringAt(model.details, 'canonical_slug') ?? model.id,
    object: 'model',
    type: 'model',
    name: model.name,
    display_name: model.name,
    owned_by: model.author,
    created: createdSecondsOf(model),
    description: model.description,
    context_length: model.contextLength,
    modality: modalityOf(model),
    architecture: renderArchitecture(model),
    pricing: renderPricing(model, model.price),
    priced: isChargeable(model),
    ...(tiers === undefined ? {} : { pricing_tiers: tiers }),
    ...(variants === undefined ? {} : { pricing_variants: variants }),
    top_provider: {
      context_length: model.contextLength,
      ...(model.maxCompletionTokens === null ? {} : { max_completion_tokens: model.maxCompletionTokens }),
      is_moderated: false,
    },
    ...(model.supportedParameters === null ? {} : { supported_parameters: [...model.supportedParameters] }),
    per_request_limits: null,
    default_parameters: null,
    supported_voices: voicesOf(model),
    knowledge_cutoff: stringAt(model.details, 'knowledge_cutoff') ?? null,
    status: lifeCycleAt(model, nowMs) === 'end-of-life' ? 'end-of-life' : 'active',
    expiration_date: model.retiresAtMs === null ? null : new Date(model.retiresAtMs).toISOString().slice(0, 10),
    links: { details: `/api/v1/models/${model.id}/endpoints` },
    available: isAvailable,
  }
}

export function renderArchitecture(model: Model): Architecture {
  return {
    modality: modalityOf(model),
    input_modalities: [...model.inputModalities],
    output_modalities: [...model.outputModalities],
    tokenizer: stringAt(model.details, 'tokenizer') ?? null,
    instruct_type: null,
  }
}

export function createdSecondsOf(model: Model): number {
  return model.releasedAtMs === null ? 0 : Math.floor(model.releasedAtMs / 1000)
}

function voicesOf(model: Model): string[] | null {
  const voices = model.details['supported_voices']
  return Array.isArray(voices) ? voices.filter((voice) => typeof voice === 'string') : null
}
