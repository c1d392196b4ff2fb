import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startMediaWorld, type MediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { noise, silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream, whisperSegments } from '#test/simulators/media/audio/openai-audio.ts'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'
import { gptTranscribe, whisper } from './audio-models.ts'
import { recordingForm } from './recording-form.ts'

const path = '/v1/audio/transcriptions'

describe('POST /v1/audio/transcriptions', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    await world.addModels([whisper, gptTranscribe])
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    world.upstream.play(openAiAudioUpstream)
    world.upstream.calls.length = 0
    caller = await world.createClient()
  })

  const lastForm = async () => {
    const call = world.upstream.calls.at(-1)
    if (call === undefined) throw new Error('nothing was asked of the upstream')
    return sentForm(call)
  }

  const hear = (fields: Record<string, string | string[]>, file: Parameters<typeof recordingForm>[1] = {}) =>
    world.post(caller, path, recordingForm({ model: 'openai/whisper-1', ...fields }, file))

  it('[AUDIO-01] answers a form with the text, and the file reaches the upstream byte for byte', async () => {
    const bytes = silence(1)
    const { status, json } = await hear({}, { bytes })
    expect(status).toBe(200)
    expect(json['text']).toBe('Hello there. How are you?')
    const { file, fields } = await lastForm()
    expect(file?.bytes.equals(bytes)).toBe(true)
    expect(file).toMatchObject({ name: 'speech.wav', type: 'audio/wav' })
    expect(fields['model']).toEqual(['whisper-1'])
  })

  it('[LIMIT-12] takes a body of nearly ten megabytes', async () => {
    const sound = silence(1)
    // The form around the file has a few hundred bytes.
    const bytes = Buffer.concat([sound, Buffer.alloc(10 * 1_024 * 1_024 - 2_048 - sound.length)])
    expect((await hear({}, { bytes })).status).toBe(200)
    expect((await lastForm()).file?.bytes.length).toBe(bytes.length)
  })

  it('[AUDIO-01] answers JSON with base64 in the same way', async () => {
    const bytes = silence(1)
    const input_audio = { data: bytes.toString('base64'), format: 'wav' }
    const { status, json } = await world.post(caller, path, { model: 'openai/whisper-1', input_audio })
    expect(status).toBe(200)
    expect(json['text']).toBe('Hello there. How are you?')
    const { file } = await lastForm()
    expect(file?.bytes.equals(bytes)).toBe(true)
    expect(file).toMatchObject({ name: 'audio.wav', type: 'audio/wav' })
  })

  it.each([
    ['an MP3 by another name', noise(100), 'a.bin', { name: 'a.mp3', type: 'audio/mpeg' }],
    ['an MP3 that says so', noise(100), 'a.mpga', { name: 'a.mpga', type: 'audio/mpeg' }],
    ['Ogg', Buffer.from('OggS\0\x02'), 'voice', { name: 'voice.ogg', type: 'audio/ogg' }],
    ['an unknown kind', Buffer.from('#!AMR\n'), 'a.amr', { name: 'a.amr', type: 'application/octet-stream' }],
  ])('[AUDIO-01] names %s by its bytes, and keeps the name of what it does not know', async (_, bytes, name, sent) => {
    expect((await hear({}, { bytes, name })).status).toBe(200)
    expect((await lastForm()).file).toMatchObject(sent)
  })

  it.each([
    ['a form', true],
    ['JSON', false],
  ])('[AUDIO-03] language, prompt and temperature reach the upstream unchanged from %s', async (_, isForm) => {
    const hints = { language: 'de', prompt: 'Weir & "Wehr"\nüber Größe', temperature: isForm ? '0.2' : 0.2 }
    const input_audio = { data: silence(0.1).toString('base64'), format: 'wav' }
    if (isForm) await hear({ ...hints, temperature: '0.2' })
    else await world.post(caller, path, { model: 'openai/whisper-1', input_audio, ...hints })
    expect((await lastForm()).fields).toMatchObject({
      language: ['de'],
      // A form's lines end in CRLF, which its reader returns.
      prompt: [expect.stringMatching(/^Weir & "Wehr"\r?\nüber Größe$/)],
      temperature: ['0.2'],
    })
  })

  it('[AUDIO-04] the richest form is asked for, whatever the caller wants', async () => {
    await hear({ response_format: 'text' })
    expect((await lastForm()).fields['response_format']).toEqual(['verbose_json'])
    await hear({ model: 'openai/gpt-4o-transcribe', response_format: 'text' })
    expect((await lastForm()).fields['response_format']).toEqual(['json'])
  })

  it('[AUDIO-04] text, srt and vtt are plain text', async () => {
    const answers = await Promise.all(['text', 'srt', 'vtt'].map((response_format) => hear({ response_format })))
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from({ length: 3 }, () => 'text/plain; charset=utf-8'),
    )
    expect(answers.map(({ text }) => text)).toEqual([
      'Hello there. How are you?\n',
      '1\n00:00:00,000 --> 00:00:02,500\nHello there.\n\n2\n00:00:02,500 --> 00:00:08,470\nHow are you?\n\n',
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nHello there.\n\n00:00:02.500 --> 00:00:08.470\nHow are you?\n\n',
    ])
  })

  it('[AUDIO-04] JSON adds language, duration, segments and words when they are known', async () => {
    const { json } = await hear({
      response_format: 'verbose_json',
      'timestamp_granularities[]': ['word', 'segment'],
    })
    expect(json).toMatchObject({
      task: 'transcribe',
      language: 'english',
      duration: 8.470000267028809,
      segments: whisperSegments,
      words: [
        { word: 'Hello', start: 0, end: 0.5 },
        { word: 'there', start: 0.5, end: 1.25 },
      ],
    })
    expect((await lastForm()).fields['timestamp_granularities[]']).toEqual(['word', 'segment'])
  })

  it('[AUDIO-04] JSON has none of them where the upstream told none', async () => {
    const { json } = await hear({ model: 'openai/gpt-4o-transcribe' })
    expect(Object.keys(json)).toEqual(['text', 'usage'])
  })

  it('[AUDIO-05] usage is in seconds with its cost, which is what the wallet paid', async () => {
    const { json, headers } = await hear({})
    expect(json['usage']).toEqual({ type: 'duration', seconds: 9, cost: 0.0009 })
    expect((await world.walletOf(caller.walletId)).charged).toBe('0.0009')
    expect(headers.get('x-generation-id')).toMatch(/^gen-/)
  })

  it('[AUDIO-05] usage is in tokens where the upstream counts those', async () => {
    const { json } = await hear({ model: 'openai/gpt-4o-transcribe' })
    expect(json['usage']).toEqual({
      type: 'tokens',
      input_tokens: 14,
      output_tokens: 45,
      total_tokens: 59,
      input_token_details: { text_tokens: 4, audio_tokens: 10 },
      cost: 0.000485,
    })
    expect((await world.walletOf(caller.walletId)).charged).toBe('0.000485')
  })

  it.each([
    [0.000123, '0.000123'],
    [0.1 + 0.2, '0.300000001'],
    [1.5e-9, '0.000000002'],
  ])('[AUDIO-06] a stated cost of %d is charged to the nano-dollar, and nothing else', async (cost, charged) => {
    world.upstream.play(() => ({ body: { text: 'Hello', duration: 60, usage: { seconds: 60, cost } } }))
    const { json, text } = await hear({})
    expect(json['usage']).toMatchObject({ type: 'duration', seconds: 60 })
    expect(text).toContain(`"cost":${charged}`)
    expect((await world.walletOf(caller.walletId)).charged).toBe(charged)
  })

  it('[AUDIO-06] a transcription whose upstream counted nothing costs nothing', async () => {
    world.upstream.play(() => ({ body: { text: 'Hello' } }))
    const { status, json } = await hear({})
    expect(status).toBe(200)
    expect(json['usage']).toEqual({ type: 'duration', seconds: 0, cost: 0 })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })

  it('holds no more than the header of a WAV file can come to', async () => {
    const poor = await world.createClient({ usd: '0.0011' })
    const [tooLong, fitting] = [12, 11].map((seconds) =>
      recordingForm({ model: 'openai/whisper-1' }, { bytes: silence(seconds) }),
    )
    expect((await world.post(poor, path, tooLong ?? {})).status).toBe(402)
    expect((await world.post(poor, path, fitting ?? {})).status).toBe(200)
  })

  it('says nothing of silence', async () => {
    world.upstream.play(() => ({ body: { text: '', duration: 3, segments: [], usage: { seconds: 3 } } }))
    expect((await hear({ response_format: 'srt' })).text).toBe('')
    expect((await hear({ response_format: 'vtt' })).text).toBe('WEBVTT\n\n')
    expect((await hear({})).json).toMatchObject({ text: '', duration: 3 })
  })
})
