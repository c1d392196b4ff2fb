import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createImageHost } from '#control/media/image-host.ts'
import { createImageTokens } from '#control/media/image-tokens.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { proxyEndpoint } from '#http/images/proxy-endpoint.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createGuardedUpstreams } from '#net/guarded-upstreams.ts'
import { createRemoteFiles } from '#net/remote-files.ts'
import type { ImageHost } from '#ports/image-host.ts'
import type { ImageSource } from '#ports/image-source.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import type { Outside } from './own-keys.ts'

export interface WiredMedia {
  host: ImageHost
  source: ImageSource
  endpoints: Endpoint[]
  close(): Promise<void>
}

/** Where images are kept and fetched from. */
export function wireMedia({
  config,
  logger,
  outside,
}: {
  config: Config
  logger: Logger
  outside: Outside
}): WiredMedia {
  const { connectTimeoutMs } = config.upstream
  const blobs = createFileBlobs(config.blobs.folder ?? join(config.dataDir, 'blobs'))
  const tokens = createImageTokens(config)
  const policy = egressPolicy(config.egress.allowedNetworks)
  const guard = createEgressGuard({ policy, resolve: outside.resolveHost, connectTimeoutMs })
  const onError = (error: unknown): void => logger.warn({ err: error }, 'a connection to fetch images broke')
  const upstreams = createGuardedUpstreams({ guard, connectTimeoutMs, connectionsMax: 64, onError })
  const remote = createRemoteFiles({ upstreams, judgeText: guard.judgeText, connectTimeoutMs })
  return {
    host: createImageHost({ blobs, remote, tokens, nowMs: Date.now }),
    source: {
      fetch: async () => {
        throw new GatewayError('invalidImageUrl', { message: 'Images can not be fetched yet.' })
      },
    },
    endpoints: [proxyEndpoint({ tokens, blobs })],
    close: async () => {
      await upstreams.close()
      await blobs.close()
    },
  }
}
