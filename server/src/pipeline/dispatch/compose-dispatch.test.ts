import { afterEach, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { parseJsonObject } from '#lib/json.ts'
import type { UpstreamRequest } from '#ports/upstream.ts'
import type { VideoJob } from '#ports/videos.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Outcome, Ticket } from '../types.ts'
import { composeDispatch } from './compose-dispatch.ts'

const completion = {
  id: 'theirs',
  object: 'chat.completion',
  model: 'model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
}

const video: VideoTask = {
  kind: 'video',
  task: 'text_to_video',
  prompt: 'a weir in the first light of a winter morning',
  durationS: 5,
  resolution: '720p',
  aspectRatio: null,
  size: null,
  audio: false,
  watermark: false,
  seed: null,
  firstFrame: null,
  lastFrame: null,
  references: [],
  inputVideo: null,
  extras: {},
}

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

function never(): never {
  throw new Error('nobody asks for this')
}

function startDispatch() {
  const done: string[] = []
  const requests: UpstreamRequest[] = []
  const outcomes: Outcome[] = []
  const jobs: VideoJob[] = []
  const { dispatch, close } = composeDispatch(
    {
      upstreams: {
        open: (request, handler) => {
          requests.push(request)
          queueMicrotask(() => {
            handler.headers(200, { 'content-type': 'application/json' })
            handler.data(Buffer.from(JSON.stringify(completion)))
            handler.end()
          })
          return { pause: () => {}, resume: () => {}, abort: () => {} }
        },
      },
      authorize: never,
      propagate: keepTrace,
      imageSource: { fetch: never },
      imagePublisher: { host: never },
      keptItems: null,
      storedResponses: null,
      videoJobs: { accept: async (job) => void jobs.push(job) },
      ownKeyNotes: { succeeded: () => {}, failed: () => {} },
      circuits: { report: () => {}, stillOpen: () => {} },
      measurements: { note: never, slowMs: never },
      metrics: { hedges: { inc: never }, hedgeUsd: { inc: never } },
      nowMs: () => 1_800_000_000_000,
      wait: never,
      pause: never,
    },
    {
      upstream: { connectTimeoutMs: 1, firstByteTimeoutMs: 2, answerTimeoutMs: 3, idleTimeoutMs: 4 },
      breaker: { failures: 5, openMs: 1_000 },
      keepAliveMs: 15_000,
      frameBytesMax: 100_000,
      videoDeadlineMs: 60_000,
      isTraced: false,
    },
    {
      settle: async (_ticket, outcome) => {
        done.push('settled')
        outcomes.push(outcome)
        return nanoUsd(7_000n)
      },
      release: () => done.push('released'),
      noteAnswered: () => done.push('noted'),
      onUnstored: () => {},
      countFallback: () => {
        done.push('counted')
        return undefined
      },
      watchOutput: () => {},
      noteUnbilledCancel: never,
      watchStop: never,
      reportRefusedField: never,
      onUnkept: never,
      reportUnknown: never,
      hedgeBudget: { earn: never, has: never, spend: never, lost: never, paid: never },
      onError: (error) => {
        throw error
      },
    },
  )
  closes.push(close)
  return { dispatch, done, requests, outcomes, jobs }
}

function documentTicket(): Ticket {
  const { call } = testTicket().plan
  return testTicket({ call: { ...call, stream: false, body: { model: 'acme/model', messages: [] } } })
}

it('asks the candidate in its own words, settles, and only then gives the answer with its cost', async () => {
  const { dispatch, done, requests, outcomes } = startDispatch()
  const reply = await dispatch(documentTicket())
  expect(requests).toMatchObject([
    { origin: 'http://upstream.test', connectTimeoutMs: 1, headersTimeoutMs: 3, bodyTimeoutMs: 4 },
  ])
  expect(parseJsonObject(String(requests[0]?.body))).toMatchObject({ model: 'model' })
  expect(outcomes).toMatchObject([{ kind: 'answered', answer: { usage: { uncachedInput: 3 } } }])
  expect(done).toEqual(['counted', 'noted', 'settled'])
  expect(reply).toMatchObject({ kind: 'document', body: expect.stringContaining('"cost":0.000007') })
})

it('waits for the first byte of a stream only as long as the operator has set', async () => {
  const { dispatch, requests } = startDispatch()
  const { call } = testTicket().plan
  await dispatch(testTicket({ call: { ...call, body: { model: 'acme/model', messages: [] } } }))
  expect(requests).toMatchObject([{ headersTimeoutMs: 2 }])
})

it('writes a video down as a job and lets go of its hold, without asking an upstream', async () => {
  const { dispatch, done, requests, jobs } = startDispatch()
  const { call } = testTicket().plan
  const media = { task: video, worst: noUsage }
  const ticket = testTicket({ call: { ...call, stream: false, media: { ...media, fitTo: () => media } } })
  expect(await dispatch(ticket)).toMatchObject({ kind: 'document', status: 202 })
  expect(jobs).toMatchObject([
    { id: ticket.arrival.generationId, deadlineAtMs: ticket.arrival.receivedAtMs + 60_000, task: { kind: 'video' } },
  ])
  expect(done).toEqual(['released'])
  expect(requests).toEqual([])
})
