import type { Model } from '#domain/catalogue/model.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { DialectCall } from '../dialect.ts'
import { noImageInput } from '../refuse-unfit.ts'

/** Applies if the catalogue does not state the maximum number of images. */
export const countMaxDefault = 10

/** Rejects an image request that the model does not support at any provider. */
export function refuseUnfitModel({ media }: DialectCall, model: Model): void {
  assert(media?.task.kind === 'image', 'the images endpoints ask for images')
  refuseOtherKinds(model)
  const { count, inputs } = media.task
  const { countMax, inputsMax } = imageDetailsOf(model.details)
  const most = countMax ?? countMaxDefault
  if (count > most) {
    throw new GatewayError('invalidN', { message: `\`n\` must be at most ${most} for "${model.id}".` })
  }
  if (inputs.length > 0 && !model.inputModalities.includes('image')) throw noImageInput(model)
  if (inputsMax !== null && inputs.length > inputsMax) {
    throw new GatewayError('tooManyImages', {
      message: `"${model.id}" accepts at most ${inputsMax} input ${inputsMax === 1 ? 'image' : 'images'}, but this request has ${inputs.length}.`,
    })
  }
}

function refuseOtherKinds(model: Model): void {
  if (model.outputModalities.includes('image')) return
  if (model.kind === 'video' || model.outputModalities.includes('video')) {
    throw new GatewayError('wrongEndpointForVideo', { message: `"${model.id}" is a video model. Use POST /v1/videos.` })
  }
  throw new GatewayError('modelEndpointMismatch', {
    message: `"${model.id}" is not an image model. GET /v1/images/models lists image models.`,
  })
}
