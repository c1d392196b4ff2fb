import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FilteredHome, type FilterWorld, startFilterWorld } from '#test/filters/filter-world.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { recordingForm } from './recording-form.ts'

describe('the filters of an organization, on audio', () => {
  let world: FilterWorld
  let upstream: MediaUpstream
  let home: FilteredHome
  beforeAll(async () => {
    world = await startFilterWorld()
    upstream = await startMediaUpstream(openAiAudioUpstream)
    const audio = { url: `${upstream.url}/v1`, priority: -1 }
    await world.addProvider({ ...audio, vendor: 'openai', name: 'voice', pattern: 'openai/tts-1' })
    await world.addProvider({ ...audio, vendor: 'groq', name: 'ear', pattern: 'openai/whisper-large-v3' })
    home = await world.newHome()
    await home.addRule('redact', { kind: 'keyword', keyword: 'Rosebud' })
    await home.addRule('block', { kind: 'keyword', keyword: 'Xanadu' })
  })
  afterAll(async () => {
    await upstream.close()
    await world.close()
  })
  beforeEach(() => {
    upstream.calls.length = 0
  })

  async function post(path: string, body: FormData | object): Promise<{ status: number; code: unknown }> {
    const reply = await world.as(home).post(path, body)
    return { status: reply.status, code: reply.status === 200 ? undefined : reply.error['code'] }
  }

  const speak = (input: string, rest: object = {}) =>
    post('/v1/audio/speech', { model: 'openai/tts-1', voice: 'alloy', input, ...rest })
  const hear = (prompt: string) =>
    post('/v1/audio/transcriptions', recordingForm({ model: 'openai/whisper-large-v3', prompt }))

  it('what is taken out of a text is not spoken', async () => {
    expect((await speak('Say Rosebud twice', { instructions: 'Like Rosebud' })).status).toBe(200)
    expect(upstream.calls[0]?.json).toMatchObject({ input: 'Say [REDACTED] twice', instructions: 'Like [REDACTED]' })
  })

  it('what is taken out of the hint to a transcription does not reach its host', async () => {
    expect((await hear('About Rosebud')).status).toBe(200)
    const [call] = upstream.calls
    if (call === undefined) throw new Error('nobody was asked')
    expect((await sentForm(call)).fields['prompt']).toEqual(['About [REDACTED]'])
  })

  it('a text that is blocked is not spoken, nor heard with', async () => {
    expect(await speak('In Xanadu')).toEqual({ status: 403, code: 'content_filter' })
    expect(await hear('In Xanadu')).toEqual({ status: 403, code: 'content_filter' })
    expect(upstream.calls).toEqual([])
  })
})
