import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wavLengthMs } from '#domain/media/wav-length.ts'
import { objectAt } from '#lib/json.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { audioModel } from './audio-models.ts'
import { createEspeak } from './real/espeak.ts'
import { requireVoices } from './real/require-voices.ts'
import { hearRecording, sphinxUpstream } from './real/sphinx.ts'
import { recordingForm } from './recording-form.ts'

const voice = 'en-us+f3'
const speed = 0.8
const perSecond = { per_second_input: '0.0001' }

// The recogniser uses a core for a second, and on a busy machine for many.
describe('a real voice and a real ear behind the gateway', () => {
  let world: MediaWorld
  let ear: MediaUpstream
  let caller: TestClient
  const voices = createEspeak()
  beforeAll(async () => {
    requireVoices()
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, voices.handler)
    ear = await startMediaUpstream(sphinxUpstream)
    await world.addProvider({ vendor: 'vllm', url: `${ear.url}/v1`, pattern: 'cmu/*' })
    await world.addModels([
      audioModel({ id: 'espeak/ng', kind: 'speech', provider: 'openai', pricing: { per_character: '0.00001' } }),
      audioModel({ id: 'cmu/english', kind: 'transcription', provider: 'vllm', pricing: perSecond }),
      audioModel({ id: 'cmu/digits', kind: 'transcription', provider: 'vllm', pricing: perSecond }),
    ])
    caller = await world.createClient()
  })
  afterAll(async () => {
    await ear?.close()
    await world?.close()
  })

  async function speak(input: string): Promise<Buffer> {
    const body = { model: 'espeak/ng', input, voice, speed, response_format: 'wav' }
    const { status, bytes, headers } = await world.post(caller, '/v1/audio/speech', body)
    expect([status, headers.get('content-type')]).toEqual([200, 'audio/wav'])
    return bytes
  }

  const hear = (model: string, bytes: Buffer) =>
    world.post(caller, '/v1/audio/transcriptions', recordingForm({ model }, { bytes }))

  it('[AUDIO-07] what is spoken is to the byte what the voice has said, and lasts as long', async () => {
    const spoken = await speak('The weir holds the water of the river, and lets it go.')
    // Compared with this run: no two runs of the synthesizer are the same.
    expect(spoken.equals(voices.spoken())).toBe(true)
    const { seconds } = await hearRecording(spoken, 'digits')
    expect(seconds).toBeGreaterThan(2)
    expect(seconds * 1_000).toBeCloseTo(wavLengthMs(spoken, spoken.length) ?? 0, -1)
  })

  it('[AUDIO-01] what is spoken and sent back is written down as the ear hears it by itself, and charged by its length', async () => {
    const bytes = await speak('Please open the door.')
    const direct = await hearRecording(bytes, 'english')
    const { json } = await hear('cmu/english', bytes)
    expect(direct.text.split(' ').length).toBeGreaterThan(1)
    expect(json['text']).toBe(direct.text)
    const seconds = Math.round(direct.seconds * 1_000) / 1_000
    expect(json['duration']).toBe(direct.seconds)
    expect(json['usage']).toEqual({ type: 'duration', seconds, cost: Math.round(seconds * 1e5) / 1e9 })
  })

  it.each([
    'one two three four',
    'four three two one',
    'seven two zero three',
    'two zero four six',
    'six seven one zero',
    'eight nine one two',
  ])('[AUDIO-01] "%s" is heard right', async (digits) => {
    const { status, json } = await hear('cmu/digits', await speak(digits.replaceAll(' ', ', ')))
    expect([status, json['text']]).toEqual([200, digits])
  })

  it('[AUDIO-02] what is no recording is refused by the ear, and costs nothing', async () => {
    const before = await world.walletOf(caller.walletId)
    const { status, json } = await hear('cmu/digits', Buffer.from('no recording'))
    expect([status, objectAt(json, 'error')['code']]).toEqual([400, 'unknown_4xx'])
    expect(await world.walletOf(caller.walletId)).toEqual(before)
  })
})
