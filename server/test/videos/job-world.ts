import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
// Not an expectation: it writes jobs as a gateway does.
import { acceptedJob, isOver, type JobProgress } from '#domain/video/video-job.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { moveJob } from '#jobs/video/move-job.ts'
import type { StepDeps } from '#jobs/video/step-job.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedJob, JobEnd, VideoJob, VideoJobQueue } from '#ports/videos.ts'
import type { VideoCodec } from '#providers/codecs/video-codec.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'

/** An upstream's handling of one submit. */
export type SubmitFate = 'taken' | 'refused' | 'busy' | 'lost-on-the-way' | 'answer-lost' | 'proxy-gave-up'
/** An upstream's status at a poll; the last one repeats. */
export type PollFate = 'pending' | 'in_progress' | 'broken' | 'made' | 'failed'

interface UpstreamScript {
  readonly submits: readonly SubmitFate[]
  readonly polls: readonly PollFate[]
  readonly canFind: boolean
  readonly storeFailures: number
}

const task: VideoTask = {
  kind: 'video',
  task: 'text_to_video',
  prompt: 'a weir',
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

const claimMs = 20_000
// Longer than most histories wait; a job that never completes is polled until this deadline.
const deadlineMs = 900_000
const price = { id: newUuid(0), units: { per_second_output: '0.1' }, tiers: [] }

/** A dying worker leaves everything in its state at that moment. */
class DiedError extends Error {}

/** A job, its store, its upstream and its workers on a clock that only this world moves. */
export class JobWorld {
  nowMs = 1_700_000_000_000
  /** The offset of the acting worker's clock from the store's. */
  workerClockOffMs = 0
  readonly ends: JobEnd[] = []
  readonly arrived: string[] = []
  readonly progresses: JobProgress[] = [acceptedJob]
  /** Excludes polls by workers that had lost their claim: nothing can stop those from polling again. */
  readonly pollTimes: number[] = []
  #isStale = false
  #job: VideoJob
  #claim = 0
  #dueAtMs: number
  #callsToLive = Number.POSITIVE_INFINITY
  #polls = 0
  #submits = 0
  #storeFailures: number
  readonly #script: UpstreamScript

  constructor(script: UpstreamScript, candidateCount: number) {
    this.#script = script
    this.#storeFailures = script.storeFailures
    this.#dueAtMs = this.nowMs
    const candidate = {
      accountId: 'one',
      vendor: 'luma',
      upstreamModel: 'm',
      billing: 'charged' as const,
      price,
      details: {},
    }
    this.#job = {
      id: newUuid(this.nowMs),
      walletId: newUuid(this.nowMs),
      model: 'acme/video',
      task,
      candidates: Array.from({ length: candidateCount }, () => candidate),
      asker: {
        keyId: newUuid(this.nowMs),
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
      callbackUrl: 'https://caller.test/hook',
      createdAtMs: this.nowMs,
      deadlineAtMs: this.nowMs + deadlineMs,
      progress: acceptedJob,
    }
  }

  get isOver(): boolean {
    return isOver(this.#job.progress)
  }

  get progress(): JobProgress {
    return this.#job.progress
  }

  /** One worker claims the job if it is due, and dies after this many outside calls. */
  async work(callsToLive = Number.POSITIVE_INFINITY): Promise<void> {
    this.#callsToLive = callsToLive
    const [claimed] = await this.#queue.claim(1, claimMs)
    if (claimed === undefined) return
    await this.#moveAs(claimed)
  }

  /** A worker that was presumed dead wakes up with a claim it lost long ago. */
  async workWithStaleClaim(): Promise<void> {
    this.#callsToLive = Number.POSITIVE_INFINITY
    if (this.#claim === 0 || this.isOver) return
    this.#isStale = true
    await this.#moveAs(this.#claimedAs(this.#claim - 1))
    this.#isStale = false
  }

  #claimedAs(claim: number): ClaimedJob {
    return { ...this.#job, claim, openTask: () => task }
  }

  async #moveAs(claimed: ClaimedJob): Promise<void> {
    try {
      await moveJob(claimed, {
        queue: this.#queue,
        steps: this.#steps,
        claimMs,
        rhythmMs: 8_000,
        keepMs: 1_000,
        onMoved: () => {},
      })
    } catch (error) {
      if (!(error instanceof DiedError)) throw error
    }
  }

  /** A worker dies before a call or right after it: then the call has taken effect, and no process knows it. */
  async #outside<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    this.#callsToLive -= 1
    if (this.#callsToLive === 0) throw new DiedError()
    const result = await act()
    this.#callsToLive -= 1
    if (this.#callsToLive === 0) throw new DiedError()
    return result
  }

  readonly #queue: VideoJobQueue = {
    claim: async (_atMost, lastsMs) => {
      if (this.isOver || this.#dueAtMs > this.nowMs) return []
      this.#claim += 1
      this.#dueAtMs = this.nowMs + lastsMs
      return [this.#claimedAs(this.#claim)]
    },
    renew: async () => {},
    isSettled: async () => this.ends.length > 0,
    move: (job, progress, dueInMs) =>
      this.#outside(() => {
        if (this.isOver || job.claim !== this.#claim) return false
        this.#job = { ...this.#job, progress }
        this.progresses.push(progress)
        this.#dueAtMs = this.nowMs + dueInMs
        return true
      }),
    finish: (job, end) =>
      this.#outside(() => {
        if (this.isOver || job.claim !== this.#claim) return false
        this.#job = { ...this.#job, progress: end.progress }
        this.progresses.push(end.progress)
        this.ends.push(end)
        return true
      }),
  }

  readonly #codec: VideoCodec = {
    tasks: ['text_to_video'],
    submit: () => {
      throw new TypeError('played by the world')
    },
    poll: () => {
      throw new TypeError('played by the world')
    },
  }

  get #steps(): Omit<StepDeps, 'beginSubmit' | 'isSettled'> {
    const { canFind } = this.#script
    const codec: VideoCodec = {
      ...this.#codec,
      *submit(_task, _target, name) {
        yield { kind: 'send', request: { origin: '', path: `submit ${name}`, headers: {}, body: '' } }
        return {}
      },
      *poll() {
        yield { kind: 'send', request: { origin: '', path: 'poll', headers: {}, body: '' } }
        return { kind: 'working', status: 'pending' }
      },
    }
    const host = {
      name: 'host',
      codec: canFind
        ? {
            ...codec,
            *find() {
              yield* []
              return null
            },
          }
        : codec,
      target: targetOf(),
      credential: null,
    }
    return {
      hostOf: () => host,
      converse: <Result>(talk: Generator<unknown, Result>) => this.#outside(() => this.#play(talk) as Promise<Result>),
      store: () =>
        this.#outside(() => {
          if (this.#storeFailures === 0) return
          this.#storeFailures -= 1
          throw new Error('the store is away')
        }),
      nowMs: () => this.nowMs + this.workerClockOffMs,
    }
  }

  async #play(talk: Generator<unknown, unknown>): Promise<unknown> {
    const first = talk.next()
    // A script without a step is a lookup of the job.
    if (first.done === true) return this.arrived.length > 0 ? { task: this.arrived.at(-1) } : null
    const { request } = first.value as { request: { path: string } }
    return request.path === 'poll' ? this.#playPoll() : this.#playSubmit(request.path)
  }

  #playSubmit(name: string): unknown {
    const fate = this.#script.submits[this.#submits++] ?? 'taken'
    if (fate === 'taken' || fate === 'answer-lost' || fate === 'proxy-gave-up') this.arrived.push(name)
    if (fate === 'taken') return { task: name }
    if (fate === 'refused' || fate === 'busy') throw refusal(fate === 'refused' ? 'give-up' : 'fail-over')
    if (fate === 'proxy-gave-up') throw refusal('fail-over', 504)
    throw new Error('the connection broke')
  }

  #playPoll(): unknown {
    if (!this.#isStale) this.pollTimes.push(this.nowMs)
    const fate = this.#script.polls[Math.min(this.#polls++, this.#script.polls.length - 1)] ?? 'made'
    switch (fate) {
      case 'broken':
        throw new Error('the connection broke')
      case 'pending':
      case 'in_progress':
        return { kind: 'working', status: fate }
      case 'failed':
        return { kind: 'failed', message: 'The provider failed.' }
      case 'made':
        return { kind: 'made', outputs: [{ kind: 'url', url: 'https://made.test/v.mp4' }], usage: videoUsage(task) }
    }
  }
}

function targetOf() {
  const authentication = { kind: 'bearer' as const }
  return {
    baseUrl: 'https://up.test',
    authentication,
    credential: null,
    upstreamModel: 'm',
    model: 'acme/video',
    details: {},
  }
}

function refusal(action: 'give-up' | 'fail-over', status = 500): UpstreamRefusedError {
  return new UpstreamRefusedError({
    action,
    errorName: 'upstreamUnavailable',
    message: 'No.',
    inside: 'no',
    retryAfterMs: null,
    status,
  })
}

export const fullCost = nanoUsd(500_000_000n)
export const noCost = zeroUsd
