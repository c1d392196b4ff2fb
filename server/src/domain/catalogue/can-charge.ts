import { isSpokenInTokens } from '#domain/media/speech.ts'
import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { isFreeEntry, type Model, type ModelKind } from './model.ts'

/**
 * Whether a price list covers a request of this purpose to the model. If not, the request is rejected, never served for
 * free.
 */
export function canCharge(model: Pick<Model, 'id' | 'kind' | 'author'>, list: PriceList, purpose: PricedKind): boolean {
  return isFreeEntry(model) || isPriced(list, purpose) || (isCountedInTokens(model, purpose) && isPriced(list, 'text'))
}

/** Chat models count images in their output tokens, and some speech models count audio in the same way. */
function isCountedInTokens(model: Pick<Model, 'kind' | 'author'>, purpose: PricedKind): boolean {
  return (purpose === 'image' && model.kind === 'chat') || (purpose === 'speech' && isSpokenInTokens(model))
}

/** Whether any provider of a model has a price in the units of its kind. */
export function isChargeable(model: Model): boolean {
  const purpose = purposeOfKind(model.kind)
  const lists = [model.price, ...model.offers.map(({ price }) => price)]
  return lists.some((list) => list !== null && canCharge(model, list, purpose))
}

export function purposeOfKind(kind: ModelKind): PricedKind {
  switch (kind) {
    case 'chat':
      return 'text'
    case 'image':
    case 'embedding':
    case 'moderation':
    case 'realtime':
    case 'rerank':
    case 'speech':
    case 'transcription':
    case 'video':
      return kind
  }
}
