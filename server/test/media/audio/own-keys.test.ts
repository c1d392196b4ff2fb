import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ByokHome, type ByokWorld, startByokWorld } from '#test/routing/byok-world.ts'
import { openAiAudioUpstream, spokenBytes } from '#test/simulators/media/audio/openai-audio.ts'
import { type MediaHandler, type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { recordingForm } from './recording-form.ts'

const ownHost: MediaHandler = (call, response) =>
  call.path === '/v1/models' ? { body: { object: 'list', data: [] } } : openAiAudioUpstream(call, response)

describe("an organization's own key with a host of OpenAI's API that nobody knows", () => {
  let world: ByokWorld
  let upstream: MediaUpstream
  let home: ByokHome
  beforeAll(async () => {
    world = await startByokWorld()
    upstream = await startMediaUpstream(ownHost)
    home = await world.newByokHome()
    await home.addOwnKey({
      baseUrl: `${upstream.url}/v1`,
      apiKey: 'upstream-secret',
      modelMappings: [
        { model: 'openai/tts-1', upstreamModel: 'tts-1', enabled: true },
        { model: 'openai/whisper-large-v3', upstreamModel: 'whisper-1', enabled: true },
      ],
    })
  })
  afterAll(async () => {
    await upstream.close()
    await world.close()
  })

  it('[AUDIO-07] speaks, and costs nothing here', async () => {
    const body = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' }
    const response = await world.as(home.key).post('/v1/audio/speech', body)
    expect(response.status).toBe(200)
    expect(response.bytes.equals(spokenBytes)).toBe(true)
  })

  it('[AUDIO-05] transcribes, and costs nothing here', async () => {
    const form = recordingForm({ model: 'openai/whisper-large-v3' })
    const response = await world.as(home.key).post('/v1/audio/transcriptions', form)
    expect(response.json).toMatchObject({
      text: 'Hello there. How are you?',
      usage: { type: 'duration', seconds: 9, cost: 0 },
    })
  })
})
