import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { isFreeEntry, type Model, type ModelKind } from './model.ts'

/** Whether a list says what such a request to the model costs. Without that it is refused, never given away. */
export function canCharge(model: Pick<Model, 'id' | 'kind'>, list: PriceList, purpose: PricedKind): boolean {
  if (isFreeEntry(model) || isPriced(list, purpose)) return true
  // Models that talk count what they draw among the tokens of their answer.
  return purpose === 'image' && model.kind === 'chat' && isPriced(list, 'text')
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
