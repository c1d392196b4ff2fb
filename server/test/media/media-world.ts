import type { Outside } from '#bin/wiring/outside.ts'
import type { JsonObject } from '#lib/json.ts'
import { addModels } from '#test/setup/add-models.ts'
import type { CallOptions } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type MediaHandler, type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

/** A gateway with one media upstream and the test's own models. */
export interface MediaWorld extends TestGateway {
  upstream: MediaUpstream
  /** Adds models in the format of an import file. */
  addModels(records: readonly JsonObject[]): Promise<void>
  post(
    caller: { key: string },
    path: string,
    body: JsonObject | FormData,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>
  /** Fetches one of our URLs, which has the public address, from the gateway's real address. */
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
    // Upstreams return URLs of their own, which are private addresses here.
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
