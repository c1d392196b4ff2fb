import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const wishes = {
  durationS: 5,
  resolution: '1080p',
  aspectRatio: '21:9',
  seed: 3,
  extras: { loop: true, mode: 'adhere_1' },
}
const details = { video: { allowed_passthrough_parameters: ['loop'] } }

describe("Luma's Agents", () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('luma-agents')
  })
  afterAll(() => talk.close())

  it('[VIDEO-13] are told a length with its unit', async () => {
    await talk.submit(videoTask(wishes), talk.target('ray-3.2', details))
    expect(await talk.lastBody()).toEqual({
      model: 'ray-3.2',
      type: 'video',
      prompt: 'A paper boat in the rain',
      aspect_ratio: '21:9',
      loop: true,
      video: { resolution: '1080p', duration: '5s' },
    })
  })

  it('[VIDEO-14] are given frames by their places', async () => {
    await talk.submit({ ...taskOfKind.keyframes, durationS: 4 }, talk.target('ray-3.2'))
    expect(await talk.lastBody()).toMatchObject({
      video: {
        duration: '5s',
        start_frame: { url: 'https://images.test/first.png' },
        end_frame: { url: 'https://images.test/last.png' },
      },
    })
  })

  it('[VIDEO-17] edit a video', async () => {
    const [made] = await talk.follow(taskOfKind.video_edit, talk.target('ray-3.2'))
    expect(await talk.lastBody()).toMatchObject({
      type: 'video_edit',
      source: { url: 'https://videos.test/a.mp4', media_type: 'video/mp4' },
      video: {},
    })
    expect(made).toMatchObject({ usage: { media: { inputVideoMs: 4_200, outputVideoMs: 5_000 } } })
  })

  it('do not tell callers of our budget', () => {
    const poll = talk.codec.poll({ id: 'a' }, talk.target('ray-3.2'), videoTask())
    poll.next()
    const failed = {
      id: 'a',
      state: 'failed',
      failure_code: 'budget_exhausted',
      failure_reason: 'Team 12 has no money',
    }
    const { value } = poll.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(failed)) })
    expect(value).toEqual({
      kind: 'failed',
      message: 'The provider could not generate this video. Nothing was charged.',
    })
  })
})

describe("Luma's Dream Machine", () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('luma-dream-machine')
  })
  afterAll(() => talk.close())

  it('[VIDEO-14] is asked for older models, with frames in places of its own', async () => {
    await talk.submit(
      { ...taskOfKind.keyframes, ...wishes, aspectRatio: null, durationS: 6 },
      talk.target('ray-2', details),
    )
    expect(await talk.lastBody()).toEqual({
      model: 'ray-2',
      prompt: 'A paper boat in the rain',
      duration: '9s',
      resolution: '1080p',
      loop: true,
      keyframes: {
        frame0: { type: 'image', url: 'https://images.test/first.png' },
        frame1: { type: 'image', url: 'https://images.test/last.png' },
      },
    })
  })

  it('[VIDEO-17] modifies a video', async () => {
    const [made] = await talk.follow(taskOfKind.video_edit, talk.target('ray-flash-2'))
    expect(await talk.lastBody()).toMatchObject({
      generation_type: 'modify_video',
      media: { url: 'https://videos.test/a.mp4' },
      mode: 'flex_2',
    })
    expect(made?.kind).toBe('made')
  })

  it.each([
    ['https://agents.lumalabs.ai/v1', 'ray-2', 'https://api.lumalabs.ai', '/dream-machine/v1/generations/video'],
    ['https://api.lumalabs.ai/dream-machine/v1', 'ray-3.2', 'https://agents.lumalabs.ai', '/v1/generations'],
    ['https://proxy.test/luma/v1', 'ray-flash-2', 'https://proxy.test', '/luma/dream-machine/v1/generations/video'],
    ['https://proxy.test/luma/dream-machine/v1', 'ray-3.2', 'https://proxy.test', '/luma/v1/generations'],
  ])('is found beside %s for %s', (baseUrl, model, origin, path) => {
    const step = talk.codec.submit(videoTask(), { ...talk.target(model), baseUrl }, 'n').next().value
    expect(step).toMatchObject({ kind: 'send', request: { origin, path } })
  })
})
