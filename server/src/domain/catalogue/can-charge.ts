import { isSpokenInTokens } from '#domain/media/speech.ts'
import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { isFreeEntry, type Model, type ModelKind } from './model.ts'

/** Whether a list says what such a request to the model costs. Without that it is refused, never given away. */
export function canCharge(model: Pick<Model, 'id' | 'kind' | 'author'>, list: PriceList, purpose: PricedKind): boolean {
  return isFreeEntry(model) || isPriced(list, purpose) || (isCountedInTokens(model, purpose) && isPriced(list, 'text'))
}

/** Models that talk count what they draw among the tokens of their answer, and some that speak count their sound so. */
function isCountedInTokens(model: Pick<Model, 'kind' | 'author'>, purpose: PricedKind): boolean {
  return (purpose === 'image' && model.kind === 'chat') || (purpose === 'speech' && isSpokenInTokens(model))
}

/** Whether any host of a model has a price in units that such a model is counted in. */
export function isChargeable(model: Model): boolean {
  const purpose = purposeOfKind(model.kind)
  const lists = [model.price, ...model.offers.map(({ price }) => price)]
  return lists.some((list) => list !== null && (purpose === null || canCharge(model, list, purpose)))
}

/** What a model of a kind is called for; null where there is no call for it. */
export function purposeOfKind(kind: ModelKind): PricedKind | null {
  switch (kind) {
    case 'chat':
      return 'text'
    case 'image':
    case 'embedding':
    case 'speech':
    case 'transcription':
    case 'video':
      return kind
    case 'rerank':
    case 'realtime':
      return null
  }
}
