import type { JsonObject } from '#lib/json.ts'
import { type MediaUpstream, type MediaHandler, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'

interface EmbeddingHost {
  readonly vendor: string
  /** The path after the upstream's address. */
  readonly base: string
  readonly handler: MediaHandler
  /** Its only model, which no other provider has. */
  readonly record: JsonObject & { id: string }
}

export interface HostsWorld extends MediaWorld {
  upstreamOf(host: EmbeddingHost): MediaUpstream
}

/** One gateway with many providers, each with one model. */
export async function startHostsWorld(hosts: readonly EmbeddingHost[]): Promise<HostsWorld> {
  const world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, () => ({ status: 404 }))
  const upstreams = new Map<EmbeddingHost, MediaUpstream>()
  for (const host of hosts) {
    const { vendor, base, handler, record } = host
    const upstream = await startMediaUpstream(handler)
    upstreams.set(host, upstream)
    await world.addProvider({ vendor, name: record.id.replace('/', '.'), url: upstream.url + base, pattern: record.id })
  }
  await world.addModels(hosts.map(({ record }) => record))
  return {
    ...world,
    upstreamOf: (host) => {
      const upstream = upstreams.get(host)
      if (upstream === undefined) throw new Error(`no host for ${host.record.id}`)
      return upstream
    },
    close: async () => {
      await world.close()
      for (const upstream of upstreams.values()) await upstream.close()
    },
  }
}
