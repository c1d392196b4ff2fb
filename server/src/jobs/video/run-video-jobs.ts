import { runClaims } from '#jobs/run-claims.ts'
import type { VideoJobQueue } from '#ports/videos.ts'
import { type MoveDeps, moveJob } from './move-job.ts'

export interface VideoRunnerDeps extends MoveDeps {
  readonly queue: VideoJobQueue
  /** Maximum concurrent steps. */
  readonly atOnce: number
  /** False until the routing table is loaded: until then an unknown account may still exist, so no job is claimed. */
  readonly canAsk: () => boolean
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}

/** Runs jobs, step by step. Any number of workers may run at once. */
export function runVideoJobs(deps: VideoRunnerDeps): ReturnType<typeof runClaims> {
  const { queue, claimMs, atOnce, nowMs, onError } = deps
  return runClaims({
    atOnce,
    claim: async (atMost) => {
      if (!deps.canAsk()) throw new Error('the routing table is not loaded')
      return queue.claim(atMost, claimMs)
    },
    work: (job) => moveJob(job, deps),
    renewal: { everyMs: claimMs / 3, renew: (jobs) => queue.renew(jobs, claimMs), nowMs },
    onError,
  })
}
