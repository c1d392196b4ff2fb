import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

describe('Runway', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('runway')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told a frame in pixels, whole seconds and a seed, and nothing that it refuses', async () => {
    const details = { video: { allowed_passthrough_parameters: ['contentModeration'] } }
    const extras = { contentModeration: { publicFigureThreshold: 'low' }, keyframes: [] }
    const wishes = { durationS: 4, aspectRatio: '9:16', resolution: '720p', seed: 3, extras }
    await talk.submit(videoTask(wishes), talk.target('gen4.5', details))
    expect(await talk.lastBody()).toEqual({
      model: 'gen4.5',
      promptText: 'A paper boat in the rain',
      duration: 4,
      ratio: '720:1280',
      seed: 3,
      contentModeration: { publicFigureThreshold: 'low' },
    })
    await talk.submit(videoTask({ durationS: 8, resolution: '1080p', seed: 3, audio: true }), talk.target('veo3.1'))
    const body = await talk.lastBody()
    expect(body).toMatchObject({ ratio: '1920:1080', audio: true })
    expect(body).not.toHaveProperty('seed')
  })

  it('[VIDEO-14] is given one frame as it is, and two with their places', async () => {
    await talk.submit(taskOfKind.image_to_video, talk.target('gen4_turbo'))
    expect(await talk.lastBody()).toMatchObject({ promptImage: 'https://images.test/first.png', ratio: '1280:720' })
    await talk.submit(taskOfKind.keyframes, talk.target('seedance2'))
    const body = await talk.lastBody()
    expect(body).toMatchObject({
      promptImage: [
        { uri: 'https://images.test/first.png', position: 'first' },
        { uri: 'https://images.test/last.png', position: 'last' },
      ],
    })
    expect(body).not.toHaveProperty('ratio')
    await expect(talk.submit(taskOfKind.keyframes, talk.target('gen4.5'))).rejects.toThrow(
      'text_to_video, image_to_video',
    )
    await expect(talk.submit(videoTask(), talk.target('gen4_turbo'))).rejects.toThrow('Supported: image_to_video.')
  })

  it('[VIDEO-16] gives references to the models that take them', async () => {
    await talk.submit(taskOfKind.reference_to_video, talk.target('seedance2_fast'))
    const references = [{ uri: 'https://images.test/first.png' }, { uri: 'https://images.test/last.png' }]
    expect(await talk.lastBody()).toMatchObject({ references })
  })

  it('[VIDEO-17] edits a video, whose seconds count on either side', async () => {
    const [made] = await talk.follow(taskOfKind.video_edit, talk.target('aleph2'))
    const body = await talk.lastBody()
    expect(body).toEqual({
      model: 'aleph2',
      promptText: 'A paper boat in the rain',
      videoUri: 'https://videos.test/a.mp4',
    })
    expect(made).toMatchObject({ usage: { media: { inputVideoMs: 4_200, outputVideoMs: 5_000 } } })
    await talk.submit(taskOfKind.video_edit, talk.target('seedance2'))
    expect(await talk.lastBody()).toMatchObject({ promptVideo: 'https://videos.test/a.mp4' })
  })

  it('gives up a task that was cancelled', () => {
    const poll = talk.codec.poll({ id: 'a' }, talk.target('gen4.5'), videoTask())
    poll.next()
    const body = Buffer.from(JSON.stringify({ id: 'a', status: 'CANCELLED' }))
    expect(poll.next({ status: 200, headers: {}, body }).value).toMatchObject({ kind: 'failed' })
  })
})
