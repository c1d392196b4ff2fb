import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { cohere } from '#test/simulators/media/embeddings/cohere.ts'
import { openAiShaped, refusal } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { type MediaHandler, type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { embeddingModel, image, pngUri, text } from './embeddings-world.ts'

const model = 'openai/text-embedding-3-large'
const offer = (provider: string, prompt: string): JsonObject => ({
  provider,
  upstream_model_id: 'text-embedding-3-large',
  pricing: { prompt },
})

/** Azure is more expensive, and Together promises to store no prompts. */
describe('who serves embeddings', () => {
  let world: MediaWorld
  let others: Record<'azure' | 'together' | 'cohere' | 'anthropic', MediaUpstream>
  let caller: Awaited<ReturnType<MediaWorld['createClient']>>
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiShaped())
    others = {
      azure: await startMediaUpstream(openAiShaped()),
      together: await startMediaUpstream(openAiShaped()),
      cohere: await startMediaUpstream(cohere),
      anthropic: await startMediaUpstream(openAiShaped()),
    }
    const route = (vendor: keyof typeof others, path: string, pattern: string, priority: number) =>
      world.addProvider({
        vendor,
        url: others[vendor].url + path,
        pattern,
        priority,
        keepsPrompts: vendor !== 'together',
      })
    await world.addModels([
      embeddingModel(model, 'openai', {
        inputs: ['text', 'image'],
        offers: [offer('openai', '0.00000013'), offer('azure', '0.0000002'), offer('together', '0.0000001')],
      }),
      embeddingModel('openai/small', 'openai', { prices: { prompt: '0.00000001' } }),
    ])
    // No other account has routes of this pattern, so the priorities decide the order.
    await route('anthropic', '', model, 0)
    await route('azure', '/openai/v1', model, 1)
    await route('together', '/v1', model, 2)
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '1' })
    for (const upstream of all()) {
      upstream.calls.length = 0
      upstream.play(upstream === others.cohere ? cohere : openAiShaped())
    }
  })
  afterAll(async () => {
    await world.close()
    for (const upstream of Object.values(others)) await upstream.close()
  })

  const all = () => [world.upstream, ...Object.values(others)]
  const asked = () => [others.azure.calls.length, others.together.calls.length]
  const ask = (body: JsonObject = {}) => world.post(caller, '/v1/embeddings', { model, input: 'Hello there', ...body })
  const providerOf = async (id: string | null) => {
    const { data } = await world.as(caller).get(`/v1/generation?id=${id}`)
    return data
  }

  it('[EMB-08] a vendor that makes no embeddings is left out, and the next one answers at its own price', async () => {
    const reply = await ask()
    expect(reply.status).toBe(200)
    expect(asked()).toEqual([1, 0])
    expect(others.anthropic.calls).toEqual([])
    expect(reply.json.usage).toMatchObject({ cost: 0.0000004 })
    expect(await providerOf(reply.headers.get('x-generation-id'))).toMatchObject({ provider: 'azure' })
  })

  it.each<[string, MediaHandler]>([
    ['404 for the path', () => ({ status: 404, body: { error: { code: '404', message: 'Resource not found' } } })],
    ['405', () => ({ status: 405, body: { error: { message: 'Method Not Allowed' } } })],
    ['501', () => ({ status: 501, body: {} })],
    ['400 because it does not support embeddings', () => refusal(400, 'This model does not support embeddings.', null)],
    ['400 for a parameter', () => refusal(400, 'This model does not support specifying dimensions.', null)],
    [
      '422 for a field',
      () => ({
        status: 422,
        body: {
          detail: [{ type: 'extra_forbidden', loc: ['body', 'dimensions'], msg: 'Extra inputs are not permitted' }],
        },
      }),
    ],
    ['500', () => ({ status: 500, body: {} })],
    ['a broken connection', (_call, response) => void response.destroy()],
    ['nothing that is a vector', () => ({ body: { object: 'list', data: [] } })],
  ])('[EMB-08] %s: the next one answers', async (_what, handler) => {
    others.azure.play(handler)
    const reply = await ask({ dimensions: 4 })
    expect(reply.status).toBe(200)
    expect(asked()).toEqual([1, 1])
    expect(reply.json.usage).toMatchObject({ cost: 0.0000002 })
    expect(await providerOf(reply.headers.get('x-generation-id'))).toMatchObject({
      provider: 'together',
      is_failover: true,
    })
  })

  it('[EMB-08] token ids skip a host that can not read them', async () => {
    const order = { provider: { order: ['together', 'azure'] } }
    expect((await ask({ input: [[1, 2]], ...order })).status).toBe(200)
    expect(asked()).toEqual([1, 0])
    expect((await ask({ input: 'Hello', ...order })).status).toBe(200)
    expect(asked()).toEqual([1, 1])
  })

  it('[EMB-08] where nobody can do it, the caller is told what to change', async () => {
    const tokens = await ask({ input: [[1, 2]], provider: { only: ['together'] } })
    expect(tokens.status).toBe(400)
    expect(tokens.json).toMatchObject({ error: { code: 'unsupported_param' } })
    expect(tokens.text).toContain('Send strings instead')
    const images = await ask({ input: [{ content: [text('a'), image(pngUri)] }] })
    expect(images.status).toBe(400)
    expect(images.json).toMatchObject({ error: { code: 'input_images_not_supported' } })
    expect(asked()).toEqual([0, 0])
    for (const { play } of [others.azure, others.together])
      play(() => refusal(400, 'dimensions is not supported.', null))
    const refused = await ask({ dimensions: 4 })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('dimensions is not supported')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('a request that is wrong for everybody is not carried around', async () => {
    others.azure.play(() => refusal(400, 'Invalid input.', 'invalid_value'))
    expect((await ask()).status).toBe(400)
    expect(asked()).toEqual([1, 0])
  })

  it('[EMB-06] provider.order and only decide who is asked', async () => {
    await ask({ provider: { order: ['together'] } })
    expect(asked()).toEqual([0, 1])
    await ask({ provider: { only: ['azure'] } })
    expect(asked()).toEqual([1, 1])
    await ask({ provider: { sort: 'price' } })
    expect(asked()).toEqual([1, 2])
    expect((await ask({ provider: { max_price: { prompt: 0.01 } } })).status).toBe(503)
  })

  it('[EMB-06] allow_fallbacks: false leaves a failure with its caller', async () => {
    others.azure.play(() => ({ status: 500, body: {} }))
    const reply = await ask({ provider: { order: ['azure'], allow_fallbacks: false } })
    expect(reply.status).toBe(502)
    expect(asked()[1]).toBe(0)
  })

  it('[EMB-06] data_collection: deny asks only those who keep no prompts', async () => {
    expect((await ask({ provider: { data_collection: 'deny' } })).status).toBe(200)
    expect(asked()).toEqual([0, 1])
    const nobody = await ask({ provider: { data_collection: 'deny', only: ['azure'] } })
    expect(nobody.status).toBe(503)
    expect(nobody.text).toContain('data_collection')
  })

  it('[EMB-08] another model answers where `models` says so', async () => {
    for (const { play } of [others.azure, others.together]) play(() => ({ status: 500, body: {} }))
    const reply = await ask({ models: ['openai/small'] })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ model: 'openai/small', usage: { cost: 0.00000002 } })
    expect(world.upstream.calls[0]?.json).toMatchObject({ model: 'small' })
  })

  // The last test, because azure is avoided for some seconds after it.
  it('[EMB-08] a host that wants a pause: the next one answers', async () => {
    others.azure.play(() => ({ status: 429, body: { error: { message: 'slow down', code: 'rate_limit_exceeded' } } }))
    expect((await ask()).status).toBe(200)
    expect(asked()).toEqual([1, 1])
  })
})

const unable: MediaHandler = () => refusal(400, 'This model does not support specifying dimensions.', null)

it('[EMB-08] a request that a host does not take says nothing of how the host is doing', async () => {
  const world = await startMediaWorld({ vendor: 'azure', path: '/v1' }, unable, { WEIR_BREAKER_FAILURES: '2' })
  await world.addModels([embeddingModel(model, 'azure')])
  const caller = await world.createClient()
  const ask = (body: JsonObject) => world.post(caller, '/v1/embeddings', { model, input: 'Hello', ...body })
  for (let round = 0; round < 5; round += 1) expect((await ask({ dimensions: 4 })).status).toBe(400)
  expect(world.upstream.calls).toHaveLength(5)
  world.upstream.play(openAiShaped())
  expect((await ask({})).status).toBe(200)
  await world.close()
})
