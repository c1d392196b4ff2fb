import { startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { videoHosts, type VideoHostName } from './hosts.ts'
import { OrderBook } from './order-book.ts'
import { playHost } from './play-host.ts'
import { tinyMovie } from './serve-movie.ts'
import type { VideoShape } from './video-shape.ts'
import type { SeenRequest, VideoUpstream } from './video-upstream.ts'

export interface VideoUpstreamOptions {
  readonly key?: string
  readonly movie?: Buffer
}

/** A video host on a real socket, in this process. */
export async function startVideoUpstream(
  host: VideoHostName,
  { key = 'video-key', movie: firstMovie = tinyMovie() }: VideoUpstreamOptions = {},
): Promise<VideoUpstream> {
  const shape: VideoShape = videoHosts[host]
  const book = new OrderBook()
  const requests: SeenRequest[] = []
  let movie = firstMovie
  const deps = { shape, book, key, movie: () => movie, origin: () => upstream.url }
  const upstream = await startMediaUpstream((call, response) => {
    requests.push({ method: call.method, path: call.path, atMs: Date.now() })
    return playHost(call, response, deps)
  })
  return {
    vendor: shape.vendor,
    baseUrl: upstream.url + shape.basePath,
    key,
    play: async (script) => book.play(script),
    playNext: async (...scripts) => book.playNext(...scripts),
    serve: async (next) => {
      movie = next
    },
    orders: async () => book.orders.map(({ script: _, ...order }) => order),
    requests: async () => [...requests],
    waitForOrders: (count) => book.waitFor(count),
    close: () => upstream.close(),
  }
}
