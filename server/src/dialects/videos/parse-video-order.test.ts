import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { parseVideoOrder } from './parse-video-order.ts'

const plain: JsonObject = { model: 'maker/film', prompt: 'A weir in the fog' }
const clip = 'https://a.example/a.mp4'

describe('an order for a video', () => {
  it('needs no more than a prompt, and asks for no watermark', () => {
    expect(parseVideoOrder(plain)).toEqual({
      prompt: 'A weir in the fog',
      durationS: null,
      resolution: null,
      aspectRatio: null,
      size: null,
      audio: null,
      watermark: false,
      seed: null,
      firstFrame: null,
      lastFrame: null,
      references: [],
      inputVideo: null,
      extras: {},
    })
  })

  it('is read field by field, and what no field is known for is left for the upstream', () => {
    const body: JsonObject = {
      ...plain,
      duration: 8,
      resolution: '720p',
      aspect_ratio: '16:9',
      size: '1280x720',
      generate_audio: true,
      watermark: true,
      seed: 7,
      frame_images: ['https://a.example/first.png', 'https://a.example/last.png'],
      input_references: ['https://a.example/who.png'],
      input_video: { url: clip, source_duration_ms: 4_200 },
      callback_url: 'https://a.example/done',
      provider: {},
      models: [],
      negative_prompt: 'rain',
    }
    expect(parseVideoOrder(body)).toEqual({
      prompt: 'A weir in the fog',
      durationS: 8,
      resolution: '720p',
      aspectRatio: '16:9',
      size: { width: 1280, height: 720 },
      audio: true,
      watermark: true,
      seed: 7,
      firstFrame: 'https://a.example/first.png',
      lastFrame: 'https://a.example/last.png',
      references: ['https://a.example/who.png'],
      inputVideo: { url: clip, durationMs: 4_200 },
      extras: { negative_prompt: 'rain' },
    })
  })

  it.each([
    'duration',
    'resolution',
    'aspect_ratio',
    'size',
    'generate_audio',
    'watermark',
    'seed',
    'frame_images',
    'input_references',
    'input_video',
  ])('may have null for `%s`, which says nothing', (name) => {
    expect(parseVideoOrder({ ...plain, [name]: null })).toEqual(parseVideoOrder(plain))
  })

  it.each<[string, JsonValue, JsonObject]>([
    ['duration', 1, { durationS: 1 }],
    ['duration', 3_600, { durationS: 3_600 }],
    ['seed', 0, { seed: 0 }],
    ['generate_audio', false, { audio: false }],
    ['watermark', false, { watermark: false }],
    ['size', '10*99999', { size: { width: 10, height: 99_999 } }],
    ['size', '99999:10', { size: { width: 99_999, height: 10 } }],
    ['prompt', 'p'.repeat(20_000), { prompt: 'p'.repeat(20_000) }],
    ['input_video', { url: clip, source_duration_ms: 1 }, { inputVideo: { url: clip, durationMs: 1 } }],
  ])('may have a `%s` of %j', (name, value, read) => {
    expect(parseVideoOrder({ ...plain, [name]: value })).toMatchObject(read)
  })

  it.each<[string, JsonValue | undefined, string | number, string]>([
    ['prompt', undefined, 'missing_required_field', '`prompt` is required.'],
    ['prompt', null, 'missing_required_field', '`prompt` is required.'],
    ['prompt', '', 'missing_required_field', '`prompt` is required.'],
    ['prompt', 5, 400, '`prompt` must be a string.'],
    ['prompt', 'p'.repeat(20_001), 400, '`prompt` must be at most 20000 characters.'],
    ['duration', 0, 400, '`duration` must be an integer (seconds).'],
    ['duration', 1.5, 400, '`duration` must be'],
    ['duration', '8', 400, '`duration` must be'],
    ['duration', 3_601, 400, '`duration` must be'],
    ['resolution', 720, 400, '`resolution` must be a string.'],
    ['resolution', '', 400, '`resolution` must be a string.'],
    ['aspect_ratio', 1.5, 400, '`aspect_ratio` must be a string.'],
    ['size', 720, 400, '`size` must be WIDTHxHEIGHT, such as "1280x720".'],
    ['size', ['1280x720'], 400, '`size` must be'],
    ['size', '720', 400, '`size` must be'],
    ['size', 'x720', 400, '`size` must be'],
    ['size', '1x720', 400, '`size` must be'],
    ['size', '1280x7', 400, '`size` must be'],
    ['size', '100000x720', 400, '`size` must be'],
    ['size', '1280x100000', 400, '`size` must be'],
    ['size', '1280-720', 400, '`size` must be'],
    ['size', 'abxcd', 400, '`size` must be'],
    ['size', '1280xcd', 400, '`size` must be'],
    ['generate_audio', 'true', 400, '`generate_audio` must be true or false.'],
    ['watermark', 0, 400, '`watermark` must be true or false.'],
    ['seed', -1, 400, '`seed` must be a non-negative integer.'],
    ['seed', 1.5, 400, '`seed` must be'],
    ['seed', '7', 400, '`seed` must be'],
    ['seed', 2 ** 53, 400, '`seed` must be'],
    ['frame_images', clip, 400, '`frame_images` must be an array.'],
    ['input_references', [], 400, '`input_references` must contain 1 to 9 images.'],
    ['input_video', clip, 400, '`input_video` must be an MP4 or MOV file with a readable duration'],
    ['input_video', { url: clip }, 400, '`input_video` must be an MP4'],
    ['input_video', { url: clip, source_duration_ms: 0 }, 400, '`input_video` must be an MP4'],
    ['input_video', { url: clip, source_duration_ms: '9' }, 400, '`input_video` must be an MP4'],
  ])('is refused with `%s` of %j', (name, value, code, text) => {
    expect(() => parseVideoOrder({ ...plain, [name]: value })).toThrow(refusal(code, text))
  })
})
