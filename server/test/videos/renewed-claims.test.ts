import { expect, it } from 'vitest'
import { createVideoJobQueue } from '#store/postgres/videos/video-job-store.ts'
import { testSealingKey } from './sealed-tasks.ts'
import { plainModel, startVideoWorld } from './video-world.ts'

it('[VIDEO-27] a claim that is renewed lasts on, but a step that was written meanwhile is not brought forward', async () => {
  await using stack = new AsyncDisposableStack()
  const world = await startVideoWorld()
  stack.defer(() => world.close())
  await world.addModels([plainModel])
  await world.submit(await world.createClient({ usd: '10' }))
  const queue = createVideoJobQueue(world.pool, testSealingKey)
  const minutesLeft = async (): Promise<number> => {
    const text = 'SELECT (extract(epoch FROM due_at - clock_timestamp()) / 60)::float8 AS left FROM video_jobs'
    const { rows } = await world.pool.query<{ left: number }>(text)
    return rows[0]?.left ?? 0
  }
  const claims = await queue.claim(1, 1_000)
  await queue.renew(claims, 600_000)
  expect(await minutesLeft()).toBeGreaterThan(5)
  for (const job of claims) expect(await queue.move(job, job.progress, 3_600_000)).toBe(true)
  await queue.renew(claims, 600_000)
  expect(await minutesLeft()).toBeGreaterThan(30)
})
