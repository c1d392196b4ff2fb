import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import type { DialectCall } from './dialect.ts'

/**
 * What a model is asked to make. A conversation with a model that makes nothing but images is an order for an image, and so is
 * one whose caller reads the named events of images.
 */
export function purposeOf(call: DialectCall, model: Model, wantsEvents: boolean): PricedKind {
  if (call.media !== undefined) return call.media.task.kind
  if (call.imageCount === undefined) return 'text'
  return model.kind === 'image' || (call.stream && wantsEvents) ? 'image' : 'text'
}
