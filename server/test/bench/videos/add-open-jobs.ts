import type { Pool } from 'pg'
import { zeroUsd } from '#domain/money/nano-usd.ts'
// Not an expectation: it writes jobs as a gateway does.
import { acceptedJob } from '#domain/video/video-job.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import { createVideoJobQueue, createVideoJobs } from '#store/postgres/videos/video-job-store.ts'

const atOnce = 50
const dayMs = 86_400_000

/** Creates many running jobs from the ordered one, through the store; returns their ids. */
export async function addOpenJobs(pool: Pool, { count, secret }: { count: number; secret: string }): Promise<string[]> {
  const sealingKey = sealingKeyFrom(secret)
  const [model] = await createVideoJobQueue(pool, sealingKey).claim(1, dayMs)
  if (model === undefined) throw new Error('no job was ordered')
  const jobs = createVideoJobs(pool, sealingKey)
  const task = model.openTask()
  const nowMs = Date.now()
  const ids = Array.from({ length: count }, () => newUuid(nowMs))
  for (let first = 0; first < count; first += atOnce) {
    const some = ids.slice(first, first + atOnce)
    await Promise.all(
      some.map((id) => {
        const reference = { id: `order-${id}` }
        const progress = { ...acceptedJob, state: 'running', status: 'in_progress', submits: 1, reference } as const
        return jobs.accept({
          ...model,
          task,
          id,
          held: zeroUsd,
          progress,
          createdAtMs: nowMs,
          deadlineAtMs: nowMs + dayMs,
        })
      }),
    )
  }
  return ids
}
