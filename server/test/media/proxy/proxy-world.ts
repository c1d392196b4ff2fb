import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImagePublisher } from '#control/media/image-publisher.ts'
import { createImageTokens, type ImageTokens } from '#control/media/image-tokens.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import type { CallOptions } from '#test/setup/client.ts'
import { startTestGateway, testSecret, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'

/** A gateway and its image folder, where the test may store images. */
export interface ProxyWorld extends TestGateway {
  readonly blobs: BlobStore
  readonly tokens: ImageTokens
  readonly folder: string
  /** Stores an image with that creation time, and returns its token. */
  keep(bytes: Buffer, madeAtMs?: number): Promise<string>
  fetchImage(token: string, options?: CallOptions & { method?: string }): Promise<Reply>
}

function nothing(): never {
  throw new Error('nothing is fetched here')
}

export async function startProxyWorld(environment: Record<string, string> = {}): Promise<ProxyWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-images-'))
  const gateway = await startTestGateway({ WEIR_BLOBS_FOLDER: folder, ...environment })
  const blobs = createFileBlobs(folder)
  const tokens = createImageTokens({ secret: testSecret, previousSecrets: [] })
  const [remote, folders] = [{ download: nothing }, { make: nothing, remove: nothing }]
  return {
    ...gateway,
    blobs,
    tokens,
    folder,
    keep: async (bytes, madeAtMs = Date.now()) => {
      const host = createImagePublisher({ blobs, tokens, remote, folders, nowMs: () => madeAtMs })
      const { token } = await host.host(
        { kind: 'bytes', bytes },
        { account: 'acme', signal: new AbortController().signal },
      )
      return token
    },
    fetchImage: (token, { method = 'GET', ...options } = {}) =>
      gateway.as().send(method, `/v1/images/proxy/${token}`, undefined, options),
    close: async () => {
      await gateway.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
