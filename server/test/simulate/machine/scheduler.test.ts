import { describe, expect, it } from 'vitest'
import { createRandom } from '#test/drills/setup/random.ts'
import { Disk } from './disk.ts'
import { Process } from './process.ts'
import { Scheduler } from './scheduler.ts'

function newProcess(scheduler: Scheduler<Process>): Process {
  return new Process({ name: 'one', pid: 101, startTicks: 1, disk: new Disk(createRandom(1)), scheduler })
}

describe('the scheduler of the simulation', () => {
  it('hands events out by time, and those of one moment in the order of planning', () => {
    const scheduler = new Scheduler<Process>(1_000)
    const random = createRandom(7)
    const planned = Array.from({ length: 200 }, (_, order) => ({ ms: random.integer(0, 20), order }))
    const happened: { ms: number; order: number }[] = []
    for (const { ms, order } of planned) scheduler.after(ms, null, () => void happened.push({ ms, order }))
    for (let event = scheduler.next(); event !== undefined; event = scheduler.next()) {
      void event.run()
      expect(scheduler.nowMs).toBe(1_000 + (happened.at(-1)?.ms ?? -1))
    }
    expect(happened).toEqual(planned.toSorted((one, other) => one.ms - other.ms || one.order - other.order))
  })

  it('hands out nothing of a process that was killed', () => {
    const scheduler = new Scheduler<Process>(0)
    const process = newProcess(scheduler)
    process.after(5, () => {})
    process.kill()
    expect(scheduler.next()).toBeUndefined()
  })
})
