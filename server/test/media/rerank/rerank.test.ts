import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { cohereCounts, rerankUpstream } from '#test/simulators/media/rerank/rerank-upstream.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { type HostsWorld, startHostsWorld } from '../embeddings/hosts-world.ts'
import { rerankModel } from './rerank-model.ts'

interface VendorCase {
  readonly vendor: string
  readonly base: string
  readonly path: string
  readonly handler: MediaHandler
  /** Beside model, query and documents. */
  readonly sends: JsonObject
  readonly pricing?: JsonObject
  readonly usd: number
}

// Three documents of one word, each read with a query of two words, at 50 nano-dollars a token.
const nineTokens = 0.00000045
const quiet = { top_n: 2, return_documents: false }

const like = (vendor: string, special: Partial<VendorCase> = {}): VendorCase => ({
  vendor,
  base: '/v1',
  path: '/v1/rerank',
  handler: rerankUpstream(),
  sends: { top_n: 2 },
  usd: nineTokens,
  ...special,
})

const cases: readonly VendorCase[] = [
  like('cohere', {
    base: '/compatibility/v1',
    path: '/v2/rerank',
    handler: rerankUpstream({ path: '/v2/rerank', counts: cohereCounts }),
    sends: { top_n: 2, max_tokens_per_doc: 512 },
    pricing: { per_search: '0.002', prompt: '0' },
    usd: 0.002,
  }),
  like('jina', {
    sends: quiet,
    handler: rerankUpstream({ counts: (tokens) => ({ usage: { total_tokens: tokens } }) }),
  }),
  like('voyage', {
    sends: { top_k: 2 },
    handler: rerankUpstream({
      topField: 'top_k',
      listField: 'data',
      counts: (tokens) => ({ object: 'list', usage: { total_tokens: tokens } }),
    }),
  }),
  like('siliconflow', {
    handler: rerankUpstream({ counts: (tokens) => ({ tokens: { input_tokens: tokens, output_tokens: 0 } }) }),
  }),
  like('siliconflow-cn', {
    handler: rerankUpstream({ counts: (tokens) => ({ meta: { tokens: { input_tokens: tokens } } }) }),
  }),
  like('together', { sends: quiet }),
  like('fireworks', {
    base: '/inference/v1',
    path: '/inference/v1/rerank',
    sends: quiet,
    handler: rerankUpstream({ path: '/inference/v1/rerank', listField: 'data' }),
  }),
  like('novita', {
    base: '/v3/openai',
    path: '/openai/v1/rerank',
    handler: rerankUpstream({ path: '/openai/v1/rerank' }),
  }),
  ...['alibaba', 'alibaba-cn'].map((vendor) =>
    like(vendor, {
      base: '/compatible-mode/v1',
      path: '/compatible-api/v1/reranks',
      handler: rerankUpstream({ path: '/compatible-api/v1/reranks' }),
    }),
  ),
  like('openrouter', {
    handler: rerankUpstream({ counts: () => ({ usage: { search_units: 1, cost: 0.001 } }) }),
    pricing: { per_search: '0.001' },
    usd: 0.001,
  }),
  like('vllm'),
  like('llama-cpp'),
]

const idOf = (vendor: string): string => `maker/${vendor}-ranks`

describe('[NEXT-130] [NEXT-131] a ranking', () => {
  const hosts = cases.map(({ vendor, base, handler, pricing }) => ({
    vendor,
    base,
    handler,
    record: {
      ...rerankModel(idOf(vendor), vendor, { upstream: 'ranks-1', ...(pricing === undefined ? {} : { pricing }) }),
      id: idOf(vendor),
    },
  }))
  let world: HostsWorld
  let caller: Awaited<ReturnType<HostsWorld['createClient']>>
  beforeAll(async () => {
    world = await startHostsWorld(hosts)
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '1' })
  })
  afterAll(() => world.close())

  const documents = ['riverside', { text: 'fog' }, 'weir']

  it.each(cases.map((each, index) => [each.vendor, each, index] as const))(
    'is asked of %s in its own words, answered in one form and charged exactly',
    async (vendor, { path, sends, usd }, index) => {
      const reply = await world.post(caller, '/v1/rerank', {
        model: idOf(vendor),
        query: 'a mill',
        documents,
        top_n: 2,
        max_tokens_per_doc: 512,
        return_documents: true,
      })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.json).toMatchObject({
        object: 'list',
        id: reply.headers.get('x-generation-id'),
        model: idOf(vendor),
        results: [
          { index: 1, relevance_score: 0.25, document: { text: 'fog' } },
          { index: 2, relevance_score: 0.2, document: { text: 'weir' } },
        ],
        meta: { billed_units: { search_units: 1 } },
        usage: { search_units: 1, cost: usd },
      })
      const host = hosts[index]
      if (host === undefined) throw new Error('no host')
      const [call] = world.upstreamOf(host).calls
      expect(call?.path).toBe(path)
      expect(call?.json).toEqual({
        model: 'ranks-1',
        query: 'a mill',
        documents: ['riverside', 'fog', 'weir'],
        ...sends,
      })
      const left = vendor === 'cohere' ? null : 'max_tokens_per_doc'
      expect(reply.headers.get('x-params-ignored')).toBe(left)
      const receipt = await world.as(caller).get(`/v1/generation?id=${String(reply.json.id)}`)
      expect(receipt.json.data).toMatchObject({ total_cost: usd, usage: { media: { search_units: 1 } } })
    },
  )
})
