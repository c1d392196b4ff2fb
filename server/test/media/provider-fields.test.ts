import { describe, expect, it } from 'vitest'
import type { ImageTask } from '#domain/media/media-task.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import type { VendorSlug } from '#providers/registry.ts'
import { codecOf, imageTask, speechTask, targetOf, transcriptionTask } from '#test/twins/ours/ask-media.ts'
import { type BuiltRequest, builtRequest, firstRequest } from './first-request.ts'
import { taskOfKind } from './videos/video-talk.ts'

// Fields that the official SDKs and public reports contradict, by the ids of the wire report.

function ordered(
  provider: VendorSlug,
  model: string,
  kind: VideoTaskKind,
  wishes: Partial<VideoTask> = {},
): BuiltRequest {
  const asked = { provider, model }
  const task = { ...taskOfKind[kind], ...wishes }
  return firstRequest(codecOf(asked, 'video').submit(task, targetOf(asked), 'vjob_1-1'))
}

function drawn(model: string, wishes: Partial<ImageTask>): BuiltRequest {
  const asked = { provider: 'fal', model } as const
  return firstRequest(codecOf(asked, 'image').converse(imageTask(wishes), targetOf(asked)))
}

describe('audio', () => {
  it('[W6] AssemblyAI is told the model as a list, since it refuses speech_model by name', () => {
    const asked = { provider: 'assemblyai', model: 'universal-2' } as const
    const conversation = codecOf(asked, 'transcription').converse(transcriptionTask({}), targetOf(asked))
    conversation.next()
    const { value } = conversation.next({
      status: 200,
      headers: {},
      body: Buffer.from('{"upload_url":"https://a.test"}'),
    })
    const sent = value !== undefined && 'request' in value ? builtRequest(value.request).json : {}
    expect(sent).toMatchObject({ speech_models: ['universal-2'] })
    expect(sent).not.toHaveProperty('speech_model')
  })

  it('[W7] Mistral is told the id of a voice and no speed, and its audio is found in a document', () => {
    const asked = { provider: 'mistral', model: 'voxtral-mini-tts' } as const
    const codec = codecOf(asked, 'speech')
    const task = speechTask({ voice: 'ada', speed: 1.5 })
    expect(builtRequest(codec.buildRequest(task, targetOf(asked))).json).toEqual({
      model: 'voxtral-mini-tts',
      input: 'Hello there',
      voice_id: 'ada',
      response_format: 'mp3',
      stream: false,
    })
    expect(codec.ignored?.(task, targetOf(asked))).toEqual(['speed'])
    const document = Buffer.from(JSON.stringify({ audio_data: Buffer.from('sound').toString('base64') }))
    expect(codec.readDocument?.(document, task)?.audio.toString()).toBe('sound')
    expect(codec.readDocument?.(Buffer.from('{}'), task)).toBeUndefined()
  })

  it.each([
    ['whisper-v3', 'https://audio-prod.api.fireworks.ai'],
    ['whisper-v3-turbo', 'https://audio-turbo.api.fireworks.ai'],
  ])('[W8] Fireworks hears with %s at %s', (model, origin) => {
    const asked = { provider: 'fireworks', model } as const
    const codec = codecOf(asked, 'transcription')
    const request = firstRequest(codec.converse(transcriptionTask({}), targetOf(asked)))
    expect(request).toMatchObject({ origin, path: '/v1/audio/transcriptions' })
    const own = targetOf({ ...asked, baseUrl: 'https://proxy.test/v1' })
    expect(firstRequest(codec.converse(transcriptionTask({}), own)).origin).toBe('https://proxy.test')
  })

  it.each([
    ['wav', '/v1/text-to-speech/alloy?output_format=wav_44100'],
    ['mp3', '/v1/text-to-speech/alloy/stream?output_format=mp3_44100_128'],
  ])('[W13] ElevenLabs speaks %s at %s', (format, path) => {
    const asked = { provider: 'elevenlabs', model: 'eleven_v3' } as const
    expect(codecOf(asked, 'speech').buildRequest(speechTask({ format }), targetOf(asked)).path).toBe(path)
  })

  it('[W18] Together calls PCM raw, has three formats, and speaks at one speed', () => {
    const asked = { provider: 'together', model: 'cartesia/sonic' } as const
    const codec = codecOf(asked, 'speech')
    const { origin, json } = builtRequest(codec.buildRequest(speechTask({ format: 'pcm', speed: 2 }), targetOf(asked)))
    expect([origin, json['response_format'], json['speed']]).toEqual(['https://api.together.ai', 'raw', undefined])
    expect(() => codec.buildRequest(speechTask({ format: 'opus' }), targetOf(asked))).toThrow('mp3, wav, pcm')
  })
})

describe('images', () => {
  it.each([
    ['fal-ai/imagen4/preview', '21:9', '16:9'],
    ['fal-ai/ideogram/v2', '4:5', '3:4'],
    ['fal-ai/flux-pro/kontext', '5:4', '4:3'],
    ['bria/text-to-image/3.2', '21:9', '16:9'],
    ['fal-ai/nano-banana', '21:9', '21:9'],
  ])('[W14] fal is asked by %s for %s as %s', (model, aspectRatio, sent) => {
    expect(drawn(model, { aspectRatio }).json).toMatchObject({ aspect_ratio: sent })
  })

  it.each([
    ['fal-ai/seedream-v4', '/fal-ai/bytedance/seedream/v4/text-to-image'],
    ['fal-ai/recraft-v3', '/fal-ai/recraft/v3/text-to-image'],
  ])('[W14] fal is asked for %s at %s', (model, path) => {
    expect(drawn(model, {}).path).toBe(path)
  })
})

describe('videos', () => {
  const first = 'https://images.test/first.png'
  const last = 'https://images.test/last.png'

  it.each([
    ['fal-ai/kling-video/v2.6/pro/text-to-video', 'keyframes', { start_image_url: first, end_image_url: last }],
    ['xai/grok-imagine-video/text-to-video', 'reference_to_video', { reference_image_urls: [first, last] }],
    ['fal-ai/wan/v2.7/text-to-video', 'reference_to_video', { reference_image_urls: [first, last] }],
  ] as const)('[W15] %s is given its images for %s by its own names', (model, kind, fields) => {
    expect(ordered('fal', model, kind).json).toMatchObject(fields)
  })

  it.each([
    ['fal-ai/veo3.1/fast', 'reference_to_video'],
    ['fal-ai/kling-video/v3/pro/text-to-video', 'reference_to_video'],
    ['fal-ai/sora-2/text-to-video', 'reference_to_video'],
    ['xai/grok-imagine-video/text-to-video', 'keyframes'],
  ] as const)('[W15] %s is not asked for %s, which it has no endpoint for', (model, kind) => {
    expect(() => ordered('fal', model, kind)).toThrow(`does not support ${kind} with this model`)
  })

  it('[W15] what an app of fal has no field for is not said, and what it does not make is refused', () => {
    const hailuo = ordered('fal', 'fal-ai/minimax/hailuo-02/standard/text-to-video', 'text_to_video', {
      aspectRatio: '16:9',
      resolution: '768p',
    })
    expect(Object.keys(hailuo.json)).toEqual(['prompt', 'duration'])
    expect(ordered('fal', 'fal-ai/veo3.1', 'text_to_video', { aspectRatio: '1:1' }).json['aspect_ratio']).not.toBe(
      '1:1',
    )
    const grok = 'xai/grok-imagine-video/text-to-video'
    expect(() => ordered('fal', grok, 'text_to_video', { resolution: '1080p' })).toThrow('480p, 720p')
  })

  it.each([
    ['gen4.5', 'text_to_video', { aspectRatio: '21:9' }, { ratio: '1280:720' }],
    ['gen4.5', 'image_to_video', { aspectRatio: '21:9' }, { ratio: '1584:672' }],
    ['happyhorse_1_0', 'image_to_video', { resolution: '1080p' }, { resolution: '1080p' }],
    ['seedance2', 'text_to_video', { aspectRatio: '16:9', resolution: '1080p' }, { ratio: '1920:1080' }],
    ['seedance2', 'image_to_video', { resolution: '4k' }, { ratio: '3840:2160' }],
  ] as const)('[W16] Runway is asked by %s for %s %o as %o', (model, kind, wishes, frame) => {
    const { ratio, resolution } = ordered('runway', model, kind, wishes).json
    expect({ ratio, resolution }).toEqual({ ratio: undefined, resolution: undefined, ...frame })
  })

  it('[W16] Runway is not told the frame of a video that keeps it, and makes nothing at less than is charged', () => {
    const edit = ordered('runway', 'gemini_omni_flash', 'video_edit', { aspectRatio: '16:9' })
    expect(edit.json).not.toHaveProperty('ratio')
    const fast = () => ordered('runway', 'seedance2_fast', 'text_to_video', { resolution: '1080p' })
    expect(fast).toThrow('Runway does not support the resolution 1080p with this model.')
  })

  it.each(['continuation', 'video_edit'] as const)('[W19] Wan 3.0 takes no video for %s', (kind) => {
    expect(() => ordered('alibaba', 'wan3.0-video', kind)).toThrow(`does not support ${kind} with this model`)
    expect(ordered('alibaba', 'wan2.7-t2v', kind).json).toHaveProperty('input.media')
  })

  it('[W20] Ray 3.2 makes five seconds of an image, and is not asked for ten', () => {
    const tenSeconds = () => ordered('luma', 'ray-3.2', 'image_to_video', { durationS: 10 })
    expect(tenSeconds).toThrow('Luma supports durations of 5 seconds, not 10.')
    expect(ordered('luma', 'ray-3.2', 'text_to_video', { durationS: 10 }).json).toMatchObject({
      video: { duration: '10s' },
    })
  })
})

describe('vectors', () => {
  it('[W21] Voyage is asked for base64 by one name on every surface', () => {
    const asked = { provider: 'voyage', model: 'voyage-multimodal-3' } as const
    const inputs = [{ kind: 'text', text: 'one' }] as const
    const task = { kind: 'embedding', inputs, dimensions: null, encoding: 'base64', extras: {} } as const
    const { json } = firstRequest(codecOf(asked, 'embedding').converse(task, targetOf(asked)))
    expect(json).toMatchObject({ encoding_format: 'base64' })
    expect(json).not.toHaveProperty('output_encoding')
  })
})
