import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { arkError, playArk } from '#test/simulators/media/images/ark.ts'
import { dashscopeError, playDashscope } from '#test/simulators/media/images/dashscope.ts'
import { playFal } from '#test/simulators/media/images/fal.ts'
import { playFlux } from '#test/simulators/media/images/flux.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import { playReplicate } from '#test/simulators/media/images/replicate.ts'
import { invokeError, playInvokeModel } from '#test/simulators/media/invoke-model.ts'
import { playStability, stabilityError } from '#test/simulators/media/images/stability.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { codeOf, formOf, imageModel, proxyUrl, urlsOf } from '../images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'

interface Played {
  readonly vendor: string
  readonly path: string
  readonly upstream: string
  readonly good: () => MediaHandler
  readonly unsafe: () => MediaHandler
  /** Answers that the image is too wide. */
  readonly wrong: () => MediaHandler
}

const hosts: readonly Played[] = [
  {
    vendor: 'black-forest-labs',
    path: '/v1',
    upstream: 'flux-2-pro',
    good: () => playFlux({ timeline: ['Pending', 'Ready'] }),
    unsafe: () => playFlux({ timeline: ['Content Moderated'] }),
    wrong: () => playFlux({ refuse: () => ({ status: 422, body: { detail: [{ loc: ['body'], msg: 'Too wide' }] } }) }),
  },
  {
    vendor: 'fal',
    path: '',
    upstream: 'fal-ai/nano-banana',
    good: () => playFal({ timeline: ['IN_PROGRESS', 'COMPLETED'] }),
    unsafe: () => playFal({ timeline: ['COMPLETED'], isUnsafe: () => true }),
    wrong: () => playFal({ timeline: ['COMPLETED'], result: () => ({ status: 422, body: { detail: 'Too wide' } }) }),
  },
  {
    vendor: 'replicate',
    path: '/v1',
    upstream: 'black-forest-labs/flux-2-pro',
    good: () => playReplicate({ timeline: ['starting', 'succeeded'] }),
    unsafe: () => playReplicate({ timeline: ['failed'], error: 'NSFW content detected.' }),
    wrong: () => playReplicate({ refuse: () => ({ status: 422, body: { detail: 'Too wide', status: 422 } }) }),
  },
  {
    vendor: 'stability',
    path: '/v2beta',
    upstream: 'sd3.5-large',
    good: () => playStability(),
    unsafe: () => playStability({ finishReason: 'CONTENT_FILTERED' }),
    wrong: () => playStability({ refuse: () => stabilityError(400, 'bad_request', 'Too wide') }),
  },
  {
    vendor: 'alibaba',
    path: '/compatible-mode/v1',
    upstream: 'qwen-image-2.0',
    good: () => playDashscope(),
    unsafe: () => playDashscope({ refuse: () => dashscopeError(200, 'DataInspectionFailed', 'No.') }),
    wrong: () => playDashscope({ refuse: () => dashscopeError(200, 'InvalidParameter', 'Too wide') }),
  },
  {
    vendor: 'byteplus',
    path: '/api/v3',
    upstream: 'seedream-4-5-251128',
    good: () => playArk(),
    unsafe: () => playArk({ refuse: () => arkError(400, 'OutputImageSensitiveContentDetected', 'No.') }),
    wrong: () => playArk({ refuse: () => arkError(400, 'InvalidParameter', 'Too wide') }),
  },
  ...['amazon.nova-canvas-v1:0', 'stability.sd3-5-large-v1:0'].map((upstream) => ({
    vendor: 'amazon-bedrock',
    path: '',
    upstream,
    good: () => playInvokeModel(),
    unsafe: () =>
      playInvokeModel({ refuse: () => ({ body: { error: 'blocked', finish_reasons: ['Filter reason: prompt'] } }) }),
    wrong: () => playInvokeModel({ refuse: () => invokeError(400, 'ValidationException', 'Too wide') }),
  })),
]

describe.each(hosts)('images of $vendor', (host) => {
  const model = 'maker/painter'
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: host.vendor, path: host.path }, host.good())
    await world.addModels([imageModel(model, host.vendor, { upstream: host.upstream })])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const ask = (handler: MediaHandler, body: object = {}) => {
    world.upstream.play(handler)
    return world.post(caller, '/v1/images/generations', { model, prompt: 'A fox', ...body })
  }

  it('[IMG-07] [IMG-09] [IMG-10] are made, kept where their caller can fetch them, and charged by the piece', async () => {
    const reply = await ask(host.good(), { n: 2, size: '1024x1024', webhook_url: 'https://evil.example' })
    expect(reply.status, reply.text).toBe(200)
    expect(urlsOf(reply)).toEqual([expect.stringMatching(proxyUrl), expect.stringMatching(proxyUrl)])
    const image = await world.fetchOwn(urlsOf(reply)[1] ?? '')
    expect(image.bytes).toEqual(madePng)
    expect(reply.headers.get('x-params-ignored')).toBe('webhook_url')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '4.92', held: '0' })
    expect(world.upstream.calls.some(({ bytes }) => bytes.includes('evil.example'))).toBe(false)
  })

  it('[EDIT-01] start from an uploaded file', async () => {
    world.upstream.play(host.good())
    const reply = await world.post(caller, '/v1/images/edits', formOf({ model, prompt: 'Bluer' }, [madePng]))
    expect(reply.status, reply.text).toBe(200)
    expect(urlsOf(reply)).toHaveLength(1)
    const [submit] = world.upstream.calls
    const isThere = submit?.bytes.includes(madePng) || submit?.bytes.includes(madePng.toString('base64'))
    expect(isThere).toBe(true)
  })

  it('that are refused for their content are 403, and nothing is charged', async () => {
    const reply = await ask(host.unsafe())
    expect([reply.status, codeOf(reply)], reply.text).toEqual([403, 'content_moderation'])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
  })

  it('that are asked for wrongly are 400 in the words of the host, and nothing is charged', async () => {
    const reply = await ask(host.wrong())
    expect([reply.status, codeOf(reply)], reply.text).toEqual([400, 'unknown_4xx'])
    expect(reply.text).toContain('Too wide')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
  })

  it('that never come to be are 502, and nothing is charged', async () => {
    const reply = await ask(() => ({ headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }))
    expect(reply.status, reply.text).toBe(502)
    expect(reply.text).not.toContain('Sign in')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
  })
})

describe('images of Black Forest Labs that are paid by the megapixel', () => {
  let world: MediaWorld
  beforeAll(async () => {
    const accepted = { output_mp: 1.5, input_mp: 2, cost: 999_999 }
    world = await startMediaWorld(
      { vendor: 'black-forest-labs', path: '/v1' },
      playFlux({ timeline: ['Ready'], accepted }),
    )
    const pricing = { per_megapixel_output: '0.06', per_megapixel_input: '0.06' }
    await world.addModels([imageModel('black-forest-labs/flux.2-flex', 'black-forest-labs', { pricing })])
  })
  afterAll(() => world.close())

  it('cost what the vendor counts, and its credits are nobody’s money', async () => {
    const caller = await world.createClient({ usd: '5' })
    const image = `data:image/png;base64,${madePng.toString('base64')}`
    const body = { model: 'black-forest-labs/flux.2-flex', prompt: 'A fox', image }
    const reply = await world.post(caller, '/v1/images/generations', body)
    expect(reply.status, reply.text).toBe(200)
    // 1.5 megapixels out and 2 in, at 0.06 USD each.
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '4.79', held: '0' })
    expect(world.upstream.calls[0]?.path).toBe('/v1/flux-2-flex')
  })
})
