import { afterEach, describe, expect, it } from 'vitest'
import type { PoolTestJob } from '#test/setup/pool-thread.ts'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

const pools: WorkerPool<PoolTestJob, string>[] = []
const lost: Error[] = []

async function startPool(options: Partial<WorkerPoolOptions> = {}): Promise<WorkerPool<PoolTestJob, string>> {
  const pool = new WorkerPool<PoolTestJob, string>({
    entry: new URL('../../test/setup/pool-thread.ts', import.meta.url),
    threads: 2,
    spares: 1,
    waitingMax: 10,
    graceMs: 20,
    heapMbMax: 64,
    onThreadLost: (error) => lost.push(error),
    ...options,
  })
  pools.push(pool)
  await pool.ready
  return pool
}

const bounds = { lane: 'a', timeoutMs: 5_000, marginMs: 0 }

afterEach(async () => {
  lost.length = 0
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

describe('a pool of threads', () => {
  it('answers each job with its own answer', async () => {
    const pool = await startPool()
    const words = ['one', 'two', 'three', 'four', 'five']
    const outcomes = await Promise.all(words.map((word) => pool.run({ kind: 'say', word }, bounds)))
    expect(outcomes).toEqual(words.map((answer) => ({ kind: 'answered', answer })))
  })

  it('tells a thread what is left of the time, less the margin', async () => {
    const pool = await startPool()
    const outcome = await pool.run({ kind: 'budget' }, { lane: 'a', timeoutMs: 5_000, marginMs: 1_000 })
    if (outcome.kind !== 'answered') throw new Error(outcome.kind)
    expect(Number(outcome.answer)).toBeGreaterThan(1_000)
    expect(Number(outcome.answer)).toBeLessThanOrEqual(4_000)
  })

  it('says that a job is late when its time is over, ends the thread that is stuck in it, and goes on', async () => {
    const pool = await startPool()
    const stuck = { lane: 'stuck', timeoutMs: 50, marginMs: 0 }
    for (let round = 0; round < 3; round += 1) {
      expect(await pool.run({ kind: 'spin for ever' }, stuck)).toMatchObject({ kind: 'late' })
      expect(await pool.run({ kind: 'say', word: 'still here' }, bounds)).toEqual({
        kind: 'answered',
        answer: 'still here',
      })
    }
    await expect.poll(() => lost.length, { timeout: 5_000 }).toBe(3)
  })

  it('keeps a thread that was late and came to an end', async () => {
    const pool = await startPool({ threads: 1, spares: 0, graceMs: 5_000 })
    expect(await pool.run({ kind: 'spin', ms: 120 }, { ...bounds, timeoutMs: 40 })).toMatchObject({ kind: 'late' })
    expect(await pool.run({ kind: 'say', word: 'here' }, bounds)).toEqual({ kind: 'answered', answer: 'here' })
    expect(lost).toEqual([])
  })

  it('counts waiting as part of the time', async () => {
    const pool = await startPool({ threads: 1, spares: 0 })
    const long = pool.run({ kind: 'spin', ms: 200 }, bounds)
    const startMs = performance.now()
    expect(await pool.run({ kind: 'say', word: 'x' }, { ...bounds, timeoutMs: 50 })).toMatchObject({ kind: 'late' })
    expect(performance.now() - startMs).toBeLessThan(180)
    expect(await long).toEqual({ kind: 'answered', answer: 'spun' })
  })

  it('takes no more jobs than it has room for', async () => {
    const pool = await startPool({ threads: 1, spares: 0, waitingMax: 2 })
    const jobs = Array.from({ length: 5 }, () => pool.run({ kind: 'spin', ms: 20 }, bounds))
    const outcomes = (await Promise.all(jobs)).map(({ kind }) => kind)
    expect(outcomes).toEqual(['answered', 'answered', 'answered', 'full', 'full'])
  })

  it('never gives all threads to one lane, and lets lanes take turns', async () => {
    const pool = await startPool()
    const order: string[] = []
    const crowd = Array.from({ length: 6 }, () => pool.run({ kind: 'spin', ms: 60 }, { ...bounds, lane: 'crowd' }))
    for (const job of crowd) void job.then(() => order.push('crowd'))
    await pool.run({ kind: 'say', word: 'x' }, { ...bounds, lane: 'single' })
    order.push('single')
    await Promise.all(crowd)
    expect(order[0]).toBe('single')
  })

  it('reports what a thread could not do, and replaces one that breaks', async () => {
    const pool = await startPool()
    expect(await pool.run({ kind: 'throw' }, bounds)).toMatchObject({ kind: 'failed', error: { message: 'asked to' } })
    expect(await pool.run({ kind: 'exit' }, bounds)).toMatchObject({ kind: 'failed' })
    expect(lost).toHaveLength(1)
    expect(await pool.run({ kind: 'say', word: 'x' }, bounds)).toEqual({ kind: 'answered', answer: 'x' })
  })

  it('tells everybody that it is over when it is closed', async () => {
    const pool = await startPool({ threads: 1, spares: 0 })
    const running = pool.run({ kind: 'spin for ever' }, bounds)
    const waiting = pool.run({ kind: 'say', word: 'x' }, bounds)
    await pool.close()
    expect(await Promise.all([running, waiting])).toMatchObject([{ kind: 'late' }, { kind: 'late', ranMs: 0 }])
    expect(await pool.run({ kind: 'say', word: 'x' }, bounds)).toEqual({ kind: 'full' })
  })
})
