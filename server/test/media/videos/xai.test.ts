import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xaiVideos } from '#providers/vendors/xai/videos.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const first = 'https://images.test/first.png'
const video = { url: 'https://videos.test/a.mp4' }

describe('xAI', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('xai')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told whole seconds, a resolution and a ratio', async () => {
    await talk.submit(videoTask({ resolution: '480p', aspectRatio: '3:2' }), talk.target('grok-imagine-video'))
    expect(await talk.lastBody()).toEqual({
      model: 'grok-imagine-video',
      prompt: 'A paper boat in the rain',
      duration: 5,
      resolution: '480p',
      aspect_ratio: '3:2',
    })
  })

  it.each([
    ['image_to_video', '/v1/videos/generations', { duration: 5, image: { url: first } }],
    [
      'reference_to_video',
      '/v1/videos/generations',
      { duration: 5, reference_images: [{ url: first }, { url: 'https://images.test/last.png' }] },
    ],
    ['video_edit', '/v1/videos/edits', { video }],
    // The task asks for ten seconds in total, and the input video has five.
    ['continuation', '/v1/videos/extensions', { video, duration: 5 }],
  ] as const)('[VIDEO-14] [VIDEO-15] [VIDEO-16] [VIDEO-17] asks for %s at %s', async (kind, path, inputs) => {
    await talk.submit(taskOfKind[kind], talk.target('grok-imagine-video'))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe(path)
    expect(order?.body).toEqual({ model: 'grok-imagine-video', prompt: 'A paper boat in the rain', ...inputs })
  })

  it('[VIDEO-24] counts the seconds it made, and not what it says they cost', async () => {
    const [made] = await talk.follow(videoTask({ durationS: 9 }), talk.target('grok-imagine-video'))
    expect(made).toMatchObject({ usage: { media: { outputVideoMs: 9_000 } } })
    expect(made).not.toHaveProperty('usage.media.statedNano')
  })

  const poll = () => xaiVideos.poll({ id: 'a' }, talk.target('grok-imagine-video'), videoTask())

  it('[VIDEO-25] gives up what expired, and what was made but is not given away', () => {
    expect(hear(poll(), { body: { status: 'expired' } }).result).toMatchObject({ kind: 'failed' })
    const kept = { url: 'https://a.test/b.mp4', duration: 5, respect_moderation: false }
    expect(hear(poll(), { body: { status: 'done', video: kept } }).result).toMatchObject({ isModerated: true })
  })
})
