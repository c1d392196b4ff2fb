import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { noise } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream, spokenBytes } from '#test/simulators/media/audio/openai-audio.ts'
import { audioModel, tts } from './audio-models.ts'

const path = '/v1/audio/speech'
const body = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' }

const ownVoice = audioModel({
  id: 'openai/own-voice',
  kind: 'speech',
  provider: 'openai',
  pricing: { per_character: '0.00003' },
  rest: { default_voice: 'marin', max_input_characters: 8 },
})
const unpriced = audioModel({
  id: 'openai/by-tokens',
  kind: 'speech',
  provider: 'openai',
  pricing: { prompt: '0.0000025', completion: '0.00001' },
})

describe('POST /v1/audio/speech', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    await world.addModels([tts, ownVoice, unpriced])
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world.upstream.play(openAiAudioUpstream)
    world.upstream.calls.length = 0
    caller = await world.createClient()
  })

  const sent = () => world.upstream.calls.at(-1)?.json ?? {}

  it("[AUDIO-07] answers with the upstream's bytes, unchanged", async () => {
    const { status, bytes, headers } = await world.post(caller, path, body)
    expect(status).toBe(200)
    expect(bytes.equals(spokenBytes)).toBe(true)
    expect(headers.get('content-type')).toBe('audio/mpeg')
    expect(headers.get('x-generation-id')).toMatch(/^gen-/)
    expect(sent()).toEqual({ model: 'tts-1', input: 'Hello', voice: 'alloy' })
  })

  it('[AUDIO-07] passes a megabyte as it is, under the type of its upstream', async () => {
    const long = noise(1_048_576)
    world.upstream.play(() => ({ headers: { 'content-type': 'audio/x-own; rate=8000' }, body: long }))
    const { bytes, headers } = await world.post(caller, path, body)
    expect(bytes.equals(long)).toBe(true)
    expect(headers.get('content-type')).toBe('audio/x-own; rate=8000')
  })

  it.each([
    [undefined, 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['pcm', 'audio/pcm'],
    ['other', 'application/octet-stream'],
  ])('[AUDIO-07] names the type by the format %s where the upstream does not', async (response_format, type) => {
    world.upstream.play(() => ({ body: noise(10) }))
    const { headers } = await world.post(caller, path, { ...body, response_format })
    expect(headers.get('content-type')).toBe(type)
  })

  it('[AUDIO-08] response_format and speed reach the upstream unchanged, and so do fields of its own', async () => {
    const options = { response_format: 'opus', speed: 1.75, instructions: 'Whisper.', lang_code: 'a' }
    await world.post(caller, path, { ...body, ...options, provider: { order: ['openai'] } })
    expect(sent()).toEqual({ ...body, model: 'tts-1', ...options })
  })

  it.each([
    ['Hello', '0.000075'],
    ['Größe', '0.000075'],
    ['日本語', '0.000045'],
    ['👩‍🚀 ok', '0.00009'],
    ['x', '0.000015'],
  ])('[AUDIO-09] %j is charged its characters at the price per character', async (input, charged) => {
    await world.post(caller, path, { ...body, input })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged, held: '0' })
  })

  it('[AUDIO-09] the receipt says how many characters there were', async () => {
    const { headers } = await world.post(caller, path, body)
    const id = headers.get('x-generation-id')
    const { data } = await world.as(caller).get(`/v1/generation?id=${id}`)
    expect(data).toMatchObject({ total_cost: 0.000075, model: 'openai/tts-1' })
    expect(JSON.stringify(data['receipt'])).toContain('"count":5')
  })

  it('[AUDIO-09] holds what the text will cost, to the nano-dollar', async () => {
    const poor = await world.createClient({ usd: '0.000074999' })
    expect((await world.post(poor, path, body)).status).toBe(402)
    const enough = await world.createClient({ usd: '0.000075' })
    expect((await world.post(enough, path, body)).status).toBe(200)
    expect(await world.walletOf(enough.walletId)).toMatchObject({ balance: '0', charged: '0.000075' })
  })

  it('[AUDIO-10] every model that is listed for speech is accepted', async () => {
    const { list: models } = await world.as().get('/v1/models?output_modalities=speech')
    const ids = models.map(({ id }) => String(id))
    expect(ids).toEqual(expect.arrayContaining(['openai/tts-1', 'openai/own-voice']))
    expect(ids).not.toContain('openai/by-tokens')
    for (const model of ids) {
      const asked = model === 'test/speech' ? { ...body, voice: 'tone', response_format: 'wav' } : body
      const { status, text } = await world.post(caller, path, { ...asked, model })
      // Only OpenAI has a provider here, and test models need none.
      if (/^(openai|test)\//.test(model)) expect(status, model).toBe(200)
      else expect(text, model).toContain('No provider is configured')
    }
  })

  it.each([
    ['a chat model', { model: 'openai/gpt-5.2' }, 'model_endpoint_mismatch'],
    ['a model without a price by the character', { model: 'openai/by-tokens' }, 'model_not_priced'],
    ['an unknown model', { model: 'openai/tts-9' }, 'unknown_model'],
    ['no model', { model: undefined }, 'missing_required_field'],
    ['no input', { input: undefined }, 'missing_required_field'],
    ['an empty input', { input: '' }, 400],
    ['a list as input', { input: ['Hello'] }, 400],
    ['half a character', { input: 'a\ud800' }, 400],
    ['too long an input', { input: 'x'.repeat(4_097) }, 400],
    ['more than the model speaks at once', { model: 'openai/own-voice', input: 'x'.repeat(9) }, 400],
    ['no voice', { voice: undefined }, 'missing_required_field'],
    ['a voice that is no text', { voice: 7 }, 400],
    ['a speed of nothing', { speed: 0 }, 400],
    ['a format that is no text', { response_format: {} }, 400],
    ['events', { stream_format: 'sse' }, 'unsupported_param'],
  ])('[AUDIO-10] answers %s with 400, and asks nobody', async (_, change, code) => {
    const { status, json } = await world.post(caller, path, { ...body, ...change })
    expect([status, objectAt(json, 'error')['code']]).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
  })

  it('speaks 4096 characters, however many bytes those are', async () => {
    const { status } = await world.post(caller, path, { ...body, input: '😀'.repeat(4_096) })
    expect(status).toBe(200)
  })

  it('speaks in the voice of the model where none is named', async () => {
    const { status } = await world.post(caller, path, { ...body, model: 'openai/own-voice', voice: undefined })
    expect(status).toBe(200)
    expect(sent()).toMatchObject({ voice: 'marin' })
  })
})
