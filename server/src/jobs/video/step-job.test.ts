import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { acceptedJob, type JobProgress } from '#domain/video/video-job.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { ClaimedJob } from '#ports/videos.ts'
import type { ExchangeScript } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { VideoProgress } from '#providers/codecs/video-codec.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { type JobHost, type StepDeps, stepJob } from './step-job.ts'

const nowMs = 1_700_000_000_000
const id = '01890000-0000-7000-8000-000000000001'

const task: VideoTask = {
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

function jobIn(state: JobProgress['state'], rest: Partial<JobProgress> = {}): ClaimedJob {
  const price = { id: 'p', units: { per_second_output: '0.1' }, tiers: [] }
  const candidate = { accountId: 'one', vendor: 'luma', upstreamModel: 'm', price, details: {} }
  return {
    id,
    walletId: id,
    model: 'acme/film',
    candidates: [{ ...candidate, billing: 'charged' }],
    asker: {
      keyId: id,
      userId: null,
      organizationId: null,
      memberId: null,
      teamId: null,
      sessionId: null,
      appName: null,
      routing: null,
    },
    held: nanoUsd(500_000_000n),
    windows: [],
    ownUrl: 'https://weir.test',
    callbackUrl: null,
    createdAtMs: nowMs,
    deadlineAtMs: nowMs + 1_000,
    progress: { ...acceptedJob, state, ...rest },
    claim: 1,
    openTask: () => task,
  }
}

/** A provider that answers every poll with this progress, or fails. */
function hostThat(answers: VideoProgress | Error): JobHost {
  function* answer<Result>(result: Result): ExchangeScript<Result> {
    yield* []
    if (answers instanceof Error) throw answers
    return result
  }
  const progress: VideoProgress = answers instanceof Error ? { kind: 'working', status: 'pending' } : answers
  return {
    name: 'second',
    codec: { tasks: ['text_to_video'], submit: () => answer({ id: 'there' }), poll: () => answer(progress) },
    target: {
      baseUrl: 'https://host.test',
      authentication: { kind: 'bearer' },
      credential: 'sk-host-secret',
      upstreamModel: 'm',
      model: 'acme/film',
      details: {},
    },
    credential: 'sk-host-secret',
  }
}

async function step(job: ClaimedJob, host: JobHost | null, deps: Partial<StepDeps> = {}) {
  const moved = await stepJob(job, {
    hostOf: () => host,
    converse: async (conversation) => {
      const next = conversation.next()
      if (next.done !== true) throw new Error('this host is asked nothing')
      return next.value
    },
    store: async () => {},
    beginSubmit: async (begun) => begun,
    isSettled: async () => false,
    nowMs: () => nowMs,
    ...deps,
  })
  return moved?.event
}

const refusal = (rest: Partial<UpstreamRefusal>): UpstreamRefusedError =>
  new UpstreamRefusedError({
    action: 'give-up',
    errorName: 'upstreamUnavailable',
    message: 'The provider refused it.',
    inside: 'no',
    retryAfterMs: null,
    status: 400,
    ...rest,
  })
const neverSent = Object.assign(new Error('refused'), { failure: { kind: 'unreachable', message: 'refused' } })
const brokenOff = Object.assign(new Error('reset'), { failure: { kind: 'broken', message: 'reset' } })

const isSettled = async (): Promise<boolean> => true
const store = async (): Promise<void> => {
  throw new Error('the provider output is not a video')
}

describe('an accepted job', () => {
  it.each<[string, Error, object]>([
    [
      'refused for good',
      refusal({}),
      { kind: 'refused', another: false, error: { refundReason: 'upstream_rejected' } },
    ],
    [
      'refused by a host that may be well later',
      refusal({ action: 'retry', status: 503 }),
      {
        kind: 'refused',
        another: true,
        error: { refundReason: 'upstream_failed' },
        attempt: { account: 'second', status: 503 },
      },
    ],
    [
      'lost behind a proxy',
      refusal({ action: 'retry', status: 504 }),
      { kind: 'submit-lost', attempt: { outcome: 'lost', status: 504 } },
    ],
    [
      'nothing that this host can be asked',
      new GatewayError('unsupportedParam', { message: 'Too long for this one.' }),
      { kind: 'refused', another: true, attempt: { outcome: 'unsupportedParam', status: null } },
    ],
    [
      'never sent',
      neverSent,
      {
        kind: 'refused',
        another: true,
        error: { refundReason: 'upstream_failed' },
        attempt: { outcome: 'unreachable' },
      },
    ],
    ['broken off', brokenOff, { kind: 'submit-lost', attempt: { outcome: 'lost', status: null } }],
  ])('that is %s', async (_what, fault, event) => {
    expect(await step(jobIn('accepted'), hostThat(fault))).toMatchObject(event)
  })

  it('whose account is gone is refused, for another to take', async () => {
    const event = {
      kind: 'refused',
      another: true,
      attempt: { outcome: 'noUpstream' },
      error: { refundReason: 'upstream_failed' },
    }
    expect(await step(jobIn('accepted'), null)).toMatchObject(event)
  })

  it('that was refunded when it was written is withdrawn, and one that somebody else has is left alone', async () => {
    const withdrawn = { kind: 'out-of-time', error: { refundReason: 'gateway_fault' } }
    expect(await step(jobIn('accepted'), null, { isSettled })).toMatchObject(withdrawn)
    expect(await step(jobIn('accepted'), null, { beginSubmit: async () => null })).toBeUndefined()
  })
})

describe('a running job', () => {
  const running = jobIn('running', { reference: { id: 'there' } })

  it('whose account is gone waits for it', async () => {
    expect(await step(running, null)).toEqual({ kind: 'step-failed' })
  })

  it('that its host refuses for good has failed, and says nothing of the prompt or the key', async () => {
    const words = `No such job of sk-host-secret: ${task.prompt}`
    const event = await step(running, hostThat(refusal({ message: words, inside: words })))
    expect(event).toMatchObject({ kind: 'upstream-failed', error: { refundReason: 'upstream_failed' } })
    expect(JSON.stringify(event)).not.toMatch(/sk-host-secret|winter/)
  })

  it.each([refusal({ action: 'retry', status: 503 }), new UnusableAnswerError('no JSON'), brokenOff])(
    'is asked again after %s',
    async (fault) => {
      expect(await step(running, hostThat(fault))).toEqual({ kind: 'step-failed' })
    },
  )

  it('that ends without a video has failed', async () => {
    const made: VideoProgress = { kind: 'made', outputs: [], usage: noUsage }
    expect(await step(running, hostThat(made))).toMatchObject({
      kind: 'upstream-failed',
      error: { refundReason: 'unusable_answer' },
    })
  })
})

describe('a job whose video is copied', () => {
  it('tries again while there is no account, and ten times when the copy fails', async () => {
    const host = hostThat({ kind: 'working', status: 'pending' })
    expect(await step(jobIn('storing'), null)).toEqual({ kind: 'step-failed' })
    expect(await step(jobIn('storing', { failures: 9 }), host, { store })).toEqual({ kind: 'step-failed' })
    expect(await step(jobIn('storing', { failures: 10 }), host, { store })).toMatchObject({
      kind: 'upstream-failed',
      error: { refundReason: 'unusable_answer', inside: expect.stringContaining('not a video') },
    })
    expect(await step(jobIn('storing'), host)).toEqual({ kind: 'stored' })
  })
})

it('a job that is over, or out of time, is asked of nobody', async () => {
  for (const state of ['completed', 'failed'] as const) expect(await step(jobIn(state), null)).toBeUndefined()
  const late = { nowMs: () => nowMs + 1_000 }
  expect(await step(jobIn('running'), null, late)).toMatchObject({ kind: 'out-of-time' })
})
