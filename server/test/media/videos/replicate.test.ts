import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replicateVideos } from '#providers/vendors/replicate/videos.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const [first, last] = ['https://images.test/first.png', 'https://images.test/last.png']

describe('Replicate', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('replicate')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told the inputs of a model, by its name or by one of its versions', async () => {
    const details = { video: { generate_audio: true } }
    const wishes = {
      durationS: 8,
      resolution: '720p',
      aspectRatio: '16:9',
      seed: 1,
      extras: { webhook: 'https://a.test' },
    }
    await talk.submit(videoTask(wishes), talk.target('google/veo-3.1', details))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe('/v1/models/google/veo-3.1/predictions')
    expect(order?.body).toEqual({
      input: {
        prompt: 'A paper boat in the rain',
        duration: 8,
        resolution: '720p',
        aspect_ratio: '16:9',
        generate_audio: false,
        seed: 1,
      },
    })
    await talk.submit(videoTask(), talk.target('somebody/something:abc123'))
    const [versioned] = (await talk.upstream.orders()).slice(-1)
    expect(versioned).toMatchObject({ path: '/v1/predictions', body: { version: 'abc123' } })
  })

  it.each([
    ['image_to_video', 'somebody/something', { image: first }],
    ['image_to_video', 'minimax/hailuo-2.3', { first_frame_image: first }],
    ['keyframes', 'kwaivgi/kling-v2.5-turbo-pro', { start_image: first, end_image: last }],
    ['keyframes', 'bytedance/seedance-1-pro', { image: first, last_frame_image: last }],
    ['reference_to_video', 'google/veo-3.1', { reference_images: [first, last] }],
    ['video_edit', 'runwayml/gen4-aleph', { video: 'https://videos.test/a.mp4' }],
    ['text_to_video', 'openai/sora-2', { seconds: 5 }],
  ] as const)('[VIDEO-14] [VIDEO-16] [VIDEO-17] asks for %s of %s by its own names', async (kind, model, input) => {
    await talk.submit(taskOfKind[kind], talk.target(model))
    expect(await talk.lastBody()).toMatchObject({ input })
  })

  it.each([
    ['keyframes', 'somebody/something'],
    ['reference_to_video', 'google/veo-3'],
    ['text_to_video', 'runwayml/gen4-turbo'],
  ] as const)('[VIDEO-18] refuses %s of %s', async (kind, model) => {
    const refused = talk.submit(taskOfKind[kind], talk.target(model))
    await expect(refused).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  const poll = () => replicateVideos.poll({ id: 'a' }, talk.target('a/b'), videoTask())

  it('[VIDEO-25] gives up what was canceled, and reads one link or several', () => {
    expect(hear(poll(), { body: { status: 'canceled', error: null } }).result).toMatchObject({ kind: 'failed' })
    const output = ['https://a.test/1.mp4', 'https://a.test/2.mp4']
    expect(hear(poll(), { body: { status: 'succeeded', output } }).result).toMatchObject({
      outputs: output.map((url) => ({ kind: 'url', url })),
    })
  })
})
