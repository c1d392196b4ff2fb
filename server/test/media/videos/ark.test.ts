import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arkVideos } from '#providers/vendors/bytedance/videos.ts'
import { volcengine } from '#providers/vendors/bytedance/index.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

describe('Seedance on Ark', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('ark')
  })
  afterAll(() => talk.close())

  it('[VIDEO-08] is told no watermark, whether there is sound, and everything else as numbers and names', async () => {
    const task = videoTask({ durationS: 7, resolution: '4k', aspectRatio: '21:9', audio: true, seed: 11 })
    await talk.submit(task, talk.target('dreamina-seedance-2-0-260128'))
    expect(await talk.lastBody()).toEqual({
      model: 'dreamina-seedance-2-0-260128',
      content: [{ type: 'text', text: task.prompt }],
      resolution: '4k',
      duration: 7,
      ratio: '21:9',
      seed: 11,
      generate_audio: true,
      watermark: false,
    })
    // Audio is on by default, and costs.
    await talk.submit(videoTask(), talk.target('doubao-seedance-1-5-pro-251215'))
    expect(await talk.lastBody()).toMatchObject({ generate_audio: false })
    await talk.submit(videoTask(), talk.target('seedance-1-0-pro-250528'))
    expect(await talk.lastBody()).not.toHaveProperty('generate_audio')
  })

  it('[VIDEO-14] [VIDEO-16] [VIDEO-17] gives each generation what it takes, in its role', async () => {
    const rolesOf = async () => {
      const { content } = await talk.lastBody()
      return Array.isArray(content) ? content.map((item) => Object(item).role) : []
    }
    await talk.submit({ ...taskOfKind.keyframes, aspectRatio: '1:1' }, talk.target('seedance-1-5-pro-251215'))
    expect(await rolesOf()).toEqual([undefined, 'first_frame', 'last_frame'])
    expect(await talk.lastBody()).not.toHaveProperty('ratio')
    await talk.submit(taskOfKind.reference_to_video, talk.target('dreamina-seedance-2-0-260128'))
    expect(await rolesOf()).toEqual([undefined, 'reference_image', 'reference_image'])
    await talk.submit(taskOfKind.video_edit, talk.target('ep-20260101-abcde'))
    expect(await rolesOf()).toEqual([undefined, 'reference_video'])
    const refused = talk.submit(taskOfKind.video_edit, talk.target('seedance-1-5-pro-251215'))
    await expect(refused).rejects.toThrow('Supported: text_to_video, image_to_video, keyframes.')
    const tooLong = talk.submit(videoTask({ durationS: 13 }), talk.target('seedance-1-5-pro-251215'))
    await expect(tooLong).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-24] counts the tokens that it says', async () => {
    const [made] = await talk.follow(videoTask({ resolution: '480p' }), talk.target('seedance-1-5-pro-251215'))
    expect(made).toMatchObject({
      usage: { media: { videoTokens: 108_900, outputVideoMs: 5_000, variant: { resolution: '480p' } } },
    })
  })

  it.each([undefined, 0, -1, 1.5, '108900', 2 ** 60, null])(
    'counts the tokens of what was made where %s is stated',
    (completion_tokens) => {
      const job = {
        id: 'a',
        status: 'succeeded',
        content: { video_url: 'https://a.test/b.mp4' },
        usage: { completion_tokens },
        resolution: '720p',
        ratio: '16:9',
        duration: 5,
      }
      const { result } = hear(arkVideos.poll({ id: 'a' }, talk.target('seedance'), videoTask()), { body: job })
      // 1280 × 720 × 24 × 5 ÷ 1024
      expect(result).toMatchObject({ usage: { media: { videoTokens: 108_000 } } })
    },
  )

  const end = (error: object) =>
    hear(arkVideos.poll({ id: 'a' }, talk.target('seedance'), videoTask()), { body: { status: 'failed', error } })
      .result

  it('tells refused content from failures, and its callers nothing of our account', () => {
    const risky = { code: 'InputImageSensitiveContentDetected.PrivacyInformation', message: 'a face' }
    expect(end(risky)).toMatchObject({ isModerated: true, message: expect.stringContaining('a face') })
    const overdue = end({ code: 'AccountOverdueError', message: 'account 2100 owes 7 CNY' })
    expect(overdue).toMatchObject({ kind: 'failed', message: expect.not.stringContaining('2100') })
  })

  it.each(['cancelled', 'expired'])('gives up what is %s', (status) => {
    const poll = arkVideos.poll({ id: 'a' }, talk.target('seedance'), videoTask())
    expect(hear(poll, { body: { id: 'a', status, error: null } }).result).toMatchObject({ kind: 'failed' })
  })

  it('is the same at Volcengine', () => {
    expect(volcengine.media?.video).toBe(talk.codec)
  })
})
