import { describe, expect, it } from 'vitest'
import { UnusableAnswerError } from '#providers/codecs/faults.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { findVendor } from '#providers/registry.ts'
import { type Answer, hear } from './hear.ts'
import { videoTask } from './video-talk.ts'

interface Host {
  readonly vendor: string
  readonly model: string
  readonly accepted: (id: unknown) => object
  /** Its response for a finished video. */
  readonly made: (url: unknown, figure: unknown) => Answer[]
}

const hosts: readonly Host[] = [
  {
    vendor: 'byteplus',
    model: 'seedance-1-5-pro-251215',
    accepted: (id) => ({ id }),
    made: (url, figure) => [
      {
        body: {
          status: 'succeeded',
          content: { video_url: url },
          duration: figure,
          resolution: figure,
          usage: { completion_tokens: figure },
        },
      },
    ],
  },
  {
    vendor: 'alibaba',
    model: 'wan2.7-t2v',
    accepted: (id) => ({ output: { task_id: id } }),
    made: (url, figure) => [
      {
        body: {
          output: { task_status: 'SUCCEEDED', video_url: url },
          usage: { duration: figure, output_video_duration: figure, SR: figure },
        },
      },
    ],
  },
  {
    vendor: 'minimax',
    model: 'MiniMax-H3',
    accepted: (id) => ({ task_id: id }),
    made: (url, figure) => [
      {
        body: {
          task: {
            status: 'succeeded',
            content: { url },
            duration: figure,
            resolution: figure,
            usage: { output_seconds: figure, input_seconds: figure },
          },
        },
      },
    ],
  },
  {
    vendor: 'fal',
    model: 'fal-ai/veo3.1',
    accepted: (id) => ({ request_id: id }),
    made: (url) => [{ body: { status: 'COMPLETED' } }, { body: { video: { url } } }],
  },
  {
    vendor: 'replicate',
    model: 'google/veo-3.1',
    accepted: (id) => ({ id }),
    made: (url) => [{ body: { status: 'succeeded', output: url } }],
  },
  {
    vendor: 'xai',
    model: 'grok-imagine-video',
    accepted: (id) => ({ request_id: id }),
    made: (url, figure) => [{ body: { status: 'done', video: { url, duration: figure } } }],
  },
]

const task = videoTask({ resolution: '720p' })

describe.each(hosts)('$vendor', ({ vendor, model, accepted, made }) => {
  const spec = findVendor(vendor)
  const codec: VideoCodec | undefined = spec?.media?.video
  if (spec === undefined || codec === undefined) throw new Error(`${vendor} makes no videos`)
  const target: MediaTarget = {
    baseUrl: 'https://host.test/v1',
    authentication: spec.authentication,
    credential: 'k',
    upstreamModel: model,
    model: 'a/b',
    details: {},
  }
  const order = (answer: Answer) => hear(codec.submit(task, target, 'n'), answer).result

  it.each([undefined, '', 7, null, ['a'], { id: 'a' }])('takes no order for taken that is named %j', (id) => {
    expect(() => order({ body: accepted(id) })).toThrow(UnusableAnswerError)
  })

  it.each(['', '[]', 'null', '"done"', '<html>ok</html>', '{"id":'])('takes nothing from an answer of %j', (body) => {
    expect(() => order({ body })).toThrow(UnusableAnswerError)
    expect(() => hear(codec.poll(order({ body: accepted('a') }), target, task), { body })).toThrow(UnusableAnswerError)
  })

  it('does not leave its own path for a job that is named like one', () => {
    const reference = order({ body: accepted('../../v1/files?x=#/%2e%2e') })
    const step = codec.poll(reference, target, task).next()
    const request = step.done === true || step.value.kind !== 'send' ? undefined : step.value.request
    expect(request?.origin).toBe('https://host.test')
    expect(request?.path).toContain('..%2F..%2Fv1%2Ffiles%3Fx%3D%23%2F%252e%252e')
  })

  it.each([undefined, null, 7, {}, 'file:///etc/passwd', 'javascript:1', '//a.test/b', 'https://', 'ftp://a.test/b'])(
    'takes %j for no place of a video',
    (url) => {
      const { result } = hear(codec.poll({ id: 'a', path: '/a' }, target, task), ...made(url, 5))
      expect(result).toMatchObject({ kind: 'made', outputs: [] })
    },
  )

  it.each([-1, 0, 1e300, '1e9', 'NaN', '', null, {}, [5], true])('does not charge by %j', (figure) => {
    const { result } = hear(codec.poll({ id: 'a', path: '/a' }, target, task), ...made('https://a.test/b', figure))
    if (result.kind !== 'made') throw new Error(`it was ${result.kind}`)
    expect(result.usage.media).toMatchObject({ outputVideoMs: 5_000, variant: { resolution: '720p' } })
    for (const count of Object.values(result.usage.media ?? {})) {
      if (typeof count === 'number') expect(Number.isSafeInteger(count) && count > 0).toBe(true)
    }
  })

  const poll = () => codec.poll({ id: 'a', path: '/a' }, target, task)

  it.each([404, 410])('gives a job up on %i in its own form, and not on a page', (status) => {
    expect(hear(poll(), { status, body: { message: 'no such task' } }).result).toMatchObject({ kind: 'failed' })
    expect(() => hear(poll(), { status, body: '<html>Not found</html>' })).toThrow()
  })
})
