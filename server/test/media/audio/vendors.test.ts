import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { assemblyAiUpstream } from '#test/simulators/media/audio/assemblyai.ts'
import { minimaxAudio, minimaxVerdict } from '#test/simulators/media/audio/minimax.ts'
import { noise, silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { cartesiaUpstream } from '#test/simulators/media/audio/cartesia.ts'
import { deepgramUpstream } from '#test/simulators/media/audio/deepgram.ts'
import { elevenLabs, elevenLabsOutOfMoney } from '#test/simulators/media/audio/elevenlabs.ts'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'
import { type MediaHandler, type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { audioModel } from './audio-models.ts'
import { recordingForm } from './recording-form.ts'

const hosts = {
  elevenlabs: { path: '/v1', handler: elevenLabs },
  deepgram: { path: '/v1', handler: deepgramUpstream },
  cartesia: { path: '', handler: cartesiaUpstream },
  assemblyai: { path: '/v2', handler: assemblyAiUpstream() },
  minimax: { path: '/v1', handler: minimaxAudio },
  mistral: { path: '/v1', handler: () => ({ body: mistralAnswer }) },
  openrouter: { path: '/v1', handler: () => ({ body: openRouterAnswer }) },
} as const satisfies Record<string, { path: string; handler: MediaHandler }>
type Host = keyof typeof hosts

const mistralAnswer = {
  model: 'voxtral-mini',
  text: 'Bonjour.',
  language: 'fr',
  segments: [{ type: 'transcription_segment', text: 'Bonjour.', start: 0, end: 1.5 }],
  usage: { prompt_audio_seconds: 203, prompt_tokens: 4, total_tokens: 3_264, completion_tokens: 635 },
}
const openRouterAnswer = { text: 'Hello.', usage: { seconds: 9.2, total_tokens: 9, cost: 0.000508 } }

const speech = { per_character: '0.0001' }
const hearing = { per_second_input: '0.0001' }
const models = [
  audioModel({ id: 'elevenlabs/eleven_v3', kind: 'speech', provider: 'elevenlabs', pricing: speech }),
  audioModel({ id: 'deepgram/aura-2-thalia-en', kind: 'speech', provider: 'deepgram', pricing: speech }),
  audioModel({ id: 'cartesia/sonic-3', kind: 'speech', provider: 'cartesia', pricing: speech }),
  audioModel({ id: 'minimax/speech-2.6-hd', kind: 'speech', provider: 'minimax', pricing: speech }),
  audioModel({ id: 'elevenlabs/scribe_v1', kind: 'transcription', provider: 'elevenlabs', pricing: hearing }),
  audioModel({ id: 'deepgram/nova-3', kind: 'transcription', provider: 'deepgram', pricing: hearing }),
  audioModel({ id: 'cartesia/ink-whisper', kind: 'transcription', provider: 'cartesia', pricing: hearing }),
  audioModel({ id: 'assemblyai/best', kind: 'transcription', provider: 'assemblyai', pricing: hearing }),
  audioModel({ id: 'mistral/voxtral-mini', kind: 'transcription', provider: 'mistral', pricing: hearing }),
  audioModel({ id: 'router/whisper-1', kind: 'transcription', provider: 'openrouter', pricing: hearing }),
]

describe('vendors of audio', () => {
  let world: MediaWorld
  let caller: TestClient
  const upstreams = new Map<Host, MediaUpstream>()
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'vllm' }, () => ({ status: 500 }))
    for (const name of Object.keys(hosts).filter(isHost)) {
      const upstream = await startMediaUpstream(hosts[name].handler)
      upstreams.set(name, upstream)
      const author = name === 'openrouter' ? 'router' : name
      await world.addProvider({ vendor: name, url: upstream.url + hosts[name].path, pattern: `${author}/*` })
    }
    await world.addModels(models)
  })
  afterAll(async () => {
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()))
    await world.close()
  })
  beforeEach(async () => {
    for (const [name, upstream] of upstreams) {
      upstream.play(name === 'assemblyai' ? assemblyAiUpstream() : hosts[name].handler)
      upstream.calls.length = 0
    }
    caller = await world.createClient()
  })

  const callsOf = (host: Host) => upstreams.get(host)?.calls ?? []
  const charged = async () => (await world.walletOf(caller.walletId)).charged
  const speak = (model: string, rest: object = {}) =>
    world.post(caller, '/v1/audio/speech', { model, input: 'Hello', voice: 'a/b c', ...rest })
  const hear = (model: string, fields: Record<string, string> = {}, bytes = silence(0.1)) =>
    world.post(caller, '/v1/audio/transcriptions', recordingForm({ model, ...fields }, { bytes }))

  it.each([
    ['elevenlabs/eleven_v3', { voice: 'a/b c' }],
    ['deepgram/aura-2-thalia-en', { voice: undefined }],
    ['cartesia/sonic-3', { voice: 'a/b c' }],
    ['minimax/speech-2.6-hd', { voice: 'Wise_Woman' }],
  ])('[AUDIO-07] %s speaks, and its bytes are passed on', async (model, rest) => {
    const { status, bytes, headers } = await speak(model, rest)
    expect([status, bytes.equals(noise(2_000)), headers.get('content-type')]).toEqual([200, true, 'audio/mpeg'])
    expect(await charged()).toBe('0.0005')
  })

  it('[AUDIO-08] ElevenLabs gets the voice in the path, the format as its own, and the speed', async () => {
    const { headers } = await speak('elevenlabs/eleven_v3', { response_format: 'pcm', speed: 1.1 })
    const [call] = callsOf('elevenlabs')
    expect(call?.path).toBe('/v1/text-to-speech/a%2Fb%20c/stream?output_format=pcm_24000')
    expect(call?.json).toEqual({ text: 'Hello', model_id: 'eleven_v3', voice_settings: { speed: 1.1 } })
    expect(headers.get('content-type')).toBe('audio/pcm')
    await speak('elevenlabs/eleven_v3', { response_format: 'mp3_22050_32' })
    expect(callsOf('elevenlabs')[1]?.path).toContain('output_format=mp3_22050_32')
  })

  it.each([
    ['mp3', 'encoding=mp3'],
    ['wav', 'encoding=linear16&container=wav&sample_rate=24000'],
    ['opus', 'encoding=opus&container=ogg'],
  ])('[AUDIO-08] Deepgram gets %s as an encoding', async (response_format, query) => {
    await speak('deepgram/aura-2-thalia-en', { response_format, speed: 1.5 })
    expect(callsOf('deepgram')[0]?.path).toBe(`/v1/speak?model=aura-2-thalia-en&${query}&speed=1.5`)
    expect(callsOf('deepgram')[0]?.json).toEqual({ text: 'Hello' })
  })

  it('[AUDIO-08] Cartesia gets a voice by id, a container, and the speed', async () => {
    await speak('cartesia/sonic-3', { response_format: 'wav', speed: 0.8 })
    expect(callsOf('cartesia')[0]?.json).toEqual({
      model_id: 'sonic-3',
      transcript: 'Hello',
      voice: { mode: 'id', id: 'a/b c' },
      output_format: { container: 'wav', encoding: 'pcm_s16le', sample_rate: 44_100 },
      generation_config: { speed: 0.8 },
    })
  })

  it('[AUDIO-08] MiniMax gets a voice with its speed and mood, and other fields are named', async () => {
    const wishes = { voice: 'Wise_Woman', response_format: 'wav', speed: 1.2, emotion: 'happy', language_boost: 'auto' }
    const { headers } = await speak('minimax/speech-2.6-hd', { ...wishes, instructions: 'Whisper.' })
    expect(callsOf('minimax')[0]).toMatchObject({
      path: '/v1/t2a_v2',
      json: {
        model: 'speech-2.6-hd',
        text: 'Hello',
        stream: false,
        voice_setting: { voice_id: 'Wise_Woman', speed: 1.2, emotion: 'happy' },
        audio_setting: { format: 'wav' },
        language_boost: 'auto',
      },
    })
    expect([headers.get('content-type'), headers.get('x-params-ignored')]).toEqual(['audio/wav', 'instructions'])
  })

  it('MiniMax that says no with status 200 has not spoken, and nothing is charged', async () => {
    upstreams.get('minimax')?.play(() => minimaxVerdict(1002, 'rate limit'))
    const { status } = await speak('minimax/speech-2.6-hd')
    expect(status).toBe(502)
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })

  it.each(['elevenlabs/eleven_v3', 'deepgram/aura-2-thalia-en', 'cartesia/sonic-3', 'minimax/speech-2.6-hd'])(
    '[AUDIO-08] %s is not asked for a format that it does not have',
    async (model) => {
      const { status, json } = await speak(model, { response_format: 'amr' })
      expect([status, objectAt(json, 'error')['code']]).toEqual([400, 'unsupported_response_format'])
      expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
    },
  )

  it.each([
    ['elevenlabs/scribe_v1', 'Hello there.', 1.579, '0.0001579'],
    ['deepgram/nova-3', 'hello there', 12.345, '0.0012345'],
    ['cartesia/ink-whisper', 'hello', 3.25, '0.000325'],
    ['assemblyai/best', 'Hello there.', 7, '0.0007'],
    ['router/whisper-1', 'Hello.', 9.2, '0.000508'],
  ])('[AUDIO-06] %s hears "%s" in %d seconds, which are charged', async (model, text, seconds, cost) => {
    const { status, json } = await hear(model)
    expect(status).toBe(200)
    expect(json).toMatchObject({ text, usage: { type: 'duration', seconds, cost: Number(cost) } })
    expect(await charged()).toBe(cost)
  })

  it('[AUDIO-05] Mistral counts tokens and seconds, and is charged for what it lists', async () => {
    const { json } = await hear('mistral/voxtral-mini', { prompt: 'Weir', temperature: '0' })
    expect(json).toMatchObject({
      text: 'Bonjour.',
      language: 'fr',
      segments: [{ id: 0, text: 'Bonjour.', start: 0, end: 1.5 }],
      usage: { type: 'tokens', input_tokens: 4, output_tokens: 635, seconds: 203, cost: 0.0203 },
    })
    const [call] = callsOf('mistral')
    if (call === undefined) throw new Error('Mistral was not asked')
    expect((await sentForm(call)).fields).toEqual({ model: ['voxtral-mini'], temperature: ['0'] })
  })

  it('[AUDIO-03] Deepgram gets the recording as the body and the language in the query, formatted only when asked', async () => {
    const bytes = silence(0.5)
    const { headers } = await hear(
      'deepgram/nova-3',
      { language: 'de', prompt: 'x', callback: 'https://evil.invalid' },
      bytes,
    )
    const [call] = callsOf('deepgram')
    expect(call?.path).toBe('/v1/listen?model=nova-3&language=de')
    expect(call?.headers['content-type']).toBe('audio/wav')
    expect(call?.bytes.equals(bytes)).toBe(true)
    expect(headers.get('x-params-ignored')).toBe('prompt')
    await hear('deepgram/nova-3', { smart_format: 'true', response_format: 'vtt' })
    expect(callsOf('deepgram')[1]?.path).toBe('/v1/listen?model=nova-3&utterances=true&smart_format=true')
  })

  it('[AUDIO-03] ElevenLabs and Cartesia get the language in their own words', async () => {
    await hear('elevenlabs/scribe_v1', { language: 'de', temperature: '0.5' })
    await hear('cartesia/ink-whisper', { language: 'de', 'timestamp_granularities[]': 'word' })
    const [eleven] = callsOf('elevenlabs')
    const [cartesia] = callsOf('cartesia')
    if (eleven === undefined || cartesia === undefined) throw new Error('one of them was not asked')
    expect((await sentForm(eleven)).fields).toEqual({
      model_id: ['scribe_v1'],
      language_code: ['de'],
      temperature: ['0.5'],
    })
    expect((await sentForm(cartesia)).fields).toEqual({
      model: ['ink-whisper'],
      language: ['de'],
      'timestamp_granularities[]': ['word'],
    })
  })

  it('[AUDIO-01] AssemblyAI gets an upload, a task for it, and polls', async () => {
    const bytes = silence(0.5)
    const { json } = await hear('assemblyai/best', { webhook_url: 'https://evil.invalid' }, bytes)
    expect(json).toMatchObject({
      language: 'en_us',
      duration: 7,
      words: [{ word: 'Hello', start: 0.25, end: 0.65 }, {}],
    })
    const [upload, submit, ...polls] = callsOf('assemblyai')
    expect(upload?.bytes.equals(bytes)).toBe(true)
    expect(submit?.json).toEqual({
      audio_url: `https://cdn.invalid/${bytes.length}`,
      speech_models: ['best'],
      language_detection: true,
    })
    expect(polls.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  it.each([
    ['Audio file could not be decoded.', 400, 'unknown_4xx'],
    ['Internal server error, please try again.', 502, 'upstream_unavailable'],
  ])('AssemblyAI may fail at a task: %s', async (error, status, code) => {
    upstreams.get('assemblyai')?.play(assemblyAiUpstream({ pollsBefore: 0, error }))
    const reply = await hear('assemblyai/best')
    expect([reply.status, objectAt(reply.json, 'error')['code']]).toEqual([status, code])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })

  it('[AUDIO-04] subtitles are made of words where there are no segments', async () => {
    const { text } = await hear('elevenlabs/scribe_v1', { response_format: 'srt' })
    expect(text).toBe('1\n00:00:00,119 --> 00:00:01,579\nHello there.\n\n')
  })

  it('ElevenLabs out of money is not taken for a bad key', async () => {
    upstreams.get('elevenlabs')?.play(elevenLabsOutOfMoney)
    const { status, json } = await speak('elevenlabs/eleven_v3')
    expect([status, objectAt(json, 'error')['code']]).toEqual([502, 'upstream_unavailable'])
    upstreams
      .get('elevenlabs')
      ?.play(() => ({ status: 401, body: { detail: { status: 'invalid_api_key', message: 'x' } } }))
    expect(objectAt((await speak('elevenlabs/eleven_v3')).json, 'error')['code']).toBe('upstream_auth_failed')
  })

  it.each([
    [
      'deepgram',
      'deepgram/nova-3',
      { err_code: 'Bad Request', err_msg: 'Corrupt or unsupported data.', request_id: 'r' },
    ],
    [
      'cartesia',
      'cartesia/ink-whisper',
      { error_code: 'bad_audio', title: 'Bad', message: 'Corrupt or unsupported data.' },
    ],
    [
      'elevenlabs',
      'elevenlabs/scribe_v1',
      { detail: { status: 'invalid_audio', message: 'Corrupt or unsupported data.' } },
    ],
    [
      'elevenlabs',
      'elevenlabs/scribe_v1',
      { detail: [{ loc: ['body'], msg: 'Corrupt or unsupported data.', type: 'x' }] },
    ],
  ] as const)('%s is quoted about the request', async (host, model, body) => {
    upstreams.get(host)?.play(() => ({ status: 400, body }))
    const { status, json } = await hear(model)
    expect(status).toBe(400)
    expect(objectAt(json, 'error')['message']).toBe('Corrupt or unsupported data.')
  })
})

function isHost(name: string): name is Host {
  return Object.hasOwn(hosts, name)
}
