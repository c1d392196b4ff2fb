import { setTimeout as wait } from 'node:timers/promises'
import type { Part } from '#jobs/part.ts'
import type { ClaimedJob, VideoJobQueue } from '#ports/videos.ts'
import { type MoveDeps, moveJob } from './move-job.ts'

export interface JobRunnerOptions extends MoveDeps {
  readonly queue: VideoJobQueue
  /** Steps at the same time. */
  readonly atOnce: number
  /** How often it is looked for jobs while there are none. */
  readonly lookEveryMs: number
  /** False while it is not known whom to ask: then no job is claimed. */
  readonly canAsk: () => boolean
  readonly nowMs: () => number
  /** A step that could not be taken or written down. Its job is claimed again, here or elsewhere. */
  readonly onError: (error: unknown) => void
}

/** Moves jobs, step by step. Any number of workers may do so at once. */
export function videosPart(options: JobRunnerOptions): Part {
  const { queue, claimMs, lookEveryMs, nowMs } = options
  const claims = new Map<string, ClaimedJob>()
  const steps = new Set<Promise<void>>()
  const renewEveryMs = claimMs / 3
  let renewedAtMs = nowMs()

  async function renew(): Promise<void> {
    if (claims.size > 0) await queue.renew([...claims.values()], claimMs)
    renewedAtMs = nowMs()
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

  return {
    name: 'videos',
    pauseMs: lookEveryMs,
    round: async () => {
      // First, so that jobs under way stay ours even where no more can be claimed.
      if (Math.abs(nowMs() - renewedAtMs) >= renewEveryMs) await renew()
      if (!options.canAsk()) throw new Error('the routing table is not loaded')
      const room = options.atOnce - claims.size
      if (room <= 0) return false
      const claimed = await queue.claim(room, claimMs)
      for (const job of claimed) begin(job)
      return claimed.length >= room && claims.size < options.atOnce
    },
    end: async () => {
      while (steps.size > 0) {
        const isOver = Promise.all(steps).then(() => true)
        if (await Promise.race([isOver, wait(renewEveryMs, false)])) return
        await renew().catch(options.onError)
      }
    },
  }
}
