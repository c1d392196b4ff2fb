import type { ImageTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** How many images a host's model starts from. */
export interface InputLimits {
  readonly least?: number
  readonly most: number
}

/** Refuses, before anybody is asked, what this host could only refuse; another may take it. */
export function refuseInputs({ inputs }: ImageTask, { least = 0, most }: InputLimits): void {
  if (inputs.length < least) {
    throw new GatewayError('missingImage', { message: 'This model changes an image, and there is none to start from.' })
  }
  if (inputs.length <= most) return
  if (most === 0) {
    throw new GatewayError('inputImagesNotSupported', { message: 'This model makes images from words alone.' })
  }
  throw new GatewayError('tooManyImages', {
    message: `This model starts from at most ${most} ${most === 1 ? 'image' : 'images'}.`,
  })
}
