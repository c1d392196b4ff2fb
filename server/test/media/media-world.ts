import type { Outside } from '#bin/wiring/outside.ts'
import type { JsonObject } from '#lib/json.ts'
import { addModels } from '#test/setup/add-models.ts'
import type { CallOptions } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type MediaHandler, type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

/** A gateway with one upstream of media, and models of the test's own. */
export interface MediaWorld extends TestGateway {
  upstream: MediaUpstream
  /** Adds models as an import file states them. */
  addModels(records: readonly JsonObject[]): Promise<void>
  post(
    caller: { key: string },
    path: string,
    body: JsonObject | FormData,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  /** Fetches what a URL of ours names, which is at the public address, from where the gateway listens. */
  fetchOwn(url: string, options?: CallOptions): Promise<Reply>
}

export async function startMediaWorld(
  { vendor, path = '', pattern = '*' }: { vendor: string; path?: string; pattern?: string },
  handler: MediaHandler,
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<MediaWorld> {
  const upstream = await startMediaUpstream(handler)
  const settings = {
    WEIR_BREAKER_FAILURES: '100000',
    // Upstreams that give away URLs give away some of their own, and theirs is a private address here.
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1',
    ...environment,
  }
  const gateway = await startTestGateway(settings, outside)
  await gateway.addProvider({ vendor, url: upstream.url + path, pattern })
  return {
    ...gateway,
    upstream,
    addModels: (records) => addModels(gateway, records),
    post: (caller, at, body, headers) => gateway.as(caller).post(at, body, { headers }),
    fetchOwn: (url, options) => gateway.as().get(url.replace(ownOrigin, ''), options),
    close: async () => {
      await upstream.close()
      await gateway.close()
    },
  }
}
