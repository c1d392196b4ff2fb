import type { Config } from '#config/config-schema.ts'
import { createImagePublisher } from '#control/media/image-publisher.ts'
import { createImageSource } from '#control/media/image-source.ts'
import { createImageTokens } from '#control/media/image-tokens.ts'
import { createOwnImages } from '#control/media/own-images.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { proxyEndpoint } from '#http/images/proxy-endpoint.ts'
import type { ImagePublisher, ImageSource, TemporaryFolders } from '#ports/media.ts'
import type { WiredStorage } from './storage.ts'

export interface WiredMedia {
  host: ImagePublisher
  source: ImageSource
  endpoints: Endpoint[]
}

/** Storage and download of images. */
export function wireMedia(deps: {
  config: Config
  storage: WiredStorage
  folders: TemporaryFolders
  nowMs: () => number
}): WiredMedia {
  const { config, folders, nowMs } = deps
  const { blobs, remote } = deps.storage
  const tokens = createImageTokens(config)
  const ownUrl = config.http.publicUrl
  return {
    host: createImagePublisher({ blobs, remote, tokens, folders, nowMs }),
    source: createImageSource({ remote: createOwnImages({ ownUrl, tokens, blobs, nowMs, others: remote }), folders }),
    endpoints: [proxyEndpoint({ tokens, blobs })],
  }
}
