import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVideoTalk, type VideoTalk, videoTask } from './video-talk.ts'

const choice = { video: { generate_audio: true } }
const model = 'veo-3.1-generate-001'

describe('Veo on Vertex', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('vertex-veo')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told whether to make sound where that is a choice', async () => {
    await talk.submit(videoTask({ durationS: 8, aspectRatio: '16:9' }), talk.target(model, choice))
    expect(await talk.lastBody()).toEqual({
      instances: [{ prompt: 'A paper boat in the rain' }],
      parameters: { aspectRatio: '16:9', durationSeconds: 8, sampleCount: 1, generateAudio: false },
    })
    await talk.submit(videoTask({ durationS: 8, audio: true }), talk.target(model, choice))
    expect(await talk.lastBody()).toMatchObject({ parameters: { generateAudio: true } })
    await talk.submit(videoTask({ durationS: 8 }), talk.target(model))
    expect(Object(await talk.lastBody())['parameters']).not.toHaveProperty('generateAudio')
  })

  it('[VIDEO-24] counts the seconds of every video, and brings each from the answer', async () => {
    await talk.upstream.serve(Buffer.from('....ftyp film'))
    await talk.upstream.playNext({ end: { kind: 'made', count: 2 } })
    const target = talk.target(model)
    const task = videoTask({ durationS: 8 })
    const reference = await talk.submit(task, target)
    expect(await talk.poll(reference, target, task)).toMatchObject({
      kind: 'made',
      outputs: [
        { kind: 'answer', index: 0 },
        { kind: 'answer', index: 1 },
      ],
      usage: { media: { outputVideoMs: 16_000 } },
    })
    expect((await talk.bring(1, reference, target)).toString()).toBe('....ftyp film')
    await expect(talk.bring(2, reference, target)).rejects.toThrow('no longer has the generated video')
  })

  it('leaves 4K to hosts that do not send videos in an answer', async () => {
    const large = talk.submit(videoTask({ durationS: 8, resolution: '4K' }), talk.target(model))
    await expect(large).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })
})
