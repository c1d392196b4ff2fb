import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const pro: JsonObject = {
  upstream_fixed_params: { mode: 'pro' },
  video: { generate_audio: true, allowed_passthrough_parameters: ['negative_prompt', 'cfg_scale'] },
}

describe('Kling', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('kling', 'access-1:secret-1')
  })
  afterAll(() => talk.close())

  it('[VIDEO-08] is told no watermark, a length as a word, our name, and what its caller may say', async () => {
    const extras = { negative_prompt: 'people', cfg_scale: 0.5, callback_url: 'https://evil.test', mode: 'std' }
    const task = videoTask({ durationS: 7, aspectRatio: '9:16', audio: true, seed: 4, extras })
    await talk.submit(task, talk.target('kling-v3', pro), 'vjob_a-1')
    const [order] = (await talk.upstream.orders()).slice(-1)
    expect(order).toMatchObject({ path: '/v1/videos/text2video', name: 'vjob_a-1' })
    expect(order?.body).toEqual({
      model_name: 'kling-v3',
      prompt: task.prompt,
      negative_prompt: 'people',
      cfg_scale: 0.5,
      duration: '7',
      sound: 'on',
      aspect_ratio: '9:16',
      watermark_info: { enabled: false },
      mode: 'pro',
      external_task_id: 'vjob_a-1',
    })
  })

  it('[VIDEO-14] is asked for frames at a path of their own, without a ratio beside them', async () => {
    const { lastBody, submit, target } = talk
    expect(await submit(taskOfKind.image_to_video, target('kling-v2-6'))).toMatchObject({
      path: '/v1/videos/image2video',
    })
    expect(await lastBody()).toMatchObject({ image: 'https://images.test/first.png', duration: '5' })
    await submit({ ...taskOfKind.keyframes, aspectRatio: '9:16' }, target('kling-v2-6'))
    const body = await lastBody()
    expect(body).toMatchObject({ image: 'https://images.test/first.png', image_tail: 'https://images.test/last.png' })
    expect(body).not.toHaveProperty('aspect_ratio')
    expect(body).not.toHaveProperty('sound')
    const lastOnly = { ...taskOfKind.keyframes, firstFrame: null }
    await expect(submit(lastOnly, target('kling-v2-6'))).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-16] is given up to four references, and no more', async () => {
    const { lastBody, submit, target } = talk
    const reference = await submit(taskOfKind.reference_to_video, target('kling-v1-6'))
    expect(reference).toMatchObject({ path: '/v1/videos/multi-image2video' })
    expect(await lastBody()).toMatchObject({
      image_list: [{ image: 'https://images.test/first.png' }, { image: 'https://images.test/last.png' }],
    })
    const five = { ...taskOfKind.reference_to_video, references: Array.from({ length: 5 }, () => 'https://a.test') }
    await expect(submit(five, target('kling-v1-6'))).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-17] edits with its unified model alone, and counts what went in and what came out', async () => {
    const edit = taskOfKind.video_edit
    await expect(talk.submit(edit, talk.target('kling-v3'))).rejects.toMatchObject({ errorName: 'unsupportedParam' })
    const [made] = await talk.follow(edit, talk.target('kling-video-o1'))
    expect(await talk.lastBody()).toMatchObject({
      video_list: [{ video_url: 'https://videos.test/a.mp4', refer_type: 'base', keep_original_sound: 'no' }],
    })
    expect(made).toMatchObject({
      usage: {
        media: { inputVideoMs: 4_200, outputVideoMs: 5_000, variant: { task: 'video_edit', input_video: 'true' } },
      },
    })
  })

  it('counts its mode, and the seconds it makes where it makes more than were asked for', async () => {
    const [made] = await talk.follow(videoTask({ durationS: 7 }), talk.target('kling-v2-6', pro))
    expect(await talk.lastBody()).toMatchObject({ duration: '10', sound: 'off' })
    expect(made).toMatchObject({
      usage: { media: { outputVideoMs: 10_000, variant: { mode: 'pro', audio: 'false' } } },
    })
    const tooLong = videoTask({ durationS: 11 })
    await expect(talk.submit(tooLong, talk.target('kling-v2-6'))).rejects.toThrow('5, 10 seconds')
  })

  it('finds an order by our name whose answer was lost, and says surely that there is none', async () => {
    await talk.upstream.playNext({ submit: 'lost' }, { submit: 'dropped' })
    const [task, target] = [taskOfKind.image_to_video, talk.target('kling-v3')]
    await expect(talk.submit(task, target, 'vjob_b-1')).rejects.toThrow()
    const taken = (await talk.upstream.orders()).at(-1)
    expect(await talk.find('vjob_b-1', target, task)).toEqual({ path: '/v1/videos/image2video', id: taken?.id })
    await expect(talk.submit(task, target, 'vjob_c-1')).rejects.toThrow()
    expect(await talk.find('vjob_c-1', target, task)).toBeNull()
  })

  it('is shown a token of the pair and never the secret, or a plain key as it is', async () => {
    const target = talk.target('kling-v3')
    expect(target.credential).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    await talk.submit(videoTask(), target)
    const plain = await startVideoTalk('kling', 'plain-key')
    expect(plain.target('kling-v3').credential).toBe('plain-key')
    await plain.submit(videoTask(), plain.target('kling-v3'))
    expect(await plain.upstream.orders()).toHaveLength(1)
    await plain.close()
  })

  it('gives the marked video to whoever asks for the mark', async () => {
    const [made] = await talk.follow(videoTask({ watermark: true }), talk.target('kling-v3'))
    expect(made).toMatchObject({ outputs: [{ url: expect.stringContaining('?marked') }] })
    expect(await talk.lastBody()).toMatchObject({ watermark_info: { enabled: true } })
  })
})
