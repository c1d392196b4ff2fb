import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minimaxVideos } from '#providers/vendors/minimax/videos.ts'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import { hear } from './hear.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const [first, last] = ['https://images.test/first.png', 'https://images.test/last.png']

describe('MiniMax up to Hailuo 2.3', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('minimax-v1')
  })
  afterAll(() => talk.close())

  it('[VIDEO-08] is told no watermark, whole seconds that it makes, and a resolution in capitals', async () => {
    const details = { video: { allowed_passthrough_parameters: ['prompt_optimizer'] } }
    const extras = { prompt_optimizer: false, callback_url: 'https://evil.test' }
    const task = videoTask({ resolution: '1080p', extras })
    await talk.submit(task, talk.target('MiniMax-Hailuo-2.3', details))
    expect(await talk.lastBody()).toEqual({
      model: 'MiniMax-Hailuo-2.3',
      prompt: task.prompt,
      duration: 6,
      resolution: '1080P',
      prompt_optimizer: false,
      aigc_watermark: false,
    })
  })

  it('[VIDEO-14] is given frames, by the models that take them', async () => {
    await talk.submit(taskOfKind.image_to_video, talk.target('MiniMax-Hailuo-2.3-Fast'))
    expect(await talk.lastBody()).toMatchObject({ first_frame_image: first })
    await talk.submit(taskOfKind.keyframes, talk.target('MiniMax-Hailuo-02'))
    expect(await talk.lastBody()).toMatchObject({ first_frame_image: first, last_frame_image: last })
    const refused = talk.submit(taskOfKind.keyframes, talk.target('MiniMax-Hailuo-2.3'))
    await expect(refused).rejects.toThrow('Supported: text_to_video, image_to_video.')
    await expect(talk.submit(videoTask(), talk.target('MiniMax-Hailuo-2.3-Fast'))).rejects.toThrow('image_to_video')
  })

  it('[VIDEO-16] is given one reference, by the model that takes it', async () => {
    const one = { ...taskOfKind.reference_to_video, references: [first] }
    await talk.submit(one, talk.target('S2V-01'))
    expect(await talk.lastBody()).toMatchObject({ subject_reference: [{ type: 'character', image: [first] }] })
    const two = talk.submit(taskOfKind.reference_to_video, talk.target('S2V-01'))
    await expect(two).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-24] counts the seconds it was asked for, and asks for the link in a call of its own', async () => {
    const before = (await talk.upstream.requests()).length
    const [made] = await talk.follow(videoTask({ durationS: 7 }), talk.target('MiniMax-Hailuo-02'))
    expect(made).toMatchObject({ kind: 'made', usage: { media: { outputVideoMs: 10_000 } } })
    const paths = (await talk.upstream.requests()).slice(before).map(({ path }) => path.replace(/order-\d+/, 'ID'))
    expect(paths).toEqual([
      '/v1/video_generation',
      '/v1/query/video_generation?task_id=ID',
      '/v1/files/retrieve?file_id=ID',
    ])
  })

  const poll = () => minimaxVideos.poll({ id: 'a' }, talk.target('MiniMax-Hailuo-02'), videoTask())

  it('asks again for a link that was not given, and takes no file for one that lost its digits', () => {
    const success = { body: { status: 'Success', file_id: 1_768_440, base_resp: { status_code: 0 } } }
    const [, request] = hear(poll(), success, { body: { file: { download_url: 'https://a.test/b.mp4' } } }).requests
    expect(request?.path).toBe('/v1/files/retrieve?file_id=1768440')
    for (const file of [{}, { download_url: 'file:///etc/passwd' }, { download_url: 7 }]) {
      expect(() => hear(poll(), success, { body: { file } })).toThrow(UnusableAnswerError)
    }
    for (const file_id of [2 ** 60, '', null, 1.5]) {
      expect(() => hear(poll(), { body: { status: 'Success', file_id } })).toThrow(UnusableAnswerError)
    }
  })
})

describe('MiniMax since Hailuo 3', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('minimax-v2')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is asked at its second API, with a list of what the video is made from', async () => {
    const task = videoTask({ durationS: 7, resolution: '2k', aspectRatio: '9:16', audio: true })
    await talk.submit(task, talk.target('MiniMax-H3'))
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order?.path).toBe('/v2/video_generation')
    expect(order?.body).toEqual({
      model: 'MiniMax-H3',
      content: [{ type: 'text', text: task.prompt }],
      resolution: '2K',
      duration: 7,
      ratio: '9:16',
      aigc_watermark: false,
    })
  })

  it('[VIDEO-14] [VIDEO-16] is told what each image is, and no ratio beside frames', async () => {
    await talk.submit({ ...taskOfKind.keyframes, aspectRatio: '1:1' }, talk.target('MiniMax-H3'))
    const body = await talk.lastBody()
    expect(body).not.toHaveProperty('ratio')
    expect(body.content).toEqual([
      { type: 'text', text: 'A paper boat in the rain' },
      { type: 'image_url', image_url: { url: first }, role: 'first_frame' },
      { type: 'image_url', image_url: { url: last }, role: 'last_frame' },
    ])
    await talk.submit(taskOfKind.reference_to_video, talk.target('MiniMax-H3'))
    expect((await talk.lastBody()).content).toMatchObject([
      {},
      { role: 'reference_image' },
      { role: 'reference_image' },
    ])
  })

  it('[VIDEO-17] counts the seconds that it says went in and came out', async () => {
    const [made] = await talk.follow(taskOfKind.video_edit, talk.target('MiniMax-H3'))
    expect((await talk.lastBody()).content).toContainEqual({
      type: 'video_url',
      video_url: { url: 'https://videos.test/a.mp4' },
      role: 'reference_video',
    })
    expect(made).toMatchObject({
      usage: { media: { inputVideoMs: 4_000, outputVideoMs: 5_000, variant: { resolution: '2k' } } },
    })
  })

  it.each(['failed', 'cancelled', 'expired'])('gives up what is %s', (status) => {
    const poll = minimaxVideos.poll({ id: 'a' }, talk.target('MiniMax-H3'), videoTask())
    expect(hear(poll, { body: { task: { id: 'a', status } } }).result).toMatchObject({ kind: 'failed' })
  })
})
