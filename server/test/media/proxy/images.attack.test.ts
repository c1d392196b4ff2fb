import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { type Canary, startCanary } from '#test/egress/canary.ts'
import { createHostileResolver, hostileUrls, type HostileUrl } from '#test/egress/corpus.ts'
import { imageModel } from '#test/media/images/images-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

const model = 'maker/paint'

describe('images at private addresses, through /v1/images/generations', () => {
  let world: TestGateway
  let upstream: MediaUpstream
  let canary: Canary
  let caller: TestClient
  let corpus: HostileUrl[]
  beforeAll(async () => {
    canary = await startCanary()
    corpus = hostileUrls(canary.port)
    upstream = await startMediaUpstream(() => ({ status: 500 }))
    world = await startTestGateway(
      { WEIR_BREAKER_FAILURES: '1000000', WEIR_UPSTREAM_CONNECT_TIMEOUT_MS: '500' },
      { resolveHost: createHostileResolver() },
    )
    await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: '*' })
    const parsed = parseCatalogueFile([imageModel(model, 'openai')])
    if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
    await createCatalogueStore(world.pool).import(parsed.rows, Date.now())
    await world.gateway.refresh()
    caller = await world.createClient({ usd: '5' })
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
    await canary.close()
  })

  const ask = (body: object) => world.as(caller).post('/v1/images/generations', { model, prompt: 'A fox', ...body })

  async function throughCorpus(work: (url: string) => Promise<void>): Promise<void> {
    const waiting = corpus.values()
    const lane = async (): Promise<void> => {
      for (const { url } of waiting) await work(url)
    }
    await Promise.all(Array.from({ length: 8 }, lane))
  }

  it('are not fetched for a caller who names them', async () => {
    await throughCorpus(async (url) => {
      const { status, text } = await ask({ image: url })
      expect([url, status, text]).toEqual([url, 400, expect.stringMatching(/invalid_image_url|malformed|400/)])
    })
    expect(canary.connections).toBe(0)
    expect(upstream.calls).toEqual([])
  })

  it('[ERR-42] are not fetched for an upstream that names them, and nothing is charged', async () => {
    // The upstream returns the prompt as the URL.
    upstream.play(({ json }) => ({ body: { created: 1, data: [{ url: decodeURIComponent(String(json.prompt)) }] } }))
    await throughCorpus(async (url) => {
      const { status } = await ask({ prompt: encodeURIComponent(url) || '%20' })
      expect([url, status]).toEqual([url, 502])
    })
    expect(canary.connections).toBe(0)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '5', held: '0', charged: '0' })
    console.log(`${corpus.length} URLs from callers and from an upstream: ${canary.connections} connections`)
  })
})
