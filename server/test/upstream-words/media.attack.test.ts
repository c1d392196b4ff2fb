import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { audioModel, tts, whisper } from '#test/media/audio/audio-models.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import { imageModel } from '#test/media/images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { playReplicate } from '#test/simulators/media/images/replicate.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { leakedIn, longestPiece, longSentence, sentences } from './leaks.ts'

const embeddings = {
  ...audioModel({ id: 'openai/vector', kind: 'speech', provider: 'openai', pricing: { prompt: '0.00001' } }),
  kind: 'embedding',
  input_modalities: ['text'],
  output_modalities: ['embeddings'],
}

const requests: readonly [string, string, () => JsonObject | FormData][] = [
  ['images', '/v1/images/generations', () => ({ model: 'openai/gpt-image-1', prompt: 'A weir' })],
  ['images in a chat', '/v1/chat/completions', () => ({ model: 'openai/gpt-image-1', ...said, modalities: ['image'] })],
  ['vectors', '/v1/embeddings', () => ({ model: 'openai/vector', input: 'A weir' })],
  ['speech', '/v1/audio/speech', () => ({ model: 'openai/tts-1', input: 'A weir', voice: 'alloy' })],
  ['transcripts', '/v1/audio/transcriptions', () => recordingForm({ model: 'openai/whisper-1' })],
]
const said = { messages: [{ role: 'user', content: 'A weir' }] }

function refusal(message: string): MediaHandler {
  return () => ({ status: 400, body: { error: { message } } })
}

describe('what a host of media says of a request', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, refusal(''))
    await world.addModels([imageModel('openai/gpt-image-1', 'openai'), embeddings, tts, whisper])
    caller = await world.createClient({ usd: '100' })
  })
  afterAll(() => world.close())

  it.each(requests)('[B8] holds no secret and is bounded where it makes %s', async (_made, path, body) => {
    for (const sentence of sentences) {
      world.upstream.play(refusal(sentence))
      const reply = await world.post(caller, path, body())
      expect(reply.status, reply.text).toBe(400)
      expect(reply.text).toContain('The field is wrong')
      expect(leakedIn(reply.text)).toEqual([])
    }
    world.upstream.play(refusal(longSentence))
    const { text } = await world.post(caller, path, body())
    expect(longestPiece(text)).toBeGreaterThan(100)
    expect(longestPiece(text)).toBeLessThanOrEqual(500)
    expect(leakedIn(world.logLines.join('\n'))).toEqual([])
  })
})

describe('what a host says of a task that it took and gave up', () => {
  let world: MediaWorld
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'replicate', path: '/v1' }, playReplicate())
    await world.addModels([imageModel('acme/painter', 'replicate', { upstream: 'black-forest-labs/flux-2-pro' })])
  })
  afterAll(() => world.close())

  it('[B8] holds no secret and is bounded', async () => {
    const caller = await world.createClient({ usd: '5' })
    for (const sentence of [...sentences, longSentence]) {
      world.upstream.play(playReplicate({ timeline: ['failed'], error: `NSFW content detected. ${sentence}` }))
      const reply = await world.post(caller, '/v1/images/generations', { model: 'acme/painter', prompt: 'A fox' })
      expect(reply.status, reply.text).toBe(403)
      expect(leakedIn(reply.text)).toEqual([])
      expect(longestPiece(reply.text)).toBeLessThanOrEqual(500)
    }
    expect(leakedIn(world.logLines.join('\n'))).toEqual([])
  })
})
