import { expect, it } from 'vitest'
import type { MediaResult } from '#domain/media/media-result.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { UpstreamHandler, UpstreamRequest } from '#ports/upstream.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Ticket } from '../types.ts'
import { createBeginMedia, type MediaDeps } from './begin-media.ts'
import type { FinishedMedia } from './attempt/media-attempt.ts'

const plain = testTicket()
const [base] = plain.plan.candidates
assert(base !== undefined, 'the test ticket has a candidate')
const vectors = { data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 3 } }
const picture = Buffer.from('a picture')
const embedding: MediaTask = {
  kind: 'embedding',
  inputs: [{ kind: 'text', text: 'Hello' }],
  dimensions: null,
  encoding: null,
  extras: {},
}
const watcher = { onOpened: () => {}, onEnd: () => {}, onOutput: () => {} }
const finished: FinishedMedia = {
  answer: plain.plan as unknown as FinishedMedia['answer'],
  contentType: 'application/json',
  frames: '',
  close: () => '',
}

interface Begun {
  task?: MediaTask
  candidate?: Partial<Candidate>
  answer?: unknown
  answerBytesMax?: number
}

/** Starts an attempt over upstreams that answer every request alike. */
function begin({ task = embedding, candidate = {}, answer = vectors, answerBytesMax = 1_000 }: Begun = {}) {
  const sent: UpstreamRequest[] = []
  const seen: { result?: MediaResult; fetchedFor?: string; discarded: number; failed?: string } = { discarded: 0 }
  const chosen: Candidate = { ...base, ...candidate } as Candidate
  const deps: MediaDeps = {
    upstreams: {
      open: (request, handler) => {
        sent.push(request)
        queueMicrotask(() => play(handler, answer))
        return { pause: () => {}, resume: () => {}, abort: () => {} }
      },
    },
    propagate: keepTrace,
    authorize: async (request, credential, { kind }) => ({
      ...request,
      headers: { ...request.headers, proof: `${kind} by ${credential}` },
    }),
    images: {
      fetch: async (_url, { account }) => {
        seen.fetchedFor = account
        const content = { kind: 'memory', bytes: picture } as const
        const file = { name: 'a.png', mediaType: 'image/png', byteCount: picture.length, content }
        return { file, discard: async () => void (seen.discarded += 1) }
      },
    },
    timeouts: { connectTimeoutMs: 1_000, firstByteTimeoutMs: 2_000, answerTimeoutMs: 30_000, idleTimeoutMs: 4_000 },
    answerBytesMax,
    finish: async (_ticket, by, done, result) => {
      expect([by, done]).toEqual([chosen, task])
      seen.result = result
      return finished
    },
    failFrames: (_ticket, by, error) => `${by.model.id}: ${error.message}`,
    wait: async () => {},
  }
  const media = { task } as unknown as NonNullable<Ticket['plan']['call']['media']>
  const call = { ...plain.plan.call, stream: false, media }
  const ticket = { ...plain, plan: { ...plain.plan, call } }
  const made = createBeginMedia(deps)(ticket, chosen, watcher)
  assert(!(made instanceof Promise), 'a media try begins at once')
  return { ...made, sent, seen, ticket }
}

function play(handler: UpstreamHandler, answer: unknown): void {
  handler.headers(200, { 'content-type': 'application/json' })
  handler.data(Buffer.from(JSON.stringify(answer)))
  handler.end()
}

it('sends the request with the limits of a whole answer and finishes what comes back', async () => {
  const { attempt, sent, seen, ignored } = begin()
  expect(await attempt.result).toMatchObject({ kind: 'complete' })
  expect(seen.result).toMatchObject({ kind: 'embedding', vectors: [{ json: '[0.5]' }] })
  expect(ignored).toEqual([])
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ connectTimeoutMs: 1_000, headersTimeoutMs: 30_000, bodyTimeoutMs: 4_000 })
  expect(sent[0]).not.toHaveProperty('pool')
  expect(sent[0]?.headers).not.toHaveProperty('proof')
})

it('uses connections of its own for an own key', async () => {
  const { attempt, sent, ticket } = begin({ candidate: { billing: 'own_key' } })
  await attempt.result
  const { organizationId, walletId } = ticket.principal
  expect(sent[0]).toMatchObject({ pool: base?.account.id, account: organizationId ?? walletId })
})

it('fetches an image for the account that asks, proves the finished request, and removes the image afterwards', async () => {
  const url = 'https://images.test/a.png'
  const account = {
    ...base?.account,
    vendor: 'amazon-bedrock',
    credential: 'an id and a secret',
    baseUrl: 'https://aws.test',
  }
  const { attempt, sent, seen, ticket, ignored } = begin({
    task: {
      ...embedding,
      inputs: [{ kind: 'parts', parts: [{ kind: 'image', image: { kind: 'url', url } }] }],
      extras: { a: 1 },
    },
    candidate: { account: account as Candidate['account'], upstreamModel: 'amazon.titan-embed-image-v1' },
    answer: { embedding: [0.5], inputTextTokenCount: 0 },
  })
  expect(await attempt.result).toMatchObject({ kind: 'complete' })
  expect(sent[0]?.headers).toMatchObject({ proof: 'sigv4 by an id and a secret' })
  expect(seen.fetchedFor).toBe(ticket.principal.organizationId ?? ticket.principal.walletId)
  await expect.poll(() => seen.discarded).toBe(1)
  expect(ignored).toEqual(['a'])
})

it('refuses an answer beyond its bytes', async () => {
  const { attempt, seen } = begin({ answerBytesMax: 5 })
  expect(await attempt.result).toMatchObject({ kind: 'failed', failure: { kind: 'oversize' } })
  expect(seen.result).toBeUndefined()
})

it('tells a failure in frames of its candidate', () => {
  const { attempt } = begin()
  const error = new GatewayError('pipelineError', { message: 'no' })
  expect(attempt.failFrames(error)).toBe(`${base?.model.id}: no`)
})

it('is asked neither for speech nor for videos', () => {
  expect(() => begin({ task: { kind: 'speech' } as MediaTask })).toThrow('speech is passed on as it comes')
  expect(() => begin({ task: { kind: 'video' } as MediaTask })).toThrow('videos are made by jobs')
})
