import { advance } from '#domain/video/job-machine.ts'
import { videoJobJson } from '#domain/video/job-json.ts'
import { isOver } from '#domain/video/video-job.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ClaimedJob, JobEnd, VideoJobQueue } from '#ports/video-jobs.ts'
import { pauseAfter } from './pause-after.ts'
import { recordOfJob } from './record-of-job.ts'
import { type StepDeps, stepJob } from './step-job.ts'

export interface JobRunner {
  /** Lets running steps end and takes no more. */
  stop(): Promise<void>
  readonly running: number
}

export interface JobRunnerOptions {
  readonly queue: VideoJobQueue
  readonly steps: Omit<StepDeps, 'beginSubmit' | 'isSettled'>
  /** Steps at the same time. */
  readonly atOnce: number
  /** How long a job stays with a worker that says nothing: as long, a dead one's jobs wait. */
  readonly claimMs: number
  /** How often it is looked for jobs while there are none. */
  readonly lookEveryMs: number
  /** How long finished videos are kept. */
  readonly keepMs: number
  readonly onMoved: (job: ClaimedJob, to: string) => void
  readonly onError: (error: unknown) => void
  readonly nowMs: () => number
}

/** Moves jobs, step by step, until stopped. Any number of workers may do so at once. */
export function startJobs(options: JobRunnerOptions): JobRunner {
  const { queue, nowMs } = options
  const claims = new Map<string, ClaimedJob>()
  const steps = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> = Promise.resolve()
  const beginSubmit: StepDeps['beginSubmit'] = async (job) => {
    const { progress } = advance(job.progress, { kind: 'submit-begun' }, job.candidates.length)
    return (await queue.move(job, progress, options.claimMs)) ? { ...job, progress } : null
  }

  async function look(): Promise<void> {
    for (;;) {
      const room = options.atOnce - claims.size
      if (stopped || room <= 0) return
      const claimed = await queue.claim(room, options.claimMs)
      for (const job of claimed) begin(job)
      if (claimed.length < room) return
    }
  }

  function begin(job: ClaimedJob): void {
    claims.set(job.id, job)
    const step: Promise<void> = take(job)
      .catch(options.onError)
      .finally(() => {
        claims.delete(job.id)
        steps.delete(step)
      })
    steps.add(step)
  }

  async function take(job: ClaimedJob): Promise<void> {
    const stepped = await stepJob(job, { ...options.steps, beginSubmit, isSettled: queue.isSettled })
    if (stepped === null) return
    const transition = advance(stepped.job.progress, stepped.event, job.candidates.length)
    const { progress } = transition
    const candidate = job.candidates[progress.candidate]
    if (!isOver(progress)) {
      const host = candidate === undefined ? null : options.steps.hostOf(candidate, job.model)
      const isOurs = await queue.move(stepped.job, progress, pauseAfter(progress, host?.codec.rhythmMs))
      if (isOurs) options.onMoved(job, progress.state)
      return
    }
    const isOurs = await queue.finish(stepped.job, endOf(stepped.job, transition))
    if (isOurs) options.onMoved(job, progress.state)
  }

  function endOf(job: ClaimedJob, transition: ReturnType<typeof advance>): JobEnd {
    const endedAtMs = nowMs()
    const { progress } = transition
    const record = recordOfJob(job, transition, endedAtMs)
    const seen = { ...job, progress, completedAtMs: endedAtMs, cost: record.cost }
    const body = { event: `video.${progress.status}`, ...videoJobJson(seen, job.ownUrl) }
    return {
      progress,
      record,
      storedUntilMs: progress.status === 'completed' ? endedAtMs + options.keepMs : null,
      webhook:
        job.callbackUrl === null ? null : { id: newUuid(endedAtMs), url: job.callbackUrl, body: JSON.stringify(body) },
    }
  }

  const lookTimer = setInterval(() => {
    looking = looking.then(look).catch(options.onError)
  }, options.lookEveryMs)
  const renewTimer = setInterval(() => {
    if (claims.size > 0) queue.renew([...claims.values()], options.claimMs).catch(options.onError)
  }, options.claimMs / 3)
  return {
    get running() {
      return claims.size
    },
    stop: async () => {
      stopped = true
      clearInterval(lookTimer)
      await looking
      await Promise.all(steps)
      clearInterval(renewTimer)
    },
  }
}
