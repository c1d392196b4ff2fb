import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startVideoTalk, taskOfKind, type VideoTalk, videoTask } from './video-talk.ts'

const bytesOf = (name: string) => Buffer.from(`image at https://images.test/${name}.png`).toString('base64')
const choice = { video: { generate_audio: true } }
const model = 'gemini-omni-1.1-flash'

const completed = (content: JsonObject[], rest: JsonObject = {}): JsonObject => ({
  status: 'completed',
  steps: [{ type: 'thought' }, { type: 'model_output', content }],
  ...rest,
})

describe('V6: Omni on the Interactions API', () => {
  let talk: VideoTalk
  beforeAll(async () => {
    talk = await startVideoTalk('omni')
  })
  afterAll(() => talk.close())

  /** The result of polling an interaction. */
  const read = (interaction: JsonObject) => {
    const poll = talk.codec.poll({ interaction: 'i-1' }, talk.target(model), videoTask())
    poll.next()
    return poll.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(interaction)) }).value
  }

  it('[VIDEO-07] gets the whole order in its own words, and nothing else from a client', async () => {
    const extras = { negative_prompt: 'people', store: false, webhook_config: { uris: ['https://elsewhere.test'] } }
    const wishes = { durationS: 8, resolution: '4K', aspectRatio: '9:16', seed: 7, audio: true, extras }
    await talk.submit(videoTask(wishes), talk.target(model, choice))
    expect(await talk.lastBody()).toEqual({
      model,
      input: 'A paper boat in the rain',
      background: true,
      store: true,
      response_format: { type: 'video', delivery: 'uri', duration: '8s', aspect_ratio: '9:16', resolution: '4k' },
      generation_config: { seed: 7, video_config: { task: 'text_to_video' } },
    })
  })

  it('[VIDEO-14] gets the bytes of the first frame, which the gateway deletes afterwards', async () => {
    await talk.submit(taskOfKind.image_to_video, talk.target(model))
    expect(await talk.lastBody()).toMatchObject({
      input: [
        { type: 'image', data: bytesOf('first'), mime_type: 'image/png' },
        { type: 'text', text: 'A paper boat in the rain' },
      ],
      generation_config: { video_config: { task: 'image_to_video' } },
    })
    expect(talk.openImages).toBe(0)
  })

  it('[VIDEO-16] gets up to three references', async () => {
    await talk.submit(taskOfKind.reference_to_video, talk.target(model))
    expect(await talk.lastBody()).toMatchObject({
      input: [{ data: bytesOf('first') }, { data: bytesOf('last') }, { type: 'text' }],
      generation_config: { video_config: { task: 'reference_to_video' } },
    })
    const four = { ...taskOfKind.reference_to_video, references: ['a', 'b', 'c', 'd'] }
    await expect(talk.submit(four, talk.target(model))).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it.each([2, 11])(
    'makes videos of 3 to 10 seconds, so that an order of %s gets the next longer or none',
    async (durationS) => {
      const submitted = talk.submit(videoTask({ durationS }), talk.target(model))
      if (durationS === 11) return expect(submitted).rejects.toMatchObject({ errorName: 'unsupportedParam' })
      await submitted
      expect(await talk.lastBody()).toMatchObject({ response_format: { duration: '3s' } })
    },
  )

  it('makes no silent video where silence is a choice, because Google bills it with sound', async () => {
    const silent = talk.submit(videoTask(), talk.target(model, choice))
    await expect(silent).rejects.toMatchObject({ errorName: 'unsupportedParam' })
  })

  it('[VIDEO-24] counts the seconds of every video, and the tokens that Google states', async () => {
    await talk.upstream.playNext({ end: { kind: 'made', count: 2 } })
    const [made] = await talk.follow(videoTask({ resolution: '1080p' }), talk.target(model))
    expect(made).toMatchObject({
      outputs: [{ kind: 'path' }, { kind: 'path' }],
      usage: { media: { outputVideoMs: 10_000, variant: { resolution: '1080p' } } },
    })
    const usage = {
      output_tokens_by_modality: [
        { modality: 'text', tokens: 9 },
        { modality: 'video', tokens: 28_960 },
      ],
    }
    const uri = 'https://storage.test/signed.mp4?x=1'
    expect(read(completed([{ type: 'video', uri }], { usage }))).toMatchObject({
      usage: { media: { outputVideoMs: 5_000, videoTokens: 28_960 } },
    })
  })

  it.each([
    [
      'https://generativelanguage.googleapis.com/v1/files/abc:download?alt=media&key=k',
      { kind: 'path', path: '/files/abc:download?alt=media' },
    ],
    ['https://generativelanguage.googleapis.com/v1/files/abc', { kind: 'path', path: '/files/abc?alt=media' }],
    ['https://storage.test/signed.mp4?x=1', { kind: 'url', url: 'https://storage.test/signed.mp4?x=1' }],
  ])('sends its credential only to the address of the account: %s', (uri, output) => {
    expect(read(completed([{ type: 'video', uri }]))).toMatchObject({ outputs: [output] })
  })

  it('refuses an address that is none', async () => {
    expect(() => read(completed([{ type: 'video', uri: 'file:///etc/passwd' }]))).toThrow('without a URL')
    await expect(talk.poll({}, talk.target(model), videoTask())).rejects.toThrow('interaction')
  })

  it('brings a video that is inside the answer', () => {
    const interaction = completed([{ type: 'video', data: Buffer.from('movie').toString('base64') }])
    expect(read(interaction)).toMatchObject({ outputs: [{ kind: 'answer', index: 0 }] })
    const bring = talk.codec.bring?.(0, { interaction: 'i-1' }, talk.target(model))
    bring?.next()
    const { value } = bring?.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(interaction)) }) ?? {}
    expect(String(value)).toBe('movie')
  })

  it.each([
    [{ status: 'queued' }, { kind: 'working', status: 'pending' }],
    [{ status: 'in_progress' }, { kind: 'working', status: 'in_progress' }],
    [{ status: 'cancelled' }, { kind: 'failed' }],
    [{ status: 'incomplete' }, { kind: 'failed' }],
    [{ status: 'budget_exceeded' }, { kind: 'failed' }],
    [
      { status: 'failed', steps: [{ error: { message: 'too dark' } }] },
      { message: expect.stringContaining('too dark') },
    ],
    [completed([]), { kind: 'failed', isModerated: true }],
  ])('[VIDEO-25] reads %j', (interaction, progress) => {
    expect(read(interaction)).toMatchObject(progress)
  })

  it.each(['../../secret', 'a/b', 'a?b=c', ''])('does not follow an interaction called %s', (id) => {
    const submit = talk.codec.submit(videoTask(), talk.target(model), 'n')
    submit.next()
    const body = Buffer.from(JSON.stringify({ id }))
    expect(() => submit.next({ status: 200, headers: {}, body })).toThrow()
  })
})
