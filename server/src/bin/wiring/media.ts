import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createImageHost } from '#control/media/image-host.ts'
import { createImageSource } from '#control/media/image-source.ts'
import { createImageTokens } from '#control/media/image-tokens.ts'
import { createOwnImages } from '#control/media/own-images.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { proxyEndpoint } from '#http/images/proxy-endpoint.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createGuardedUpstreams } from '#net/guarded-upstreams.ts'
import { createRemoteFiles } from '#net/remote-files.ts'
import type { ImageHost } from '#ports/image-host.ts'
import type { ImageSource } from '#ports/image-source.ts'
import type { TemporaryFolders } from '#ports/temporary-folders.ts'
import { wireBlobs } from './blobs.ts'
import type { Outside } from './own-keys.ts'

export interface WiredMedia {
  host: ImageHost
  source: ImageSource
  endpoints: Endpoint[]
  close(): Promise<void>
}

/** Where images are kept and fetched from. */
export function wireMedia(needs: {
  config: Config
  logger: Logger
  outside: Outside
  folders: TemporaryFolders
}): WiredMedia {
  const { config, logger, outside, folders } = needs
  const { connectTimeoutMs } = config.upstream
  const nowMs = Date.now
  const blobs = wireBlobs(config)
  const tokens = createImageTokens(config)
  const policy = egressPolicy(config.egress.allowedNetworks)
  const guard = createEgressGuard({ policy, resolve: outside.resolveHost, connectTimeoutMs })
  const onError = (error: unknown): void => logger.warn({ err: error }, 'a connection to fetch images broke')
  const upstreams = createGuardedUpstreams({ guard, connectTimeoutMs, connectionsMax: 64, onError })
  const remote = createRemoteFiles({ upstreams, judgeText: guard.judgeText, connectTimeoutMs })
  const ownUrl = config.http.publicUrl
  return {
    host: createImageHost({ blobs, remote, tokens, folders, nowMs }),
    source: createImageSource({ remote: createOwnImages({ ownUrl, tokens, blobs, nowMs, others: remote }), folders }),
    endpoints: [proxyEndpoint({ tokens, blobs })],
    close: async () => {
      await upstreams.close()
      await blobs.close()
    },
  }
}
