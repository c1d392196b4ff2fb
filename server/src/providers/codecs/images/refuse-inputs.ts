import type { ImageTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** The number of input images of an upstream's model. */
export interface InputLimits {
  readonly least?: number
  readonly most: number
}

/** Rejects inputs that this upstream would reject. Another upstream may accept them. */
export function refuseInputs({ inputs }: ImageTask, { least = 0, most }: InputLimits): void {
  if (inputs.length < least) {
    throw new GatewayError('missingImage', { message: 'This model edits images. Send an input image.' })
  }
  if (inputs.length <= most) return
  if (most === 0) {
    throw new GatewayError('inputImagesNotSupported', {
      message: 'This model does not accept input images. Send a text prompt only.',
    })
  }
  throw new GatewayError('tooManyImages', {
    message: `This model accepts at most ${most} input ${most === 1 ? 'image' : 'images'}.`,
  })
}
