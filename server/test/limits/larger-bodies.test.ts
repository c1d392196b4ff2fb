import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { gptTranscribe } from '#test/media/audio/audio-models.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'

const megabyte = 1_048_576

/** A data URI of a picture, with as many bytes after its end. */
const picture = (bytes: number): string =>
  `data:image/png;base64,${Buffer.concat([pngOf(), Buffer.alloc(bytes)]).toString('base64')}`
const look = (url: string): JsonObject => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })

/** A recording with silence and then nothing, of so many bytes. */
const padded = (bytes: number) => {
  const sound = silence(1)
  return Buffer.concat([sound, Buffer.alloc(bytes - sound.length)])
}

describe('a gateway that accepts conversations of 20 MB', () => {
  let world: MoneyWorld
  beforeAll(async () => {
    world = await startMoneyWorld({ WEIR_BODIES_CONVERSATION_BYTES_MAX: String(20 * megabyte) })
  })
  afterAll(() => world.close())
  beforeEach(() => world.upstream.forget())

  const send = async (path: string, body: JsonObject) => {
    const client = world.as(await world.createClient())
    return client.post(path, { model: 'openai/gpt-5.2', max_tokens: 10, ...body })
  }

  it('[NEXT-160] relays one of nearly 20 MB', async () => {
    const url = picture(14 * megabyte)
    expect((await send('/v1/chat/completions', { messages: [look(url)] })).status).toBe(200)
    expect(JSON.stringify(world.upstream.requests[0]?.body).includes(url)).toBe(true)
    await world.expectSoundBooks()
  })

  it('[NEXT-160] counts and prices one as large, without a request to the upstream', async () => {
    const messages = [look(picture(14 * megabyte))]
    expect((await send('/v1/quote', { messages })).status).toBe(200)
    const counted = [{ role: 'user', content: 'x'.repeat(15 * megabyte) }]
    expect((await send('/v1/messages/count_tokens', { messages: counted })).status).toBe(200)
    expect(world.upstream.requests).toEqual([])
  })

  it.each([
    ['/v1/chat/completions', 16],
    ['/v1/embeddings', 8],
    ['/v1/runs', 8],
  ])('[NEXT-160] still rejects more, and other bodies as before: %s', async (path, size) => {
    const reply = await send(path, { messages: [look(picture(size * megabyte))] })
    expect(reply.status).toBe(413)
  })

  it('[NEXT-160] reads account requests of nearly 10 MB', async () => {
    expect((await send('/v1/runs', { note: 'x'.repeat(9 * megabyte) })).status).toBe(400)
  })
})

describe('a gateway that accepts recordings of 25 MB', () => {
  let world: MediaWorld
  beforeAll(async () => {
    const settings = { WEIR_BODIES_RECORDING_BYTES_MAX: String(25 * megabyte) }
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream, settings)
    await world.addModels([gptTranscribe])
  })
  afterAll(() => world.close())

  const path = '/v1/audio/transcriptions'
  const model = 'openai/gpt-4o-transcribe'

  it('[NEXT-160] sends one on byte for byte', async () => {
    const bytes = padded(25 * megabyte - 2_048)
    const { status } = await world.post(await world.createClient(), path, recordingForm({ model }, { bytes }))
    expect(status).toBe(200)
    const call = world.upstream.calls.at(-1)
    expect(call === undefined ? null : (await sentForm(call)).file?.bytes.equals(bytes)).toBe(true)
  })

  it.each([
    ['a form', () => recordingForm({ model }, { bytes: padded(25 * megabyte) })],
    ['JSON', () => ({ model, input_audio: { data: padded(19 * megabyte).toString('base64'), format: 'wav' } })],
  ])('[NEXT-160] rejects more, as %s', async (_kind, make) => {
    expect((await world.post(await world.createClient(), path, make())).status).toBe(413)
  })
})
