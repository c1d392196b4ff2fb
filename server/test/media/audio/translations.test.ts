import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startMediaWorld, type MediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'
import { audioModel, gptTranscribe, whisper } from './audio-models.ts'
import { recordingForm } from './recording-form.ts'

const path = '/v1/audio/translations'

describe('POST /v1/audio/translations', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    await world.addProvider({
      vendor: 'deepgram',
      url: `${world.upstream.url}/v1`,
      pattern: 'deepgram/*',
    })
    const pricing = { per_second_input: '0.0001' }
    const hearing = { kind: 'transcription', pricing } as const
    await world.addModels([
      whisper,
      gptTranscribe,
      audioModel({ id: 'deepgram/nova-3', provider: 'deepgram', ...hearing }),
    ])
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world.upstream.play(openAiAudioUpstream)
    world.upstream.calls.length = 0
    caller = await world.createClient({ usd: '1' })
  })

  const translate = (fields: Record<string, string> = {}) =>
    world.post(caller, path, recordingForm({ model: 'openai/whisper-1', ...fields }, { bytes: silence(1) }))

  it('[NEXT-150] sends the recording to be translated, and charges it like a transcription', async () => {
    const reply = await translate({
      prompt: 'said',
      language: 'de',
      temperature: '0.2',
      response_format: 'verbose_json',
    })
    expect(reply.status, reply.text).toBe(200)
    // Nine seconds at a hundred-thousandth of a cent each.
    expect(reply.json).toMatchObject({
      task: 'translate',
      text: 'Hello there. How are you?',
      language: 'english',
      usage: { type: 'duration', seconds: 9, cost: 0.0009 },
    })
    const [call] = world.upstream.calls
    expect(call?.path).toBe(path)
    if (call === undefined) throw new Error('nothing was asked')
    const { fields, file } = await sentForm(call)
    expect(file?.bytes.equals(silence(1))).toBe(true)
    expect(fields).toEqual({
      model: ['whisper-1'],
      prompt: ['said'],
      temperature: ['0.2'],
      response_format: ['verbose_json'],
    })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0.0009' })
  })

  it('[NEXT-150] answers JSON with base64 and other formats in the same way', async () => {
    const input_audio = { data: silence(1).toString('base64'), format: 'wav' }
    const reply = await world.post(caller, path, { model: 'openai/whisper-1', input_audio, response_format: 'text' })
    expect([reply.status, reply.text]).toEqual([200, 'Hello there. How are you?\n'])
    expect((await translate({ response_format: 'srt' })).text).toContain('00:00:02,500')
    expect((await translate({ response_format: 'json' })).json).not.toHaveProperty('task')
  })

  it('[NEXT-151] answers 400 for models that only transcribe, and asks no upstream', async () => {
    const mute = await translate({ model: 'openai/gpt-4o-transcribe' })
    expect([mute.status, mute.json.error]).toMatchObject([400, { code: 'model_endpoint_mismatch' }])
    expect(mute.text).toContain('does not translate')
    const unserved = await translate({ model: 'deepgram/nova-3' })
    expect([unserved.status, unserved.json.error]).toMatchObject([503, { code: 'upstream_unavailable' }])
    expect(world.upstream.calls).toHaveLength(0)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('[NEXT-150] refunds a failed translation', async () => {
    world.upstream.play(() => ({ status: 500, body: { error: { message: 'broken' } } }))
    expect((await translate()).status).toBe(502)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('[NEXT-150] is answered by the test model for nothing', async () => {
    const reply = await translate({ model: 'test/transcription', prompt: 'what was said' })
    expect(reply.json).toMatchObject({ text: 'what was said', usage: { cost: 0 } })
  })
})
