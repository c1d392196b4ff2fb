import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usualLength, asBase64, vectorFor } from '#test/simulators/media/embeddings/vectors.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { embeddingModel, vectorsOf } from './embeddings-world.ts'

const model = 'openai/text-embedding-3-large'

describe('POST /v1/embeddings', () => {
  let world: MediaWorld
  let caller: Awaited<ReturnType<MediaWorld['createClient']>>
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiShaped())
    await world.addModels([embeddingModel(model, 'openai')])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '1' })
    world.upstream.play(openAiShaped())
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const ask = (body: object) => world.post(caller, '/v1/embeddings', { model, ...body })
  const sent = () => world.upstream.calls.map(({ json }) => json)

  it('[EMB-01] answers a text with a list of one embedding', async () => {
    const reply = await ask({ input: 'Hello there my friend' })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('x-generation-id')).toMatch(/^gen-/)
    expect(reply.json).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: vectorFor('Hello there my friend') }],
      model,
      usage: { prompt_tokens: 4, total_tokens: 4, cost: 0.00000052 },
    })
    expect(sent()).toEqual([{ model: 'text-embedding-3-large', input: ['Hello there my friend'] }])
    expect(world.upstream.calls[0]).toMatchObject({ method: 'POST', path: '/v1/embeddings' })
  })

  it('[EMB-02] answers each of several texts with its own vector, in their order, whatever order they came back in', async () => {
    world.upstream.play(openAiShaped({ reversed: true }))
    const input = ['one', 'two', 'three']
    const reply = await ask({ input })
    expect(vectorsOf(reply)).toEqual(input.map((each) => vectorFor(each)))
    expect(reply.json.data).toMatchObject([{ index: 0 }, { index: 1 }, { index: 2 }])
  })

  it('[EMB-01] takes token ids, one list or several', async () => {
    expect(vectorsOf(await ask({ input: [9_906, 1_070] }))).toEqual([vectorFor('[9906,1070]')])
    expect(vectorsOf(await ask({ input: [[9_906], [1_070, 3]] }))).toEqual([vectorFor('[9906]'), vectorFor('[1070,3]')])
    expect(sent().map(({ input }) => input)).toEqual([[[9_906, 1_070]], [[9_906], [1_070, 3]]])
  })

  it('[EMB-04] passes the wanted length on and gives vectors of it', async () => {
    const reply = await ask({ input: 'Hello', dimensions: 3 })
    expect(sent()).toMatchObject([{ dimensions: 3 }])
    expect(vectorsOf(reply)).toEqual([vectorFor('Hello', 3)])
    expect(vectorsOf(await ask({ input: 'Hello' }))).toEqual([vectorFor('Hello', usualLength)])
  })

  it.each(['float', 'base64'] as const)(
    '[EMB-05] passes %s on and answers in it, whatever the upstream sent',
    async (form) => {
      const expected = form === 'float' ? vectorFor('Hello') : asBase64(vectorFor('Hello'))
      expect(vectorsOf(await ask({ input: 'Hello', encoding_format: form }))).toEqual([expected])
      expect(sent()).toMatchObject([{ encoding_format: form }])
      for (const always of ['float', 'base64'] as const) {
        world.upstream.play(openAiShaped({ always }))
        expect(vectorsOf(await ask({ input: 'Hello', encoding_format: form }))).toEqual([expected])
      }
    },
  )

  it('[EMB-05] passes other forms on, and what comes of them back', async () => {
    const reply = await ask({ input: 'Hello', encoding_format: 'int8' })
    expect(sent()).toMatchObject([{ encoding_format: 'int8' }])
    expect(reply.status).toBe(200)
  })

  it.each([true, false, 'yes', 1])(
    '[EMB-07] never streams, and charges the input at its price, with stream: %s',
    async (stream) => {
      const reply = await ask({ input: ['Hello there', 'you'], stream })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      // Three tokens at 130 nano-dollars each.
      expect(reply.json.usage).toEqual({ prompt_tokens: 3, total_tokens: 3, cost: 0.00000039 })
      expect(sent()[0]).not.toHaveProperty('stream')
      expect(await world.walletOf(caller.walletId)).toEqual({ balance: '0.99999961', held: '0', charged: '0.00000039' })
      const receipt = await world.as(caller).get(`/v1/generation?id=${reply.headers.get('x-generation-id')}`)
      expect(receipt.json).toMatchObject({
        data: {
          model,
          provider: 'openai',
          total_cost: 0.00000039,
          tokens_prompt: 3,
          tokens_completion: 0,
          streamed: false,
        },
      })
    },
  )

  it('[EMB-07] charges nothing where the upstream counted nothing, and shows so', async () => {
    for (const usage of [
      () => undefined,
      () => ({ prompt_tokens: 0, total_tokens: 0 }),
      () => ({ prompt_tokens: -1 }),
    ]) {
      world.upstream.play(openAiShaped({ usage }))
      const reply = await ask({ input: 'Hello' })
      expect(reply.status).toBe(200)
      expect(reply.json.usage).toEqual({ prompt_tokens: 0, total_tokens: 0, cost: 0 })
    }
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('[EMB-07] charges by the total where nothing else was counted', async () => {
    world.upstream.play(openAiShaped({ usage: (prompt) => ({ total_tokens: prompt }) }))
    expect((await ask({ input: 'Hello there' })).json.usage).toMatchObject({ prompt_tokens: 2, cost: 0.00000026 })
  })

  it('splits what is too large for one answer, and adds up what was counted', async () => {
    const input = Array.from({ length: 1_100 }, (_, index) => `text ${index}`)
    const reply = await ask({ input })
    expect(sent().map(({ input: each }) => (Array.isArray(each) ? each.length : 0))).toEqual([512, 512, 76])
    expect(vectorsOf(reply)).toEqual(input.map((each) => vectorFor(each)))
    expect(reply.json.usage).toMatchObject({ prompt_tokens: 2_200, cost: 0.000286 })
    world.upstream.calls.length = 0
    expect((await ask({ input, encoding_format: 'base64' })).status).toBe(200)
    expect(sent()).toHaveLength(1)
  })

  it('charges nothing for the first part where a later one fails', async () => {
    world.upstream.play((call, response) => {
      if (world.upstream.calls.length === 1) return openAiShaped()(call, response)
      return { status: 500, body: { error: { message: 'boom' } } }
    })
    const reply = await ask({ input: Array.from({ length: 600 }, () => 'text') })
    expect(reply.status).toBe(502)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it.each([
    [
      'fewer vectors than inputs',
      { object: 'list', data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 2 } },
    ],
    ['vectors of other things', { object: 'list', data: [{ embedding: ['a'] }, { embedding: null }] }],
    ['base64 that is no floats', { object: 'list', data: [{ embedding: 'AAAA' }, { embedding: 'AAAA' }] }],
    ['no list', { object: 'list' }],
    ['no JSON', 'nothing'],
  ])('makes %s a failure of the upstream, unbilled', async (_what, body) => {
    world.upstream.play(() => ({ body }))
    const reply = await ask({ input: ['a', 'b'] })
    expect(reply.status).toBe(502)
    expect(reply.json).toMatchObject({ error: { code: 'upstream_unavailable' } })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('tells OpenAI who asks, passes on what can hold no words, and names what it keeps back', async () => {
    const others = { input_type: 'query', messages: [{ role: 'user', content: 'unread' }] }
    const reply = await ask({ input: 'Hello', user: 'u-1', truncate: 'END', ...others })
    expect(sent()).toEqual([{ model: 'text-embedding-3-large', input: ['Hello'], user: 'u-1', truncate: 'END' }])
    expect(reply.headers.get('x-params-ignored')).toBe('input_type, messages')
  })
})
