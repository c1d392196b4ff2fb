import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { MediaCodec } from '#providers/codecs/codec.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { ignoredFields } from '#providers/codecs/images/known-extras.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { bareModel } from '#providers/protocols/bedrock/bare-model.ts'
import { amazonExtras, makeAmazonImages } from './amazon-images.ts'
import { findOperation } from './stability-operations.ts'
import { makeStableImages, stableExtras } from './stability-images.ts'

/** Images of Amazon's and Stability's models, each in its maker's format. */
export const bedrockImages: MediaCodec<ImageTask, ImageResult> = {
  ignored: (task, target) => ignoredFields(task, makerOf(target).extras),
  converse: (task, target) => makerOf(target).make(task, target),
}

interface Maker {
  readonly extras: readonly string[]
  make(task: ImageTask, target: MediaTarget): ExchangeScript<ImageResult>
}

function makerOf({ upstreamModel, model }: MediaTarget): Maker {
  const name = bareModel(upstreamModel, model) ?? ''
  if (/nova-canvas|titan-image/.test(name)) {
    return { extras: amazonExtras, make: (task, target) => makeAmazonImages(task, target, name) }
  }
  const operation = findOperation(name)
  if (operation !== undefined) {
    return { extras: stableExtras(operation), make: (task, target) => makeStableImages(task, target, operation) }
  }
  throw new GatewayError('modelEndpointMismatch', { message: 'This provider does not support images with this model.' })
}
