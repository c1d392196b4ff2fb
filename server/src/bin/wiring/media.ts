import type { Config } from '#config/config-schema.ts'
import { createImageHost } from '#control/media/image-host.ts'
import { createImageSource } from '#control/media/image-source.ts'
import { createImageTokens } from '#control/media/image-tokens.ts'
import { createOwnImages } from '#control/media/own-images.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { proxyEndpoint } from '#http/images/proxy-endpoint.ts'
import type { ImageHost, ImageSource, TemporaryFolders } from '#ports/media.ts'
import type { WiredStorage } from './storage.ts'

export interface WiredMedia {
  host: ImageHost
  source: ImageSource
  endpoints: Endpoint[]
}

/** Where images are kept and fetched from. */
export function wireMedia(needs: {
  config: Config
  storage: WiredStorage
  folders: TemporaryFolders
  nowMs: () => number
}): WiredMedia {
  const { config, folders, nowMs } = needs
  const { blobs, remote } = needs.storage
  const tokens = createImageTokens(config)
  const ownUrl = config.http.publicUrl
  return {
    host: createImageHost({ blobs, remote, tokens, folders, nowMs }),
    source: createImageSource({ remote: createOwnImages({ ownUrl, tokens, blobs, nowMs, others: remote }), folders }),
    endpoints: [proxyEndpoint({ tokens, blobs })],
  }
}
