import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { imageModel } from '../images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'

const model = 'maker/by-the-image'
const unstorable = ['\0', 'low\0', '\ud800', '\udfff']

describe('an image whose words Postgres can not store', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages())
    await world.addModels([imageModel(model, 'openai')])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
  })

  const wallet = () => world.walletOf(caller.walletId)

  it.each(['quality', 'resolution', 'size', 'aspect_ratio'])('is not made where they are its %s', async (field) => {
    for (const word of [...unstorable, 'high'.repeat(1_000)]) {
      const order = { model, prompt: 'A fox', [field]: word }
      expect((await world.post(caller, '/v1/images/generations', order)).status).toBe(400)
    }
    expect(world.upstream.calls).toEqual([])
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it.each(['quality', 'resolution', 'size', 'aspect_ratio'])(
    'is charged in a conversation, with them as %s',
    async (field) => {
      for (const word of unstorable) {
        const messages = [{ role: 'user', content: 'A fox' }]
        const reply = await world.post(caller, '/v1/chat/completions', {
          model,
          messages,
          image_config: { [field]: word },
        })
        expect(objectAt(reply.json, 'usage').cost).toBe(0.04)
      }
      expect(await wallet()).toEqual({ balance: '4.84', held: '0', charged: '0.16' })
    },
  )

  it('is charged also where the words are those of its upstream', async () => {
    const chat = await world.createClient({ usd: '5' })
    world.upstream.play(() => ({
      body: {
        id: 'x',
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason: 'stop\0\ud800', message: { role: 'assistant', content: 'Hi' } }],
        usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
      },
    }))
    const messages = [{ role: 'user', content: 'Hi' }]
    const reply = await world.post(chat, '/v1/chat/completions', { model: 'openai/gpt-5.2', messages })
    const { charged, held } = await world.walletOf(chat.walletId)
    expect(Number(charged)).toBe(objectAt(reply.json, 'usage').cost)
    expect(held).toBe('0')
  })
})
