import { startToxicsProxy, type ToxicsProxy } from './toxics-proxy.ts'
import type { World } from './world.ts'

/** Opens a proxy to the world's Postgres that can be slowed down or cut, and its URL. */
export async function openRoad(world: World): Promise<{ proxy: ToxicsProxy; url: string }> {
  const proxy = await startToxicsProxy(world.postgres.port)
  world.defer(() => proxy.close())
  const url = new URL(world.databaseUrl)
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}
