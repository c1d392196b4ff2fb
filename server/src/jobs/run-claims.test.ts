import { expect, it } from 'vitest'
import { type ClaimRenewal, runClaims } from './run-claims.ts'

const signal = new AbortController().signal

it('claims no more than there is room for, and one that takes its time keeps none of the others waiting', async () => {
  const world = queueOf(['slow', 'quick', 'next', 'last'])
  const runner = runClaims({ ...world.options, atOnce: 2 })
  expect(await runner.run(signal)).toBe(false)
  expect(await runner.run(signal)).toBe(false)
  await world.finish('quick')
  await runner.run(signal)
  await world.finish('next')
  await runner.run(signal)
  expect(world.begun).toEqual(['slow', 'quick', 'next', 'last'])
  expect(world.rooms).toEqual([2, 1, 1])
  await Promise.all([world.finish('slow'), world.finish('last')])
})

it('is due again at once only where it got all that it had room for, and room was left meanwhile', async () => {
  const world = queueOf(['first', 'second', 'third'])
  const runner = runClaims({
    ...world.options,
    atOnce: 2,
    claim: async (atMost) => {
      if (world.begun.length === 1) await world.finish('first')
      return world.options.claim(Math.min(atMost, 1))
    },
  })
  expect(await runner.run(signal), 'less than there was room for').toBe(false)
  expect(await runner.run(signal), 'all of it, while the first ended').toBe(true)
  expect(await runner.run(signal), 'all of it, and none ended').toBe(false)
  await Promise.all([world.finish('second'), world.finish('third')])
})

it('work that fails is reported, and makes room', async () => {
  const world = queueOf(['broken', 'sound'])
  const failure = new Error('broken')
  const work = (claim: string) => (claim === 'broken' ? Promise.reject(failure) : world.options.work(claim))
  const runner = runClaims({ ...world.options, atOnce: 1, work })
  await runner.run(signal)
  await expect.poll(() => world.errors).toEqual([failure])
  await runner.run(signal)
  expect(world.begun).toEqual(['sound'])
  await world.finish('sound')
})

it('renews what is under way when its time has come, before it claims, and even where there is no room', async () => {
  const world = queueOf(['first', 'second'])
  const clock = { ms: 0 }
  const runner = runClaims({
    ...world.options,
    atOnce: 1,
    renewal: world.renewal({ everyMs: 100, nowMs: () => clock.ms }),
  })
  await runner.run(signal)
  clock.ms = 99
  await runner.run(signal)
  expect(world.renewed).toEqual([])
  clock.ms = 100
  await runner.run(signal)
  clock.ms = 199
  await runner.run(signal)
  expect(world.renewed).toEqual([['first']])
  await world.finish('first')
  clock.ms = 200
  await runner.run(signal)
  expect(world.renewed, 'there is nothing to renew').toEqual([['first']])
  // After the clock was set back, the age of the last renewal is unknown.
  clock.ms = 0
  await runner.run(signal)
  expect(world.renewed).toEqual([['first'], ['second']])
  await world.finish('second')
})

it('claims nothing in a round whose renewal fails', async () => {
  const world = queueOf(['first', 'second'])
  const clock = { ms: 0 }
  const renewal = { everyMs: 100, nowMs: () => clock.ms, renew: () => Promise.reject(new Error('away')) }
  const runner = runClaims({ ...world.options, atOnce: 2, claim: () => world.options.claim(1), renewal })
  await runner.run(signal)
  clock.ms = 100
  await expect(runner.run(signal)).rejects.toThrow('away')
  expect(world.begun).toEqual(['first'])
  await world.finish('first')
})

it('its end waits for the work under way, and renews it meanwhile', async () => {
  const world = queueOf(['long', 'short'])
  const renewedOften = Promise.withResolvers<void>()
  const renewal = world.renewal({ everyMs: 1, nowMs: () => 0 }, () => {
    if (world.renewed.length === 2) renewedOften.resolve()
  })
  const runner = runClaims({ ...world.options, atOnce: 2, renewal })
  await runner.run(signal)
  await world.finish('short')
  const ended = runner.end()
  await renewedOften.promise
  await world.finish('long')
  await ended
  expect(world.renewed.slice(0, 2)).toEqual([['long'], ['long']])
})

it('without a renewal, its end waits all the same', async () => {
  const world = queueOf(['long'])
  const runner = runClaims({ ...world.options, atOnce: 1 })
  await runner.run(signal)
  const order: string[] = []
  const ended = runner.end().then(() => order.push('end'))
  order.push('work')
  await world.finish('long')
  await ended
  expect(order).toEqual(['work', 'end'])
})

/** A queue of due rows. Each stays in progress until it is finished. */
function queueOf(due: string[]) {
  const rooms: number[] = []
  const begun: string[] = []
  const renewed: string[][] = []
  const errors: unknown[] = []
  const works = new Map<string, { ended: Promise<void>; resolve: () => void }>()
  return {
    rooms,
    begun,
    renewed,
    errors,
    options: {
      claim: async (atMost: number) => {
        rooms.push(atMost)
        return due.splice(0, atMost)
      },
      work: (claim: string): Promise<void> => {
        begun.push(claim)
        const { promise, resolve } = Promise.withResolvers<void>()
        works.set(claim, { ended: promise, resolve })
        return promise
      },
      onError: (error: unknown) => void errors.push(error),
    },
    renewal: (times: Pick<ClaimRenewal<string>, 'everyMs' | 'nowMs'>, onRenewed = () => {}): ClaimRenewal<string> => ({
      ...times,
      renew: async (claims) => {
        renewed.push([...claims])
        onRenewed()
      },
    }),
    /** Completes the row's work and lets the runner notice. */
    finish: async (claim: string): Promise<void> => {
      const work = works.get(claim)
      work?.resolve()
      await work?.ended
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
