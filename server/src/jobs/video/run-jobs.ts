import type { ClaimedJob, VideoJobQueue } from '#ports/video-jobs.ts'
import { type MoveDeps, moveJob } from './move-job.ts'

export interface JobRunner {
  /** Lets running steps end and takes no more. */
  stop(): Promise<void>
  readonly running: number
}

export interface JobRunnerOptions extends MoveDeps {
  readonly queue: VideoJobQueue
  /** Steps at the same time. */
  readonly atOnce: number
  /** How often it is looked for jobs while there are none. */
  readonly lookEveryMs: number
  readonly onError: (error: unknown) => void
}

/** Moves jobs, step by step, until stopped. Any number of workers may do so at once. */
export function startJobs(options: JobRunnerOptions): JobRunner {
  const { queue } = options
  const claims = new Map<string, ClaimedJob>()
  const steps = new Set<Promise<void>>()
  let stopped = false
  let looking: Promise<void> = Promise.resolve()
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
    const step: Promise<void> = moveJob(job, options)
      .catch(options.onError)
      .finally(() => {
        claims.delete(job.id)
        steps.delete(step)
      })
    steps.add(step)
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
