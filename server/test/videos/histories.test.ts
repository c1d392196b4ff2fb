import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { fullCost, JobWorld, noCost, type PollFate, type SubmitFate } from './job-world.ts'

const submitFates: readonly SubmitFate[] = [
  'taken',
  'refused',
  'busy',
  'lost-on-the-way',
  'answer-lost',
  'proxy-gave-up',
]
const pollFates: readonly PollFate[] = ['pending', 'in_progress', 'broken', 'made', 'failed']

const script = fc.record({
  submits: fc.array(fc.constantFrom(...submitFates), { maxLength: 5 }),
  polls: fc.array(fc.constantFrom(...pollFates), { minLength: 1, maxLength: 8 }),
  canFind: fc.boolean(),
  storeFailures: fc.nat({ max: 14 }),
})

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('die' as const), calls: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 100, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stale' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), offMs: fc.integer({ min: -7_200_000, max: 60_000 }) }),
  },
)

async function play(world: JobWorld, deeds: readonly { do: string; calls?: number; ms?: number; offMs?: number }[]) {
  for (const each of deeds) {
    if (each.do === 'work') await world.work()
    else if (each.do === 'die') await world.work(each.calls)
    else if (each.do === 'wait') world.nowMs += each.ms ?? 0
    else if (each.do === 'stale') await world.workWithStaleClaim()
    else world.workerClockOffMs = each.offMs ?? 0
  }
  // From here on a worker is alive, and the clock is right.
  world.workerClockOffMs = 0
  for (let round = 0; round < 2_000 && !world.isOver; round += 1) {
    await world.work()
    world.nowMs += 4_000
  }
}

it('[P5] every history ends once: one state, one settle, refunded exactly on failure, its webhook with it', async () => {
  let ended = { completed: 0, failed: 0 }
  await fc.assert(
    fc.asyncProperty(
      script,
      fc.integer({ min: 1, max: 3 }),
      fc.array(deed, { maxLength: 25 }),
      async (plan, candidates, deeds) => {
        const world = new JobWorld(plan, candidates)
        await play(world, deeds)
        expect(world.isOver).toBe(true)
        expect(world.ends).toHaveLength(1)
        const [end] = world.ends
        const isCompleted = world.progress.status === 'completed'
        expect(end?.record.cost).toBe(isCompleted ? fullCost : noCost)
        expect(end?.record.refundReason === null).toBe(isCompleted)
        expect(end?.webhook).not.toBeNull()
        // A submit is only repeated if the outcome of the first was unknown, and that is recorded.
        const unknowns = world.progresses.filter(({ state }) => state === 'unknown').length
        expect(world.arrived.length).toBeLessThanOrEqual(1 + unknowns)
        const gaps = world.pollTimes.slice(1).map((time, index) => time - (world.pollTimes[index] ?? 0))
        expect(Math.min(8_000, ...gaps)).toBe(8_000)
        ended = isCompleted ? { ...ended, completed: ended.completed + 1 } : { ...ended, failed: ended.failed + 1 }
      },
    ),
    { numRuns: 10_000 },
  )
  // A test that only sees one of the outcomes would prove little.
  expect(Math.min(ended.completed, ended.failed)).toBeGreaterThan(1_000)
})
