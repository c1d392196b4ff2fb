import { expect, it } from 'vitest'
import { parseJobId } from '#domain/video/job-id.ts'
import { newUuid } from '#lib/uuid.ts'
import { renewHolds } from '#store/postgres/money/holds.sql.ts'
import { createVideoJobQueue, createVideoJobs } from '#store/postgres/videos/video-job-store.ts'
import { testSealingKey } from './sealed-tasks.ts'
import { plainModel, startVideoWorld } from './video-world.ts'

it('[VIDEO-21] what a job holds is kept until its end: no late renewal shortens it, and without a hold there is no job', async () => {
  await using stack = new AsyncDisposableStack()
  const world = await startVideoWorld()
  stack.defer(() => world.close())
  await world.addModels([plainModel])
  const caller = await world.createClient({ usd: '10' })
  const id = parseJobId(await world.submit(caller)) ?? ''
  const minutesLeft = async (): Promise<number> => {
    const text = 'SELECT extract(epoch FROM lease_until - clock_timestamp()) / 60 AS left FROM holds WHERE id = $1'
    const { rows } = await world.pool.query<{ left: string }>(text, [id])
    return Number(rows[0]?.left)
  }
  expect(await minutesLeft()).toBeGreaterThan(60)
  // Renews the hold like a gateway that does not know yet that the job was stored.
  await renewHolds(world.pool, [id], 1_000)
  expect(await minutesLeft()).toBeGreaterThan(60)
  const [job] = await createVideoJobQueue(world.pool, testSealingKey).claim(1, 1_000)
  const jobs = createVideoJobs(world.pool, testSealingKey)
  const unheld = newUuid(Date.now())
  await expect(job === undefined ? null : jobs.accept({ ...job, task: job.openTask(), id: unheld })).rejects.toThrow()
  expect(await jobs.find({ walletId: caller.walletId, only: null }, unheld)).toBeNull()
})
