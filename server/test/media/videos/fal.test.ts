import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { falVideos } from '#providers/vendors/fal/videos.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const [first, last] = ['https://images.test/first.png', 'https://images.test/last.png']

describe('fal', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('fal')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told what an app has, in the app’s own form', async () => {
    const details = { video: { generate_audio: true, allowed_passthrough_parameters: ['negative_prompt'] } }
    const extras = { negative_prompt: 'people', fal_webhook: 'https://evil.test' }
    const wishes = { durationS: 8, resolution: '1080p', aspectRatio: '9:16', seed: 2, extras }
    await talk.submit(videoTask(wishes), talk.target('fal-ai/veo3.1/fast', details))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe('/fal-ai/veo3.1/fast')
    expect(order?.body).toEqual({
      prompt: 'A paper boat in the rain',
      duration: '8s',
      resolution: '1080p',
      aspect_ratio: '9:16',
      generate_audio: false,
      seed: 2,
      negative_prompt: 'people',
    })
    await talk.submit(
      videoTask({ resolution: '768p' }),
      talk.target('fal-ai/minimax/hailuo-2.3/standard/text-to-video'),
    )
    expect(await talk.lastBody()).toEqual({ prompt: 'A paper boat in the rain', duration: '5' })
    await talk.submit(videoTask({ durationS: 4 }), talk.target('fal-ai/sora-2/text-to-video'))
    expect(await talk.lastBody()).toMatchObject({ duration: 4 })
  })

  it.each([
    ['image_to_video', 'fal-ai/veo3.1', '/fal-ai/veo3.1/image-to-video', { image_url: first }],
    [
      'keyframes',
      'fal-ai/veo3.1',
      '/fal-ai/veo3.1/first-last-frame-to-video',
      { first_frame_url: first, last_frame_url: last },
    ],
    [
      'keyframes',
      'fal-ai/kling-video/v2.5-turbo/pro/text-to-video',
      '/fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
      { image_url: first, tail_image_url: last },
    ],
    [
      'image_to_video',
      'fal-ai/kling-video/v3/pro/image-to-video',
      '/fal-ai/kling-video/v3/pro/image-to-video',
      { start_image_url: first },
    ],
    [
      'reference_to_video',
      'fal-ai/bytedance/seedance/v2/text-to-video',
      '/fal-ai/bytedance/seedance/v2/reference-to-video',
      { image_urls: [first, last] },
    ],
    [
      'video_edit',
      'fal-ai/kling-video/o1/video-to-video/edit',
      '/fal-ai/kling-video/o1/video-to-video/edit',
      { video_url: 'https://videos.test/a.mp4' },
    ],
  ] as const)('[VIDEO-14] [VIDEO-16] [VIDEO-17] asks for %s of %s at %s', async (kind, app, path, inputs) => {
    const reference = await talk.submit(taskOfKind[kind], talk.target(app))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order).toMatchObject({ path, body: inputs })
    // Polled below the app's name, and not at the URL in the response.
    expect(reference).toEqual({ path: `${path.split('/').slice(0, 3).join('/')}/requests/${order?.id}` })
  })

  it('[VIDEO-18] makes only what a path that is spelled out makes', async () => {
    const image = talk.target('fal-ai/veo3.1/image-to-video')
    await expect(talk.submit(videoTask(), image)).rejects.toThrow('Supported: image_to_video.')
    await expect(talk.submit(taskOfKind.keyframes, image)).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  const completed = { body: { status: 'COMPLETED' } }
  const poll = () => falVideos.poll({ path: '/a/b/requests/c' }, talk.target('a/b'), videoTask())

  it('[VIDEO-25] takes a result that is an error for a failure, though the request is said to be completed', () => {
    for (const status of [400, 404, 422, 500, 504]) {
      const { result } = hear(poll(), completed, { status, body: { detail: 'the runner fell over' } })
      expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('the runner fell over') })
    }
    const detail = [{ loc: ['body', 'prompt'], msg: 'not this', type: 'content_policy_violation' }]
    expect(hear(poll(), completed, { status: 422, body: { detail } }).result).toMatchObject({ isModerated: true })
  })

  it('waits on where the result is not ready, and asks again where the error is not about the video', () => {
    const early = { status: 400, body: { detail: 'Request is still in progress' } }
    expect(hear(poll(), completed, early).result).toEqual({ kind: 'working', status: 'in_progress' })
    for (const answer of [
      { status: 502, body: '<html>Bad gateway</html>' },
      { status: 429, body: { detail: 'too many' } },
      { status: 401, body: { detail: 'who are you' } },
    ]) {
      expect(() => hear(poll(), completed, answer)).toThrow(UpstreamRefusedError)
    }
  })
})
