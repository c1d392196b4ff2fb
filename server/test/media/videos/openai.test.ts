import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { azure } from '#providers/vendors/azure/index.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

describe('the OpenAI shape', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('openai')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told seconds and sizes as words', async () => {
    const details = { video: { allowed_passthrough_parameters: ['style'] } }
    const task = videoTask({ durationS: 8, size: { width: 1_792, height: 1_024 }, seed: 1, extras: { style: 'noir' } })
    await talk.submit(task, talk.target('sora-2-pro', details))
    const order = { model: 'sora-2-pro', prompt: task.prompt, seconds: '8', size: '1792x1024', style: 'noir' }
    expect(await talk.lastBody()).toEqual(order)
    await talk.submit(videoTask({ aspectRatio: '9:16' }), talk.target('sora-2'))
    expect(await talk.lastBody()).toMatchObject({ seconds: '8', size: '720x1280' })
    await talk.submit(videoTask({ durationS: 4 }), talk.target('sora-2'))
    expect(await talk.lastBody()).not.toHaveProperty('size')
  })

  it('[VIDEO-14] is sent a form with the first frame in it', async () => {
    await talk.submit(taskOfKind.image_to_video, talk.target('sora-2'))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order).toMatchObject({ prompt: 'A paper boat in the rain', body: {} })
    expect(talk.openImages).toBe(0)
  })

  it('[VIDEO-24] counts what the finished video says of itself', async () => {
    const details = { video: { supported_sizes: ['1280x720', '1920x1080'], supported_durations: [4, 8, 12, 16, 20] } }
    const task = videoTask({ durationS: 16, resolution: '1080p' })
    const [made] = await talk.follow(task, talk.target('sora-2-pro', details))
    expect(await talk.lastBody()).toMatchObject({ seconds: '16', size: '1920x1080' })
    expect(made).toMatchObject({ usage: { media: { outputVideoMs: 16_000, variant: { resolution: '1080p' } } } })
  })

  it('is spoken with Azure as well, which takes its key in a header of its own', () => {
    const { authentication, media } = azure
    const target = { ...talk.target('sora-2'), baseUrl: 'https://own.openai.azure.com/openai/v1', authentication }
    const step = media?.video?.submit(videoTask(), target, 'n').next().value
    expect(step).toMatchObject({
      request: { path: '/openai/v1/videos', headers: { 'api-key': talk.upstream.key } },
    })
  })
})
