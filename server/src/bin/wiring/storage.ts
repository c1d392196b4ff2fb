import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { blobFolderOf } from '#config/writable-folders.ts'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createGuardedUpstreams } from '#net/guarded-upstreams.ts'
import { createRemoteFiles } from '#net/remote-files.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { RemoteFiles } from '#ports/media.ts'
import type { Egress } from '#ports/outbound.ts'
import type { Upstreams } from '#ports/upstream.ts'
import { chooseBlobs } from '#store/blobs/choose-blobs.ts'
import type { WiredOutbound } from './outbound.ts'

/** Media storage, and downloads of files from external URLs. */
export interface WiredStorage {
  blobs: BlobStore
  egress: Egress
  remote: RemoteFiles
  /** Requests to hosts that accounts name. */
  guarded: Upstreams
  close(): Promise<void>
}

export function wireStorage({
  config,
  logger,
  outbound: { resolve, outbound },
}: {
  config: Config
  logger: Logger
  outbound: WiredOutbound
}): WiredStorage {
  const { connectTimeoutMs } = config.upstream
  const blobs = chooseBlobs(config.blobs, blobFolderOf(config))
  const policy = egressPolicy(config.egress.allowedNetworks)
  const guard = createEgressGuard({ policy, resolve, connectTimeoutMs })
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, 'a connection to a customer-provided address was lost')
  const guarded = createGuardedUpstreams({ guard, connectTimeoutMs, connectionsMax: 1, onError })
  return {
    blobs,
    egress: guard,
    remote: createRemoteFiles({ upstreams: guarded, judgeText: guard.judgeText, outbound, connectTimeoutMs }),
    guarded,
    close: async () => {
      await guarded.close()
      await blobs.close()
    },
  }
}
