import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import type { DialectCall } from './dialect.ts'

/**
 * What a model is asked to make. A conversation with a model that makes nothing but images is an order for an image,
 * and so is one whose client asked for images and reads their named events.
 */
export function purposeOf(call: DialectCall, model: Model, wantsEvents: boolean): PricedKind {
  if (call.media !== undefined) return call.media.task.kind
  if (model.kind === 'image') return 'image'
  return call.imageCount !== undefined && call.stream && wantsEvents ? 'image' : 'text'
}

/** How many images a conversation with this model will be answered with, at the most. */
export function imagesOrdered({ imageCount, choiceCount }: DialectCall, model: Model): number {
  return imageCount ?? (model.kind === 'image' ? choiceCount : 0)
}
