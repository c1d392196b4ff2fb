import { usdJson } from '#domain/money/nano-usd.ts'
import { publicJobId } from '#domain/video/job-id.ts'
import type { JobProgress } from '#domain/video/video-job.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The visible fields of a job. */
interface ShownJob {
  readonly id: Uuid
  readonly model: string
  readonly createdAtMs: number
  readonly completedAtMs: number | null
  readonly cost: NanoUsd | null
  readonly progress: Pick<JobProgress, 'status' | 'outputs' | 'error'>
}

/**
 * The body of submit, poll and webhook. `root` begins each link: the base path of the request, or a full URL in
 * webhooks.
 */
export function videoJobJson(job: ShownJob, root: string): JsonObject {
  const { status, outputs, error } = job.progress
  const id = publicJobId(job.id)
  return {
    id,
    status,
    polling_url: `${root}/v1/videos/${id}`,
    generation_id: publicGenerationId(job.id),
    model: job.model,
    created_at: Math.floor(job.createdAtMs / 1_000),
    ...(job.completedAtMs === null ? {} : { completed_at: Math.floor(job.completedAtMs / 1_000) }),
    ...(status === 'completed'
      ? { unsigned_urls: outputs.map((_, index) => `${root}/v1/videos/${id}/content?index=${index}`) }
      : {}),
    ...(job.cost === null ? {} : { usage: { cost: usdJson(job.cost) } }),
    ...(error === null ? {} : { error: error.message }),
  }
}
