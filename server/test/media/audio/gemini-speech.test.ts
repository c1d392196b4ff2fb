import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wavOf } from '#domain/media/wav-of.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { playGeminiSpeech, spokenSamples } from '#test/simulators/media/audio/gemini-speech.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { audioModel } from './audio-models.ts'

const pricing = { prompt: '0.0000005', completion: '0.00001' }
const model = audioModel({
  id: 'google/gemini-2.5-flash-preview-tts',
  kind: 'speech',
  provider: 'google-ai-studio',
  pricing,
})
const uncounted = audioModel({ id: 'openai/gpt-4o-mini-tts', kind: 'speech', provider: 'openai', pricing })

describe('speech that is charged by tokens', () => {
  let world: MediaWorld
  let openAi: MediaUpstream
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'google-ai-studio', path: '/v1' }, playGeminiSpeech())
    openAi = await startMediaUpstream(openAiAudioUpstream)
    await world.addProvider({ vendor: 'openai', url: `${openAi.url}/v1`, pattern: 'openai/*' })
    await world.addModels([model, uncounted])
  })
  afterAll(async () => {
    await openAi.close()
    await world.close()
  })
  beforeEach(async () => {
    world.upstream.play(playGeminiSpeech())
    caller = await world.createClient()
  })

  const speak = (rest: object = {}) =>
    world.post(caller, '/v1/audio/speech', { model: model['id'], input: 'Hello', voice: 'Kore', ...rest })
  const wallet = () => world.walletOf(caller.walletId)

  it('costs what its text and its sound cost, each at its own price', async () => {
    const { status } = await speak()
    // 4 text tokens and 60 audio tokens.
    expect([status, (await wallet()).charged]).toEqual([200, '0.000602'])
  })

  it.each([
    ['wav', 'audio/wav', wavOf(spokenSamples, 24_000)],
    [undefined, 'audio/wav', wavOf(spokenSamples, 24_000)],
    ['pcm', 'audio/pcm', spokenSamples],
  ])('comes as %s in the type %s', async (response_format, type, expected) => {
    const { bytes, headers } = await speak({ response_format })
    expect([headers.get('content-type'), bytes.equals(expected)]).toEqual([type, true])
  })

  it('is refused in a format that Gemini does not speak in', async () => {
    const { status, json } = await speak({ response_format: 'mp3' })
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain('Use one of wav, pcm')
  })

  it('is held for up to the cap on its sound, so that a wallet without that much cannot ask', async () => {
    // 5 bytes and 16 tokens around them, and 16,384 audio tokens: 0.1638505 USD.
    caller = await world.createClient({ usd: '0.1638504' })
    expect((await speak()).status).toBe(402)
    caller = await world.createClient({ usd: '0.1638505' })
    expect((await speak()).status).toBe(200)
  })

  it('costs nothing where Gemini counted nothing', async () => {
    world.upstream.play(playGeminiSpeech({ usageMetadata: null }))
    const { status } = await speak()
    expect([status, (await wallet()).charged]).toEqual([200, '0'])
  })

  it('fails where the answer holds no sound, and costs nothing', async () => {
    world.upstream.play(playGeminiSpeech({ candidates: [{ finishReason: 'OTHER', index: 0 }] }))
    const { status } = await speak()
    expect([status, (await wallet()).charged]).toEqual([502, '0'])
  })

  it('is refused where its host counts no tokens, and its model is not listed', async () => {
    const { status } = await speak({ model: uncounted['id'], voice: 'alloy' })
    expect([status, openAi.calls.length]).toEqual([400, 0])
    const listed = (await world.as(caller).get('/v1/models?output_modalities=speech')).text
    expect(listed).toContain('gemini-2.5-flash-preview-tts')
    expect(listed).not.toContain('gpt-4o-mini-tts')
  })
})
