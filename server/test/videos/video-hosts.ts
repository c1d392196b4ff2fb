import type { JsonObject } from '#lib/json.ts'
import type { VideoHostName } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { plainModel, type VideoWorld } from './video-world.ts'

/** Adds another model at another provider, besides that of the world. */
export async function addHost(
  world: VideoWorld,
  host: VideoHostName,
  model: JsonObject & { id: string },
): Promise<VideoUpstream> {
  const upstream = await startVideoUpstream(host)
  const { vendor, baseUrl: url, key: credential } = upstream
  await world.addProvider({ vendor, url, pattern: model.id, credential, name: `${vendor}-${host}` })
  await world.addModels([{ ...plainModel, provider: vendor, ...model }])
  return upstream
}

/** The number of jobs of a wallet. */
export async function jobCount(world: VideoWorld, { walletId }: { walletId: string }): Promise<number> {
  const { rows } = await world.pool.query<{ count: string }>('SELECT count(*) FROM video_jobs WHERE wallet_id = $1', [
    walletId,
  ])
  return Number(rows[0]?.count)
}
