import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { Dialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { ImageResult, MediaResult } from '#domain/media/media-result.ts'
import type { ImageTask, MediaTask } from '#domain/media/media-task.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { ImagePublisher } from '#ports/media.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createFinishMedia } from './finish-media.ts'

const imageTask: ImageTask = {
  kind: 'image',
  prompt: 'A cat',
  count: 2,
  inputs: [],
  size: null,
  aspectRatio: null,
  quality: null,
  extras: {},
}
const usage: Usage = { ...noUsage, uncachedInput: 3, imageOutput: 4 }
const image: ImageResult = {
  kind: 'image',
  images: [
    { kind: 'url', url: 'https://upstream.test/a.png' },
    { kind: 'base64', base64: 'AAAA' },
  ],
  text: null,
  usage,
}

/** The response to a client of this dialect for a result that costs five nano-dollars. */
async function finish(
  result: MediaResult,
  { dialect = imagesDialect, task = imageTask, stream = false, wantsEvents = false }: Asked = {},
): Promise<{ hosted: unknown[]; answer: unknown; contentType: string; frames: string; last: string }> {
  const hosted: unknown[] = []
  const host: ImagePublisher = {
    host: async (made, on) => {
      hosted.push([made.kind, on.account])
      return { token: `t${hosted.length}`, width: 10, height: 20 * hosted.length }
    },
  }
  const base = testTicket()
  const ticket = {
    ...base,
    arrival: { ...base.arrival, dialect, wantsEvents, ownUrl: 'https://weir.example' },
    plan: { ...base.plan, call: { ...base.plan.call, stream } },
    principal: { ...base.principal, walletId: 'wallet-1' },
  }
  const [candidate] = base.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const limits = { frameBytesMax: 1_000, answerBytesMax: 1_000 }
  const finishMedia = createFinishMedia({ images: host, limits, nowMs: () => ticket.arrival.receivedAtMs + 8 })
  const { close, ...finished } = await finishMedia(ticket, candidate, task, result, new AbortController().signal)
  return { hosted, ...finished, last: close(nanoUsd(5n)) }
}

interface Asked {
  dialect?: Dialect
  task?: MediaTask
  stream?: boolean
  wantsEvents?: boolean
}

const urls = ['https://weir.example/v1/images/proxy/t1', 'https://weir.example/v1/images/proxy/t2']

describe('images that were made', () => {
  it('are put where their client can fetch them, on its own account', async () => {
    const { hosted, contentType, frames, last } = await finish(image)
    expect(hosted).toEqual([
      ['url', 'wallet-1'],
      ['base64', 'wallet-1'],
    ])
    expect(contentType).toBe('application/json; charset=utf-8')
    expect(frames).toBe('')
    expect(JSON.parse(last)).toMatchObject({ data: urls.map((url) => ({ url })), usage: { cost: 0.000_000_005 } })
  })

  it('are counted with their pixels, unless the upstream has counted them', async () => {
    const { answer } = await finish(image)
    expect(answer).toEqual({
      usage: { ...usage, media: { outputImages: 2, outputPixels: 600 } },
      finishReason: null,
      nativeFinishReason: null,
    })
    const counted = await finish({ ...image, usage: { ...usage, media: { outputImages: 7, outputPixels: 9 } } })
    expect(counted.answer).toMatchObject({ usage: { media: { outputImages: 7, outputPixels: 9 } } })
  })

  it('are priced by what was made, and not by what was asked for', async () => {
    const { answer } = await finish({
      ...image,
      usage: { ...usage, media: { variant: { size: '1x1', quality: 'hd' } } },
    })
    expect(answer).toMatchObject({ usage: { media: { variant: { size: '10x40', quality: 'hd' } } } })
  })

  it('have no usage where their upstream has counted nothing', async () => {
    const { answer, last } = await finish({ ...image, usage: null })
    expect(answer).toMatchObject({ usage: null })
    expect(JSON.parse(last)).not.toHaveProperty('usage')
  })

  it('must be there', async () => {
    await expect(finish({ ...image, images: [] })).rejects.toMatchObject({
      errorName: 'noImages',
      message: 'The upstream returned no image. Nothing was charged.',
    })
  })

  it('are named events in a stream: where their upstream has them, and where we have them', async () => {
    const { frames, last, contentType } = await finish(image, { stream: true })
    expect(contentType).toBe('')
    expect(frames).toBe(
      [
        `event: image\ndata: {"index":0,"url":"https://upstream.test/a.png"}\n\n`,
        `event: image-cached\ndata: {"index":0,"url":"${urls[0]}"}\n\n`,
        `event: image\ndata: {"index":1,"url":"${urls[1]}"}\n\n`,
        `event: image-cached\ndata: {"index":1,"url":"${urls[1]}"}\n\n`,
      ].join(''),
    )
    expect(last).toContain('"cost":0.000000005')
    expect(last).toContain('"durationMs":8,"imageCount":2')
  })
})

describe('an image as the answer of a conversation', () => {
  it('is named events for clients who read them', async () => {
    const { frames, last, contentType } = await finish(image, { dialect: chatDialect, stream: true, wantsEvents: true })
    expect(contentType).toBe('')
    expect(frames).toContain('event: image-cached')
    expect(last).toContain('event: done')
  })

  it('is a document with what was said beside it', async () => {
    const { frames, last, contentType } = await finish(
      { ...image, text: 'Two cats.' },
      { dialect: chatDialect, wantsEvents: true },
    )
    expect(contentType).toBe('application/json; charset=utf-8')
    expect(frames).toBe('')
    const body = JSON.parse(last)
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Two cats.' } })
    expect(body.choices[0].message.images.map((one: { image_url: { url: string } }) => one.image_url.url)).toEqual(urls)
    expect(body.usage.cost).toBe(0.000_000_005)
  })

  it('is chunks in a stream, whose last one shows the cost', async () => {
    const { frames, last } = await finish({ ...image, text: 'Two cats.' }, { dialect: chatDialect, stream: true })
    expect(frames).toContain('Two cats.')
    expect(frames).toContain(urls[1])
    expect(frames).not.toContain('"cost"')
    expect(frames).not.toContain('[DONE]')
    expect(last).toContain('"finish_reason":"stop"')
    expect(last).toContain('"cost":0.000000005')
    expect(last).toMatch(/data: \[DONE\]\n\n$/)
  })

  it('has no text where nothing was said', async () => {
    const { last } = await finish(image, { dialect: chatDialect })
    expect(JSON.parse(last).choices[0].message.content ?? '').toBe('')
  })
})

describe('what is no image', () => {
  const vectors: MediaResult = { kind: 'embedding', vectors: [[1, 2]], usage }

  it('is written in its dialect, and nothing is stored of it', async () => {
    const task: MediaTask = { kind: 'embedding', inputs: [], dimensions: null, encoding: null, extras: {} }
    const { hosted, answer, last } = await finish(vectors, { dialect: embeddingsDialect, task })
    expect(hosted).toEqual([])
    expect(answer).toMatchObject({ usage })
    expect(JSON.parse(last)).toMatchObject({ data: [{ embedding: [1, 2] }] })
  })

  it('does not end a conversation', async () => {
    await expect(finish(vectors, { dialect: chatDialect })).rejects.toThrow(
      'a conversation does not end in an embedding',
    )
  })
})
