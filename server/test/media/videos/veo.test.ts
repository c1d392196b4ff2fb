import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const bytesOf = (name: string) => Buffer.from(`image at https://images.test/${name}.png`).toString('base64')
const choice = { video: { generate_audio: true, allowed_passthrough_parameters: ['personGeneration', 'sampleCount'] } }

describe('Veo on the Gemini API', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('veo')
  })
  afterAll(() => talk.close())

  it('[VIDEO-07] is told everything in its own words, and asked for one video whatever its caller says', async () => {
    const extras = { negative_prompt: 'people', personGeneration: 'dont_allow', sampleCount: 4, enhancePrompt: true }
    const wishes = { durationS: 8, resolution: '4K', aspectRatio: '9:16', seed: 7, audio: true, extras }
    await talk.submit(videoTask(wishes), talk.target('veo-3.1-generate-preview', choice))
    expect(await talk.lastBody()).toEqual({
      instances: [{ prompt: 'A paper boat in the rain' }],
      parameters: {
        aspectRatio: '9:16',
        resolution: '4k',
        durationSeconds: 8,
        seed: 7,
        negativePrompt: 'people',
        personGeneration: 'dont_allow',
        sampleCount: 1,
      },
    })
  })

  it('[VIDEO-14] is given the bytes of frames, which are thrown away afterwards', async () => {
    await talk.submit(taskOfKind.keyframes, talk.target('veo-3.1-generate-preview'))
    expect(await talk.lastBody()).toMatchObject({
      instances: [
        {
          image: { bytesBase64Encoded: bytesOf('first'), mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: bytesOf('last'), mimeType: 'image/png' },
        },
      ],
    })
    expect(talk.openImages).toBe(0)
  })

  it('[VIDEO-16] is given up to three references', async () => {
    await talk.submit(taskOfKind.reference_to_video, talk.target('veo-3.1-generate-preview'))
    const { instances } = await talk.lastBody()
    expect(instances).toMatchObject([{ referenceImages: [{ referenceType: 'asset' }, { referenceType: 'asset' }] }])
    const four = { ...taskOfKind.reference_to_video, references: ['a', 'b', 'c', 'd'] }
    await expect(talk.submit(four, talk.target('veo-3.1'))).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('makes no silent video where silence is a choice, because it would be billed with sound', async () => {
    const silent = talk.submit(videoTask(), talk.target('veo-3.1-generate-preview', choice))
    await expect(silent).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-24] counts the seconds of every video that it made, at the lengths it makes', async () => {
    await talk.upstream.playNext({ end: { kind: 'made', count: 2 } })
    const [made] = await talk.follow(videoTask({ resolution: '1080p' }), talk.target('veo-3.1-generate-preview'))
    expect(await talk.lastBody()).toMatchObject({ parameters: { durationSeconds: 6, resolution: '1080p' } })
    expect(made).toMatchObject({
      outputs: [{ kind: 'path' }, { kind: 'path' }],
      usage: { media: { outputVideoMs: 12_000, variant: { resolution: '1080p' } } },
    })
    await talk.submit(videoTask({ resolution: '720p' }), talk.target('veo-2.0-generate-001'))
    const { parameters } = await talk.lastBody()
    expect(parameters).toMatchObject({ durationSeconds: 5 })
    expect(parameters).not.toHaveProperty('resolution')
  })

  it('shows its key to the address that the operator gave, whatever the answer says', async () => {
    const { poll, codec, target } = talk
    const one = target('veo-3.1')
    const answers = (uri: string) => {
      const talkOf = codec.poll({ operation: 'models/veo/operations/1' }, one, videoTask())
      talkOf.next()
      const response = { generateVideoResponse: { generatedVideos: [{ video: { uri } }] } }
      const body = Buffer.from(JSON.stringify({ done: true, response }))
      return talkOf.next({ status: 200, headers: {}, body }).value
    }
    expect(
      answers('https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media&key=k'),
    ).toMatchObject({
      outputs: [{ kind: 'path', path: '/files/abc:download?alt=media' }],
    })
    expect(answers('https://storage.test/signed.mp4?x=1')).toMatchObject({
      outputs: [{ kind: 'url', url: 'https://storage.test/signed.mp4?x=1' }],
    })
    expect(() => answers('file:///etc/passwd')).toThrow('where it is')
    await expect(poll({}, one, videoTask())).rejects.toThrow('operation')
  })

  it.each(['../../secret', 'models/veo/operations/..', '/models/x', 'a?b=c'])(
    'does not follow an operation called %s',
    (name) => {
      const submit = talk.codec.submit(videoTask(), talk.target('veo-3.1'), 'n')
      submit.next()
      const body = Buffer.from(JSON.stringify({ name }))
      expect(() => submit.next({ status: 200, headers: {}, body })).toThrow('unknown form')
    },
  )
})
