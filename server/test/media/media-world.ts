import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { ownOrigin } from '#test/setup/sign-in.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
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
  ): Promise<MediaReply>
  /** Fetches what a URL of ours names, which is at the public address, from where the gateway listens. */
  fetchOwn(url: string, init?: RequestInit): Promise<Response>
}

export interface MediaReply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  /** Empty where it is no JSON object. */
  readonly json: JsonObject
}

export async function startMediaWorld(
  { vendor, path = '' }: { vendor: string; path?: string },
  handler: MediaHandler,
  environment: Record<string, string> = {},
): Promise<MediaWorld> {
  const upstream = await startMediaUpstream(handler)
  const gateway = await startTestGateway({
    WEIR_BREAKER_FAILURES: '100000',
    // Upstreams that give away URLs give away some of their own, and theirs is a private address here.
    WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1',
    ...environment,
  })
  await gateway.addProvider({ vendor, url: upstream.url + path, pattern: '*' })
  return {
    ...gateway,
    upstream,
    addModels: async (records) => {
      const parsed = parseCatalogueFile([...records])
      if (!parsed.accepted) throw new Error(`refused: ${JSON.stringify(parsed.problems)}`)
      await createCatalogueStore(gateway.pool).import(parsed.rows, Date.now())
      await gateway.gateway.refresh()
    },
    post: async ({ key }, at, body, headers = {}) => {
      const isForm = body instanceof FormData
      const response = await fetch(gateway.url + at, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          ...(isForm ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isForm ? body : JSON.stringify(body),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString('utf8')
      return { status: response.status, headers: response.headers, bytes, text, json: parseJsonObject(text) ?? {} }
    },
    fetchOwn: (url, init) => fetch(url.replace(ownOrigin, gateway.url), init),
    close: async () => {
      await upstream.close()
      await gateway.close()
    },
  }
}
