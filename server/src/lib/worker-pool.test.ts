import { afterEach, describe, expect, it } from 'vitest'
import type { PoolTestJob } from '#test/setup/pool-thread.ts'
import { createTestTimers, type TestTimers } from '#test/setup/test-timers.ts'
import { type PoolOutcome, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

type TestPool = WorkerPool<PoolTestJob, string>

const pools: TestPool[] = []
const lost: Error[] = []

/** The threads are real; the test controls the clock of their deadlines. */
async function startPool(options: Partial<WorkerPoolOptions> = {}): Promise<{ pool: TestPool; timers: TestTimers }> {
  const timers = createTestTimers()
  const pool = new WorkerPool<PoolTestJob, string>({
    entry: new URL('../../test/setup/pool-thread.ts', import.meta.url),
    compileCacheFolder: process.env['NODE_COMPILE_CACHE'],
    threads: 2,
    spares: 1,
    waitingMax: 10,
    graceMs: 20,
    heapMbMax: 64,
    onThreadLost: (error) => lost.push(error),
    timers,
    ...options,
  })
  pools.push(pool)
  await pool.ready
  return { pool, timers }
}

const bounds = { queue: 'a', timeoutMs: 5_000, marginMs: 0 }
const answered = (answer: string) => ({ kind: 'answered', answer })

/** Keeps the waiting threads busy until the test opens it. */
function createGate(): { job: PoolTestJob; open(): void } {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const open = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { job: { kind: 'wait', gate }, open }
}

/** The outcome of a job so far. */
function watch(running: Promise<PoolOutcome<string>>): { outcome: PoolOutcome<string> | null } {
  const watched: { outcome: PoolOutcome<string> | null } = { outcome: null }
  void running.then((outcome) => {
    watched.outcome = outcome
  })
  return watched
}

afterEach(async () => {
  lost.length = 0
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

describe('a pool of threads', () => {
  it('answers each job with its own answer', async () => {
    const { pool } = await startPool()
    const words = ['one', 'two', 'three', 'four', 'five']
    const outcomes = await Promise.all(words.map((word) => pool.run({ kind: 'say', word }, bounds)))
    expect(outcomes).toEqual(words.map(answered))
  })

  it('lets threads see nothing of the environment but the folder of compiled modules', async () => {
    const { pool } = await startPool()
    expect(await pool.run({ kind: 'name environment' }, bounds)).toEqual(answered('NODE_COMPILE_CACHE'))
    const { pool: without } = await startPool({ compileCacheFolder: undefined })
    expect(await without.run({ kind: 'name environment' }, bounds)).toEqual(answered(''))
  })

  it('tells a thread what is left of the time, less the margin', async () => {
    const { pool, timers } = await startPool({ threads: 1, spares: 0 })
    const gate = createGate()
    const first = pool.run(gate.job, bounds)
    const second = pool.run({ kind: 'budget' }, { queue: 'a', timeoutMs: 5_000, marginMs: 1_000 })
    await timers.pass(1_500)
    gate.open()
    expect(await first).toEqual(answered('waited'))
    expect(await second).toEqual(answered('2500'))
  })

  it('says that a job is late when its time is over, ends the thread that is stuck in it, and goes on', async () => {
    const { pool, timers } = await startPool()
    for (let round = 1; round <= 3; round += 1) {
      const stuck = watch(pool.run({ kind: 'spin for ever' }, { queue: 'stuck', timeoutMs: 50, marginMs: 0 }))
      await timers.pass(49)
      expect(stuck.outcome).toBeNull()
      await timers.pass(1)
      expect(stuck.outcome).toEqual({ kind: 'late', ranMs: 50 })
      await timers.pass(19)
      expect(lost).toHaveLength(round - 1)
      await timers.pass(1)
      expect(lost).toHaveLength(round)
      expect(await pool.run({ kind: 'say', word: 'still here' }, bounds)).toEqual(answered('still here'))
    }
  })

  it('starts another thread for each that was ended, and has as many as before', async () => {
    const { pool, timers } = await startPool({ threads: 1, spares: 0 })
    const stuck = pool.run({ kind: 'spin for ever' }, { ...bounds, timeoutMs: 50 })
    await timers.pass(50)
    expect(await stuck).toMatchObject({ kind: 'late' })
    await timers.pass(20)
    expect(await pool.run({ kind: 'say', word: 'new' }, bounds)).toEqual(answered('new'))
  })

  it('answers a job that is late with what its thread had said by then', async () => {
    const { pool, timers } = await startPool({ threads: 1, spares: 0 })
    const said = new Int32Array(new SharedArrayBuffer(4))
    const stuck = watch(pool.run({ kind: 'say and spin', word: 'half', said }, { ...bounds, timeoutMs: 50 }))
    await expect.poll(() => Atomics.load(said, 0)).toBe(1)
    await timers.pass(50)
    expect(stuck.outcome).toEqual({ kind: 'late', ranMs: 50, progress: 'half' })
  })

  it('keeps a thread that was late and came to an end', async () => {
    const { pool, timers } = await startPool({ threads: 1, spares: 0, graceMs: 5_000 })
    const gate = createGate()
    const late = pool.run(gate.job, { ...bounds, timeoutMs: 40 })
    await timers.pass(40)
    expect(await late).toMatchObject({ kind: 'late' })
    gate.open()
    expect(await pool.run({ kind: 'say', word: 'here' }, bounds)).toEqual(answered('here'))
    await timers.pass(5_000)
    expect(lost).toEqual([])
  })

  it('counts waiting as part of the time', async () => {
    const { pool, timers } = await startPool({ threads: 1, spares: 0 })
    const gate = createGate()
    const long = pool.run(gate.job, bounds)
    const short = watch(pool.run({ kind: 'say', word: 'x' }, { ...bounds, timeoutMs: 50 }))
    await timers.pass(49)
    expect(short.outcome).toBeNull()
    await timers.pass(1)
    expect(short.outcome).toEqual({ kind: 'late', ranMs: 0 })
    gate.open()
    expect(await long).toEqual(answered('waited'))
  })

  it('takes no more jobs than it has room for', async () => {
    const { pool } = await startPool({ threads: 1, spares: 0, waitingMax: 2 })
    const gate = createGate()
    const jobs = Array.from({ length: 5 }, () => pool.run(gate.job, bounds))
    gate.open()
    const outcomes = (await Promise.all(jobs)).map(({ kind }) => kind)
    expect(outcomes).toEqual(['answered', 'answered', 'answered', 'full', 'full'])
  })

  it('never gives all threads to one queue', async () => {
    const { pool } = await startPool()
    const gate = createGate()
    const crowd = Array.from({ length: 6 }, () => pool.run(gate.job, { ...bounds, queue: 'crowd' }))
    // The gate keeps the crowd busy, yet this job is answered before it opens.
    expect(await pool.run({ kind: 'say', word: 'x' }, { ...bounds, queue: 'single' })).toEqual(answered('x'))
    gate.open()
    expect(await Promise.all(crowd)).toEqual(crowd.map(() => answered('waited')))
  })

  it('lets queues take turns', async () => {
    const { pool } = await startPool({ threads: 1, spares: 0 })
    const gate = createGate()
    const first = pool.run(gate.job, { ...bounds, queue: 'first' })
    const order: string[] = []
    const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map(async (word) => {
      await pool.run({ kind: 'say', word }, { ...bounds, queue: word.charAt(0) })
      order.push(word)
    })
    gate.open()
    await Promise.all([first, ...jobs])
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  })

  it('reports what a thread could not do, and replaces one that breaks', async () => {
    const { pool } = await startPool()
    expect(await pool.run({ kind: 'throw' }, bounds)).toMatchObject({ kind: 'failed', error: { message: 'asked to' } })
    expect(await pool.run({ kind: 'exit' }, bounds)).toMatchObject({ kind: 'failed' })
    expect(lost).toHaveLength(1)
    expect(await pool.run({ kind: 'say', word: 'x' }, bounds)).toEqual(answered('x'))
  })

  it('tells everybody that it is over when it is closed', async () => {
    const { pool } = await startPool({ threads: 1, spares: 0 })
    const running = pool.run({ kind: 'spin for ever' }, bounds)
    const waiting = pool.run({ kind: 'say', word: 'x' }, bounds)
    await pool.close()
    expect(await Promise.all([running, waiting])).toMatchObject([{ kind: 'late' }, { kind: 'late', ranMs: 0 }])
    expect(await pool.run({ kind: 'say', word: 'x' }, bounds)).toEqual({ kind: 'full' })
  })
})
