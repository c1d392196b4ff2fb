import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { wireMedia, type WiredMedia } from '#bin/wiring/media.ts'
import { type Outside, realOutside } from '#bin/wiring/outside.ts'
import { wireOutbound } from '#bin/wiring/outbound.ts'
import { wireStorage } from '#bin/wiring/storage.ts'
import { gatewayOutbound } from '#config/outbound-limits.ts'
import { parseConfig } from '#config/parse-config.ts'
import { createUploadFolders } from '#http/forms/upload-folders.ts'
import { testSecret } from '#test/setup/gateway.ts'

/** The gateway's image hosting and fetching, wired alike, without the rest. */
export interface RemoteWorld extends WiredMedia {
  /** Files of requests in progress, and stored images. */
  files(): Promise<{ temporary: string[]; kept: string[] }>
  close(): Promise<void>
}

export async function startRemoteWorld(
  environment: Record<string, string> = {},
  outside: Pick<Outside, 'resolveHost'> = realOutside,
): Promise<RemoteWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-remote-'))
  const place = join(dataDir, 'uploads')
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_DATA_DIR: dataDir,
      WEIR_HTTP_PUBLIC_URL: 'https://weir.test',
      WEIR_UPSTREAM_CONNECT_TIMEOUT_MS: '500',
      ...environment,
    },
  })
  const folders = createUploadFolders(place)
  await folders.prepare(Date.now())
  const outbound = wireOutbound({ config, outside, limits: gatewayOutbound(config) })
  const storage = wireStorage({ config, logger: pino({ level: 'silent' }), outbound })
  const media = wireMedia({ config, storage, folders, nowMs: Date.now })
  return {
    ...media,
    files: async () => ({
      temporary: await readdir(place),
      kept: await readdir(join(dataDir, 'blobs', 'images')).catch(() => []),
    }),
    close: async () => {
      await storage.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
