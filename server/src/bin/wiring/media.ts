import { GatewayError } from '#errors/gateway-error.ts'
import type { ImageHost } from '#ports/image-host.ts'
import type { ImageSource } from '#ports/image-source.ts'

export interface WiredMedia {
  host: ImageHost
  source: ImageSource
}

/** Where images are kept and fetched from. */
export function wireMedia(): WiredMedia {
  return {
    host: {
      host: async () => {
        throw new GatewayError('pipelineError', { message: 'Images can not be kept yet.' })
      },
    },
    source: {
      fetch: async () => {
        throw new GatewayError('invalidImageUrl', { message: 'Images can not be fetched yet.' })
      },
    },
  }
}
