import { describe, expect, it } from 'vitest'
import { blackForestLabs } from '#providers/vendors/black-forest-labs/index.ts'
import { type FluxScript, playFlux } from '#test/simulators/media/images/flux.ts'
import { base64Of, dataInput, fileInput, hostileAnswers, memoryFile, urlInput, useHost } from './host-world.ts'

const host = useHost(blackForestLabs, '/v1')
const pro = { model: 'flux-2-pro' }

describe('a task at Black Forest Labs', () => {
  it('is submitted and polled where the vendor says, until it is ready', async () => {
    const { result, pausesMs } = await host.make(playFlux(), { ...pro, size: { width: 1_024, height: 768 } })
    const [submit, ...polls] = host.calls()
    expect([submit?.method, submit?.path, submit?.headers['x-key']]).toEqual(['POST', '/v1/flux-2-pro', 'secret'])
    expect(submit?.json).toEqual({ prompt: 'a fox', width: 1_024, height: 768 })
    expect(polls.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'GET /v1/get_result?id=task-1'),
    )
    expect(polls.every(({ headers }) => headers['x-key'] === 'secret')).toBe(true)
    expect(pausesMs).toEqual([500, 750, 1_125])
    expect(result.images).toEqual([{ kind: 'url', url: expect.stringMatching(/\/made\/task-1\.png$/) }])
    // Credits are not money; the vendor's price is per megapixel.
    expect(result.usage?.media).toEqual({
      outputImages: 1,
      inputImages: 0,
      outputPixels: 1_050_000,
      inputPixels: 0,
      variant: { size: '1024x768', resolution: '1K' },
    })
  })

  it('[IMG-09] is one image, so that two are two tasks after each other, counted together', async () => {
    const { result } = await host.make(playFlux({ timeline: ['Ready'] }), { ...pro, count: 2, inputs: [urlInput] })
    expect(host.calls().map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET'])
    expect(result.images).toHaveLength(2)
    expect(result.usage?.media).toMatchObject({ outputImages: 2, inputImages: 2, outputPixels: 2_100_000 })
  })

  it('never pauses longer than two seconds', async () => {
    const timeline = [...Array.from({ length: 9 }, () => 'Pending'), 'Ready']
    const { pausesMs } = await host.make(playFlux({ timeline }), pro)
    expect(pausesMs).toHaveLength(10)
    expect(Math.max(...pausesMs)).toBe(2_000)
  })

  it('takes states that nobody knows for running', async () => {
    const { result } = await host.make(playFlux({ timeline: ['Warming up', '', 'Ready'] }), pro)
    expect(result.images).toHaveLength(1)
  })

  it('outlives a poll that fails, and waits as long as it is told', async () => {
    let failures = 0
    const refuse: FluxScript['refuse'] = (_, submit) =>
      submit === null && failures++ < 2 ? { status: 503, headers: { 'retry-after': '3' }, body: 'busy' } : undefined
    const { result, pausesMs } = await host.make(playFlux({ refuse, timeline: ['Ready'] }), pro)
    expect(result.images).toHaveLength(1)
    expect(pausesMs).toEqual([500, 3_000, 3_000])
  })

  it('gives up polls that go on failing', async () => {
    const handler = playFlux({ refuse: (_, submit) => (submit === null ? { status: 500 } : undefined) })
    expect(await host.refusalOf(handler, pro)).toMatchObject({ errorName: 'upstreamUnavailable' })
    expect(host.calls()).toHaveLength(7)
  })
})

describe('[IMG-08] the form of an image', () => {
  it.each([
    ['flux-2-pro', { size: { width: 1_000, height: 1_000 } }, { width: 1_008, height: 1_008 }],
    ['flux-2-pro', { size: { width: 4_096, height: 4_096 } }, { width: 2_048, height: 2_048 }],
    ['flux.2-flex', { aspectRatio: '16:9' }, { width: 1_360, height: 768 }],
    ['flux-2-pro', { extras: { resolution: '2K' } }, { width: 2_048, height: 2_048 }],
    ['flux-pro-1.1', { size: { width: 1_792, height: 1_024 } }, { width: 1_440, height: 832 }],
    ['flux-pro-1.1-ultra', { size: { width: 1_792, height: 1_024 } }, { aspect_ratio: '16:9' }],
    ['flux-kontext-pro', { size: { width: 1_024, height: 1_024 } }, { aspect_ratio: '1:1' }],
    ['flux-kontext-max', {}, {}],
    ['flux-2-pro', {}, {}],
  ])('of %s asked as %j is %j', async (model, order, form) => {
    await host.make(playFlux(), { model, ...order })
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', ...form })
    expect(host.calls()[0]?.path).toBe(`/v1/${model.replace('flux.2', 'flux-2')}`)
  })
})

describe('images to start from', () => {
  it('are addresses where it takes them, and base64 otherwise', async () => {
    await host.make(playFlux(), { ...pro, inputs: [urlInput, fileInput, dataInput] })
    expect(host.calls()[0]?.json).toEqual({
      prompt: 'a fox',
      input_image: 'https://pictures.example/one.png',
      input_image_2: base64Of('file bytes'),
      input_image_3: base64Of('data bytes'),
    })
  })

  it('are fetched for models that take base64 alone', async () => {
    const { fetched } = await host.make(playFlux(), {
      model: 'flux-pro-1.1',
      count: 2,
      inputs: [urlInput],
      imageAt: () => memoryFile('fetched bytes'),
    })
    expect(fetched).toEqual(['https://pictures.example/one.png'])
    expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', image_prompt: base64Of('fetched bytes') })
  })

  it('are refused before anybody is asked where there are too many or none', async () => {
    const two = { model: 'flux-pro-1.1', inputs: [urlInput, urlInput] }
    await expect(host.make(playFlux(), two)).rejects.toMatchObject({ errorName: 'tooManyImages' })
    await expect(host.make(playFlux(), { model: 'flux-pro-1.0-fill' })).rejects.toMatchObject({
      errorName: 'missingImage',
    })
    expect(host.calls()).toHaveLength(0)
  })
})

it('passes on what the host knows of the other fields, and nothing that could call or unlock something', async () => {
  const extras = { seed: 7, webhook_url: 'https://evil.example', safety_tolerance: 6, prompt: 'another', style: {} }
  await host.make(playFlux(), { ...pro, extras, details: { upstream_fixed_params: { steps: 20 } } })
  expect(host.calls()[0]?.json).toEqual({ prompt: 'a fox', seed: 7, steps: 20 })
})

describe('what comes to nothing', () => {
  it.each(['Request Moderated', 'Content Moderated'])(
    '%s is refused content, which nobody else is asked',
    async (status) => {
      const refusal = await host.refusalOf(playFlux({ timeline: ['Pending', status] }), pro)
      expect(refusal).toMatchObject({ action: 'give-up', errorName: 'contentModeration' })
      expect(refusal.message).toContain('Derivative Works Filter')
    },
  )

  it.each(['Error', 'Failed', 'Task not found'])('%s is tried elsewhere', async (status) => {
    const refusal = await host.refusalOf(playFlux({ timeline: [status] }), pro)
    expect(refusal).toMatchObject({ action: 'fail-over', errorName: 'upstreamUnavailable' })
  })

  it.each([
    [
      422,
      { detail: [{ loc: ['body', 'width'], msg: 'must be at most 4096', type: 'x' }] },
      'give-up',
      'unknownUpstream4xx',
    ],
    [400, { detail: 'Invalid image' }, 'give-up', 'unknownUpstream4xx'],
    [402, { detail: 'Insufficient credits' }, 'fail-over', 'upstreamUnavailable'],
    [403, { detail: 'Not authenticated' }, 'fail-over', 'upstreamAuthFailed'],
    [404, { detail: 'Not Found' }, 'fail-over', 'upstreamUnavailable'],
    [429, { detail: 'Rate limit exceeded' }, 'retry', 'upstreamRateLimited'],
    [500, 'oops', 'retry', 'upstreamUnavailable'],
    [503, '<html>busy</html>', 'retry', 'upstreamUnavailable'],
  ])('a submit refused with %i %j', async (status, body, action, errorName) => {
    const refusal = await host.refusalOf(playFlux({ refuse: () => ({ status, body }) }), pro)
    expect(refusal).toMatchObject({ action, errorName })
    if (status === 422) expect(refusal.message).toBe('must be at most 4096')
  })
})

describe('a hostile answer', () => {
  it.each([
    'https://evil.example/v1/get_result?id=1',
    'https://api.bfl.ai.evil.example/v1/get_result?id=1',
    'https://evilbfl.ai/v1/get_result?id=1',
    'https://api.bfl.ai@evil.example/',
    'https://api.bfl.ai:8443/v1/get_result?id=1',
    'http://api.bfl.ai/v1/get_result?id=1',
    'http://127.0.0.1:1/v1/get_result?id=1',
    'file:///etc/passwd',
    '/v1/get_result?id=1',
    '',
  ])('that has tasks polled at %s is not followed with our key', async (address) => {
    expect(await host.isUnusable(playFlux({ pollingUrl: () => address }), pro)).toBe(true)
    expect(host.calls()).toHaveLength(1)
  })

  it.each(hostileAnswers)('to a submit: %s', async (_, answer) => {
    expect(await host.isUnusable(playFlux({ refuse: () => answer }), pro)).toBe(true)
  })

  it.each(hostileAnswers.slice(0, 5))('to a poll: %s', async (_, answer) => {
    const refuse: FluxScript['refuse'] = (_call, submit) => (submit === null ? answer : undefined)
    expect(await host.isUnusable(playFlux({ refuse }), pro)).toBe(true)
  })

  it.each([undefined, 7, '', 'javascript:alert(1)', 'file:///etc/passwd', 'x'.repeat(10_000)])(
    'whose image is at %s',
    async (sample) => {
      const refuse: FluxScript['refuse'] = (_, submit) =>
        submit === null ? { body: { id: 'a', status: 'Ready', result: { sample } } } : undefined
      expect(await host.isUnusable(playFlux({ refuse }), pro)).toBe(true)
    },
  )

  it.each([-1, 1e300, 'many', null])('that counts %s megapixels is not charged by them', async (count) => {
    const { result } = await host.make(playFlux({ accepted: { output_mp: count, input_mp: count } }), pro)
    expect(result.usage?.media).toEqual({ outputImages: 1, inputImages: 0, variant: {} })
  })
})

it('polls a region of the vendor where it is sent there, and by the id where it is sent nowhere', () => {
  const codec = blackForestLabs.media.image
  const target = {
    baseUrl: 'https://api.bfl.ai/v1',
    authentication: blackForestLabs.authentication,
    credential: 'secret',
    upstreamModel: 'flux-2-pro',
    model: 'm',
    details: {},
  }
  const pollOf = (accepted: object) => {
    const task = { kind: 'image', prompt: 'a', count: 1, size: null, aspectRatio: null, quality: null } as const
    const conversation = codec?.converse({ ...task, inputs: [], extras: {} }, target)
    conversation?.next()
    conversation?.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(accepted)) })
    const step = conversation?.next()
    if (step?.done !== false || step.value.kind !== 'send') throw new Error('there was no poll')
    return step.value.request
  }
  const regional = pollOf({ id: 'a', polling_url: 'https://api.us1.bfl.ai/v1/get_result?id=a' })
  expect(regional).toMatchObject({ method: 'GET', origin: 'https://api.us1.bfl.ai', path: '/v1/get_result?id=a' })
  expect(regional.headers['x-key']).toBe('secret')
  expect(pollOf({ id: 'a b' })).toMatchObject({ origin: 'https://api.bfl.ai', path: '/v1/get_result?id=a%20b' })
})
