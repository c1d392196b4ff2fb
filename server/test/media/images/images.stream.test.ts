import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
// Not an expectation: the heartbeat is under test, and its minutes are written out.
import { imageHeartbeat } from '#dialects/images/image-events.ts'
import { createKeepAlives } from '#pipeline/dispatch/answer/keep-alives.ts'
import type { ClientConnection } from '#pipeline/types.ts'
import { gptImageUsage, playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { codeOf, imageModel, proxyUrl } from './images-world.ts'

const model = 'maker/by-the-token'

describe('a stream of POST /v1/images/generations', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages())
    await world.addModels([
      imageModel(model, 'openai', { pricing: { prompt: '0.000005', image_output_token: '0.00004' } }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playOpenAiImages({ usage: gptImageUsage }))
  })
  afterAll(() => world.close())

  const ask = (body: object = {}, headers: Record<string, string> = {}) =>
    world.post(caller, '/v1/images/generations', { model, prompt: 'A fox', stream: true, ...body }, headers)

  it('[IMG-11] is one of events, with and without an Accept header', async () => {
    for (const headers of [{}, { accept: 'text/event-stream' }, { accept: 'application/json' }]) {
      const reply = await ask({}, headers)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
      expect(reply.events.at(-1)).toEqual({ event: 'done', data: {} })
    }
  })

  it('[IMG-13] tells of each image where its upstream has it and where we do', async () => {
    world.upstream.play(playOpenAiImages({ as: 'address' }))
    const events = (await ask({ n: 2 })).events
    expect(events.map(({ event, data }) => [event, data.index])).toEqual([
      ['image', 0],
      ['image-cached', 0],
      ['image', 1],
      ['image-cached', 1],
      ['usage', undefined],
      ['done', undefined],
    ])
    expect(events[0]?.data.url).toBe(`${world.upstream.url}/made/image-0.png`)
    expect(events[1]?.data.url).toMatch(proxyUrl)
    const cached = await world.fetchOwn(String(events[3]?.data.url))
    expect([cached.status, cached.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('[IMG-13] names our address twice where the upstream sent bytes', async () => {
    const [made, cached] = (await ask()).events
    expect(made?.data.url).toMatch(proxyUrl)
    expect(made?.data.url).toBe(cached?.data.url)
  })

  it('[IMG-14] [IMG-15] ends with one usage, whose cost is settled by then, and done', async () => {
    const events = (await ask()).events
    expect(events.filter(({ event }) => event === 'usage')).toEqual([
      {
        event: 'usage',
        data: {
          promptTokens: 50,
          completionTokens: 1_056,
          // 50 × 0.000005 + 1,056 × 0.00004
          cost: 0.04249,
          durationMs: expect.any(Number),
          imageCount: 1,
        },
      },
    ])
    expect(events.at(-1)).toEqual({ event: 'done', data: {} })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '4.95751', held: '0' })
  })

  it('refuses before its first byte with a status, as any request', async () => {
    const reply = await ask({ n: 0 })
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_n'])
  })
})

describe('the heartbeat of an image stream', () => {
  it('is sent as often as it says, whatever the operator has set for chats', async () => {
    let nowMs = 0
    const sent: number[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const caller: ClientConnection = {
      gone: false,
      streaming: true,
      blockedSinceMs: null,
      get quietSinceMs() {
        return sent.at(-1) ?? 0
      },
      write: () => {
        sent.push(nowMs)
        if (sent.length === 3) resolve()
        return true
      },
      onGone: () => undefined,
      startStream: () => undefined,
      onDrain: () => undefined,
      onSent: () => undefined,
      end: () => undefined,
      drop: () => undefined,
    }
    // Every clock read is ten seconds later, so that minutes pass immediately.
    const keepAlives = createKeepAlives({ everyMs: 200, nowMs: () => (nowMs += 10_000) })
    keepAlives.watch(caller, imageHeartbeat, () => undefined)
    await promise
    keepAlives.stop()
    expect(sent).toEqual([60_000, 120_000, 180_000])
  })
})
