import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { gptTranscribe } from '../audio/audio-models.ts'
import { recordingForm } from '../audio/recording-form.ts'
import { codeOf, imageModel } from '../images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { pngOf } from '../proxy/sample-images.ts'

const byToken = 'maker/by-the-token'
const byPixel = 'maker/by-the-megapixel'

describe('an answer that is paid for', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages())
    await world.addModels([
      imageModel(byToken, 'openai', { pricing: { prompt: '0.000005', image_output_token: '0.00004' } }),
      imageModel(byPixel, 'openai', { pricing: { per_megapixel_output: '0.06' } }),
      gptTranscribe,
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playOpenAiImages())
  })
  afterAll(async () => {
    await world.close()
  })

  const ask = (body: object) =>
    world.post(caller, '/v1/images/generations', { model: byPixel, prompt: 'A fox', ...body })
  const wallet = () => world.walletOf(caller.walletId)

  it.each([
    ['with the end of a line', 'a\r\nset-cookie: b'],
    ['that no header can hold', '☃'],
    ['of a hundred thousand characters', 'a'.repeat(100_000)],
  ])('arrives, though its request had a field with a name %s', async (_, name) => {
    const document = await ask({ [name]: 1, known: 1 })
    expect(document.status).toBe(200)
    expect(document.headers.get('x-params-ignored')).toBe('known')
    expect(document.headers.get('set-cookie')).toBeNull()
    expect((await ask({ [name]: 1, stream: true })).events.at(-1)?.event).toBe('done')
  })

  it('arrives, though its request had as many fields that nobody knows as one may have', async () => {
    const fields = Object.fromEntries(Array.from({ length: 9_900 }, (_, index) => [`field_${index}`, index]))
    const { status, headers } = await ask(fields)
    expect(status).toBe(200)
    expect(headers.get('x-params-ignored')?.length).toBeLessThan(2_500)
  })

  it('[MONEY-05] of more tokens than the ledger has numbers for costs nothing, and leaves no hold', async () => {
    const tokens = Number.MAX_SAFE_INTEGER
    world.upstream.play(playOpenAiImages({ usage: { input_tokens: tokens, output_tokens: tokens } }))
    const reply = await ask({ model: byToken })
    expect(objectAt(reply.json, 'usage').cost).toBe(0)
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('of an image that says it is four billion pixels wide is none', async () => {
    const png = pngOf({ width: 8, height: 4 })
    png.writeUInt32BE(0xff_ff_ff_ff, 16)
    png.writeUInt32BE(0xff_ff_ff_ff, 20)
    world.upstream.play(() => ({ body: { data: [{ b64_json: png.toString('base64') }] } }))
    expect(codeOf(await ask({}))).toBe('pipeline_error')
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })

  it('does not cost millions because its upstream says so', async () => {
    world.upstream.play(() => ({ body: { text: 'Hello', usage: { cost: 9_000_000 } } }))
    const form = recordingForm({ model: 'openai/gpt-4o-transcribe' })
    const reply = await world.post(caller, '/v1/audio/transcriptions', form)
    expect(objectAt(reply.json, 'usage').cost).toBe(0)
    expect(await wallet()).toEqual({ balance: '5', held: '0', charged: '0' })
  })
})
