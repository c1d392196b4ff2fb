import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VideoTask } from '#domain/video/video-task.ts'
import { alibabaCn } from '#providers/vendors/alibaba/index.ts'
import { dashscopeVideos } from '#providers/vendors/alibaba/videos.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const [first, last] = ['https://images.test/first.png', 'https://images.test/last.png']
const video = 'https://videos.test/a.mp4'

describe('Wan on DashScope', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('dashscope')
  })
  afterAll(() => talk.close())

  it('[VIDEO-08] is told no watermark, and a size with a star until 2.6', async () => {
    const details = { video: { generate_audio: true, allowed_passthrough_parameters: ['shot_type', 'audio', 'video'] } }
    const extras = { shot_type: 'multi', audio: 'https://evil.test/a.mp3', video: 'x', negative_prompt: 'people' }
    const task = videoTask({ resolution: '1080p', aspectRatio: '9:16', seed: 5, audio: true, extras })
    await talk.submit(task, talk.target('wan2.6-t2v', details))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe('/api/v1/services/aigc/video-generation/video-synthesis')
    expect(order?.body).toEqual({
      model: 'wan2.6-t2v',
      input: { prompt: task.prompt, negative_prompt: 'people' },
      parameters: { size: '1080*1920', duration: 5, audio: true, seed: 5, shot_type: 'multi', watermark: false },
    })
  })

  it('[VIDEO-07] is told a resolution in capitals and a ratio since 2.7', async () => {
    await talk.submit(videoTask({ resolution: '720p', aspectRatio: '4:3', durationS: 9 }), talk.target('wan2.7-t2v'))
    expect(await talk.lastBody()).toEqual({
      model: 'wan2.7-t2v',
      input: { prompt: 'A paper boat in the rain' },
      parameters: { resolution: '720P', ratio: '4:3', duration: 9, watermark: false },
    })
  })

  it.each([
    ['image_to_video', 'wan2.6-t2v', 'wan2.6-i2v', { img_url: first }],
    ['reference_to_video', 'wan2.6-t2v', 'wan2.6-r2v', { reference_urls: [first, last] }],
    ['keyframes', 'wan2.2-kf2v-flash', 'wan2.2-kf2v-flash', { first_frame_url: first, last_frame_url: last }],
    ['image_to_video', 'wan2.7-t2v', 'wan2.7-i2v', { media: [{ type: 'first_frame', url: first }] }],
    [
      'keyframes',
      'wan2.7-t2v',
      'wan2.7-i2v',
      {
        media: [
          { type: 'first_frame', url: first },
          { type: 'last_frame', url: last },
        ],
      },
    ],
    ['continuation', 'wan2.7-t2v', 'wan2.7-i2v', { media: [{ type: 'first_clip', url: video }] }],
    ['video_edit', 'wan2.7-t2v', 'wan2.7-videoedit', { media: [{ type: 'video', url: video }] }],
    ['video_edit', 'happyhorse-1.0-t2v', 'happyhorse-1.0-video-edit', { media: [{ type: 'video', url: video }] }],
    [
      'reference_to_video',
      'wan2.7-r2v',
      'wan2.7-r2v',
      {
        media: [
          { type: 'reference_image', url: first },
          { type: 'reference_image', url: last },
        ],
      },
    ],
  ] as const)(
    '[VIDEO-14] [VIDEO-15] [VIDEO-16] [VIDEO-17] asks for %s of %s at %s',
    async (kind, listed, asked, inputs) => {
      await talk.submit({ ...taskOfKind[kind], resolution: '720p' }, talk.target(listed))
      expect(await talk.lastBody()).toMatchObject({
        model: asked,
        input: { prompt: 'A paper boat in the rain', ...inputs },
      })
    },
  )

  it.each([
    ['wan2.6-t2v', 'keyframes'],
    ['wan2.6-t2v', 'video_edit'],
    ['wan2.6-i2v-flash', 'text_to_video'],
    ['wan2.5-t2v-preview', 'image_to_video'],
    ['wan2.7-i2v', 'reference_to_video'],
  ] as const)('[VIDEO-18] refuses what no model beside %s makes: %s', async (listed, kind) => {
    const refused = talk.submit(taskOfKind[kind], talk.target(listed))
    await expect(refused).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('asks for two frames at a path of their own until 2.6', async () => {
    await talk.submit(taskOfKind.keyframes, talk.target('wan2.2-kf2v-flash'))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe('/api/v1/services/aigc/image2video/video-synthesis')
  })

  it('[VIDEO-24] counts the seconds and the resolution that it says it made', async () => {
    const [made] = await talk.follow(videoTask({ durationS: 6, resolution: '720p' }), talk.target('wan2.7-t2v'))
    expect(made).toMatchObject({ usage: { media: { outputVideoMs: 6_000, variant: { resolution: '1080p' } } } })
    const poll = dashscopeVideos.poll({ id: 'a' }, talk.target('wan2.7-t2v'), taskOfKind.video_edit)
    const output = { task_status: 'SUCCEEDED', video_url: 'https://a.test/b.mp4' }
    const usage = { duration: 9.2, input_video_duration: 4.2, output_video_duration: 5, SR: '720' }
    expect(hear(poll, { body: { output, usage } }).result).toMatchObject({
      usage: { media: { inputVideoMs: 4_200, outputVideoMs: 5_000, variant: { resolution: '720p' } } },
    })
  })

  const count = (task: VideoTask, usage: object) => {
    const output = { task_status: 'SUCCEEDED', video_url: 'https://a.test/b.mp4' }
    return hear(dashscopeVideos.poll({ id: 'a' }, talk.target('wan2.7-t2v'), task), { body: { output, usage } }).result
  }

  it('takes a length without more for that of the video, unless a video went in as well', () => {
    expect(count(videoTask(), { duration: 6 })).toMatchObject({ usage: { media: { outputVideoMs: 6_000 } } })
    expect(count(taskOfKind.video_edit, { duration: 9.2 })).toMatchObject({
      usage: { media: { inputVideoMs: 4_200, outputVideoMs: 5_000 } },
    })
  })

  it('judges refusals that come with status 200, and gives up what was canceled or forgotten', () => {
    const submit = dashscopeVideos.submit(videoTask(), talk.target('wan2.7-t2v'), 'n')
    expect(() => hear(submit, { body: { code: 'Throttling.RateQuota', message: 'slow down' } })).toThrow('slow down')
    for (const task_status of ['CANCELED', 'UNKNOWN']) {
      const poll = dashscopeVideos.poll({ id: 'a' }, talk.target('wan2.7-t2v'), videoTask())
      expect(hear(poll, { body: { output: { task_status } } }).result).toMatchObject({ kind: 'failed' })
    }
  })

  it('tells nobody that our account is in arrears', () => {
    const poll = dashscopeVideos.poll({ id: 'a' }, talk.target('wan2.7-t2v'), videoTask())
    const output = { task_status: 'FAILED', code: 'Arrearage', message: 'Access denied, pay at once' }
    expect(hear(poll, { body: { output } }).result).toMatchObject({ message: expect.not.stringContaining('pay') })
  })

  it('is the same in China', () => {
    expect(alibabaCn.media?.video).toBe(talk.codec)
  })
})
