import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseJobId } from '#domain/video/job-id.ts'
import { seal, sealingKeyFrom } from '#lib/seal.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { readTask } from './sealed-tasks.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

describe('the task of a job', () => {
  let world: VideoWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startVideoWorld()
    await world.addModels([plainModel])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '10' })
  })
  afterAll(() => world.close())

  async function setTask(jobId: string, task: unknown): Promise<void> {
    const text = 'UPDATE video_jobs SET task = $2 WHERE id = $1'
    await world.pool.query(text, [parseJobId(jobId), JSON.stringify(task)])
  }
  const rowOf = async (jobId: string) => {
    const text = 'SELECT state, task FROM video_jobs WHERE id = $1'
    const { rows } = await world.pool.query<{ state: string; task: unknown }>(text, [parseJobId(jobId)])
    return rows[0]
  }

  it('[MODER-02] is sealed for its job, and gone with the end; one from before, in clear, goes on', async () => {
    const [id, earlier] = [await world.submit(caller), await world.submit(await world.createClient({ usd: '10' }))]
    const task = await readTask(world.pool, caller.walletId)
    expect(task).toMatchObject({ kind: 'video', prompt: 'a weir' })
    await setTask(earlier, task)
    const worker = await world.startWorker()
    await expect
      .poll(async () => [await rowOf(id), await rowOf(earlier)])
      .toEqual([
        { state: 'completed', task: null },
        { state: 'completed', task: null },
      ])
    expect((await world.upstream.orders()).map(({ prompt }) => prompt)).toEqual(['a weir', 'a weir'])
    await worker.stop()
  })

  it('that no secret opens holds up no other job, is sent to nobody, and is refunded at the deadline', async () => {
    const closed = await world.submit(caller, { prompt: 'a closed one' })
    const foreign = seal(sealingKeyFrom('Zq8wSx5eDc2rFv9tGb4yHn7uJm1iKo3p'), '{}', parseJobId(closed) ?? '')
    await setTask(closed, foreign)
    const open = await world.submit(caller, { prompt: 'an open one' })
    const worker = await world.startWorker()
    expect((await world.ended(caller, open)).status).toBe('completed')
    await expect.poll(() => world.logLines.join('')).toContain('failed to advance a video job')
    expect(await rowOf(closed)).toEqual({ state: 'accepted', task: foreign })
    const text = 'UPDATE video_jobs SET deadline_at = now(), due_at = now() WHERE id = $1'
    await world.pool.query(text, [parseJobId(closed)])
    expect((await world.ended(caller, closed)).status).toBe('failed')
    expect(await rowOf(closed)).toEqual({ state: 'failed', task: null })
    expect((await world.walletOf(caller.walletId)).held).toBe('0')
    expect((await world.upstream.orders()).map(({ prompt }) => prompt)).not.toContain('a closed one')
    await worker.stop()
  })
})
