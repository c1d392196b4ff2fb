import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import type { DialectCall } from './dialect.ts'

/**
 * The kind of output that a request asks for. A conversation with an image-only model counts as an image request, and
 * so does a conversation whose client asked for images and reads their named events.
 */
export function purposeOf(call: DialectCall, model: Model, wantsEvents: boolean): PricedKind {
  if (call.media !== undefined) return call.media.task.kind
  if (model.kind === 'image') return 'image'
  return call.imageCount !== undefined && call.stream && wantsEvents ? 'image' : 'text'
}

/** The maximum number of images that a conversation with this model can return. */
export function imagesOrdered({ imageCount, choiceCount }: DialectCall, model: Model): number {
  return imageCount ?? (model.kind === 'image' ? choiceCount : 0)
}
