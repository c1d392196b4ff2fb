import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { tts } from '../audio/audio-models.ts'
import { codeOf, imageModel } from '../images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'

describe('an upstream that sends something else', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, () => ({ status: 500 }))
    await world.addModels([tts, imageModel('maker/by-the-image', 'openai')])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '20' })
    world.upstream.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
  })

  const speak = (type: string) => {
    world.upstream.play(() => ({ headers: { 'content-type': type }, body: 'bytes' }))
    return world.post(caller, '/v1/audio/speech', { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' })
  }

  it.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'application/javascript',
    'multipart/x-mixed-replace; boundary=x',
    'audio/mpeg, text/html',
    'text/event-stream',
  ])('than speech, of the type %s, is not passed on nor paid for', async (type) => {
    expect((await speak(type)).status).toBe(502)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '20', held: '0', charged: '0' })
  })

  it.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['audio/L16;rate=24000;channels=1', 'audio/L16;rate=24000;channels=1'],
    ['application/octet-stream', 'audio/mpeg'],
    ['binary/octet-stream', 'audio/mpeg'],
  ])('is not one that sends %s, which is passed on as %s', async (type, shown) => {
    const { status, headers } = await speak(type)
    expect([status, headers.get('content-type')]).toEqual([200, shown])
  })

  it('more images than an order may name can not be ordered in a conversation either', async () => {
    world.upstream.play(playOpenAiImages())
    const messages = [{ role: 'user', content: 'A fox' }]
    const ask = (n: number) => world.post(caller, '/v1/chat/completions', { model: 'maker/by-the-image', messages, n })
    expect(codeOf(await ask(11))).toBe('invalid_n')
    expect(world.upstream.calls).toEqual([])
    expect((await ask(10)).status).toBe(200)
  })
})
