import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const image = (name: string) => ({ type: 'image_url', image_url: { url: `https://images.test/${name}.png` } })
const details: JsonObject = { video: { generate_audio: true } }

describe('OpenRouter', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('openrouter')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told sound and seed, and a size or what stands for it, never both', async () => {
    const wishes = { resolution: '720p', aspectRatio: '16:9', seed: 5 }
    await talk.submit(videoTask(wishes), talk.target('a/b', details))
    const common = { model: 'a/b', prompt: 'A paper boat in the rain', duration: 5, generate_audio: false, seed: 5 }
    expect(await talk.lastBody()).toEqual({ ...common, resolution: '720p', aspect_ratio: '16:9' })
    await talk.submit(videoTask({ ...wishes, size: { width: 1_280, height: 720 } }), talk.target('a/b', details))
    expect(await talk.lastBody()).toEqual({ ...common, size: '1280x720' })
  })

  it('[VIDEO-14] [VIDEO-16] is given frames or references', async () => {
    await talk.submit(taskOfKind.keyframes, talk.target('a/b'))
    expect(await talk.lastBody()).toMatchObject({
      frame_images: [
        { ...image('first'), frame_type: 'first_frame' },
        { ...image('last'), frame_type: 'last_frame' },
      ],
    })
    await talk.submit(taskOfKind.reference_to_video, talk.target('a/b'))
    const body = await talk.lastBody()
    expect(body).toMatchObject({ input_references: [image('first'), image('last')] })
    expect(body).not.toHaveProperty('frame_images')
  })

  it('[VIDEO-31] has every video that it made, in order', async () => {
    await talk.upstream.playNext({ end: { kind: 'made', count: 2 } })
    const [made] = await talk.follow(videoTask(), talk.target('a/b'))
    expect(made).toMatchObject({
      outputs: [
        { kind: 'path', path: expect.stringMatching(/^\/videos\/order-\d+\/content\?index=0$/) },
        { kind: 'path', path: expect.stringMatching(/^\/videos\/order-\d+\/content\?index=1$/) },
      ],
    })
  })

  it.each(['cancelled', 'expired'])('gives up what it calls %s', (status) => {
    expect(heard({ id: 'a', status })).toMatchObject({ kind: 'failed' })
  })

  it('shows its key to nobody else', () => {
    const links = ['https://cdn.test/a.mp4', '/api/v1/videos/a/content?index=1', 'file:///etc/passwd']
    expect(heard({ id: 'a', status: 'completed', unsigned_urls: links })).toMatchObject({
      outputs: [
        { kind: 'url', url: 'https://cdn.test/a.mp4' },
        { kind: 'path', path: '/videos/a/content?index=1' },
      ],
    })
    expect(heard({ id: 'a', status: 'completed' })).toMatchObject({
      outputs: [{ kind: 'path', path: '/videos/a/content?index=0' }],
    })
    expect(heard({ id: 'a', status: 'completed', unsigned_urls: [] })).toMatchObject({ outputs: [] })
  })

  function heard(job: JsonObject) {
    const poll = talk.codec.poll({ id: 'a' }, talk.target('a/b'), videoTask())
    poll.next()
    return poll.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(job)) }).value
  }
})
