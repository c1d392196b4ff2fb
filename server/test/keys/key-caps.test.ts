import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, keyIn, type KeyWorld, type Manager, startKeyWorld } from './key-world.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')

describe("a key's cap, set over the API,", () => {
  let world: KeyWorld
  let manager: Manager
  beforeAll(async () => {
    world = await startKeyWorld(clock)
    manager = await world.manager()
  })
  afterAll(() => world.close())

  it.each([
    ['daily', ['2030-01-08T00:00:00Z', '2030-01-08T23:59:59Z', '2030-01-09T00:00:00Z'], [200, 402, 200]],
    ['weekly', ['2030-01-15T12:00:00Z', '2030-01-20T23:59:59Z', '2030-01-21T00:00:00Z'], [200, 402, 200]],
    ['monthly', ['2030-01-31T12:00:00Z', '2030-01-31T23:59:59Z', '2030-02-01T00:00:00Z'], [200, 402, 200]],
    [null, ['2030-03-01T12:00:00Z', '2031-03-01T12:00:00Z', '2035-01-01T00:00:00Z'], [200, 402, 402]],
  ])('[KEY-22] starts at zero with the next period: %s', async (limit_reset, moments, expected) => {
    const made = await createKeyOver(world, manager, { limit: 0.01, limit_reset })
    const statuses: number[] = []
    for (const moment of moments) {
      clock.set(moment)
      statuses.push(await world.spend(made))
    }
    expect(statuses).toEqual(expected)
    expect(keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id).limit_remaining).toBe(0.004)
  })

  it('[KEY-22] counts what is held as if it were spent: of many calls at once, only those that fit go out', async () => {
    // Each request holds 0.006015.
    const made = await createKeyOver(world, manager, { limit: 0.02 })
    world.upstream.forget()
    world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'all' }, { do: 'close' }] })
    const calls = Array.from({ length: 12 }, () => world.spend(made))
    await expect.poll(() => world.upstream.requests.length).toBe(3)
    expect(keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id).limit_remaining).toBeLessThan(0.006)
    world.upstream.release('all')
    const statuses = await Promise.all(calls)
    expect(statuses.filter((status) => status === 402)).toHaveLength(9)
    // None of them was answered, so nothing is spent.
    await world.expectSoundBooks()
    expect(keyIn(await world.send(manager, 'GET', '/v1/keys'), made.id).limit_remaining).toBe(0.02)
  })
})

describe('a key that has used up its cap', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld(clock)
  })
  afterAll(() => world.close())

  it.each(['daily', 'weekly', 'monthly'])('[ERR-50] is refused with 402 alone: %s', async (limit_reset) => {
    const manager = await world.manager()
    const made = await createKeyOver(world, manager, { limit: 0.01, limit_reset })
    const other = await createKeyOver(world, manager)
    expect(await world.spend(made)).toBe(200)
    const refused = await world.call(made, { max_tokens: 500 })
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({
      error: {
        code: 'spend_limit_exceeded',
        type: 'billing_error',
        message: expect.stringContaining(`key's ${limit_reset} spend limit`),
      },
    })
    expect(await world.spend(other)).toBe(200)
  })
})
