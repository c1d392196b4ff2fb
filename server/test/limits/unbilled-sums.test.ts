import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { createRedisClient } from '#store/redis/redis-client.ts'
import { createRedisUnbilled, type SharedChange, subscribeUnbilled } from '#store/redis/redis-unbilled.ts'
import { createSyncedUnbilled } from '#store/redis/synced-unbilled.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const startMs = Date.parse('2031-03-03T10:30:00Z')
const redis = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
const prefix = randomRedisPrefix()
beforeAll(async () => {
  if (redis.status !== 'ready') await once(redis, 'ready')
})
afterAll(() => redis.disconnect())

const subject = (): string => randomBytes(8).toString('hex')

/** A process that shares its sums, with a clock that the test moves. */
function openProcess({ allowance = nanoUsd(10_000n) } = {}) {
  const shared = createRedisUnbilled({ redis, prefix, sender: subject() })
  const timers = createTestTimers()
  const state = { nowMs: startMs, messages: 0, isAway: false, losesAnswers: false, period: 1 as number | null }
  const unbilled = createSyncedUnbilled({
    sync: async (...message) => {
      if (state.isAway) return null
      state.messages += 1
      const sums = await shared.sync(...message)
      return state.losesAnswers ? null : sums
    },
    announcements: () => state,
    rules: { allowance, percent: 0 },
    nowMs: () => state.nowMs,
    timers,
  })
  return {
    state,
    outdate: unbilled.outdate,
    add: (id: string, change: Parameters<typeof unbilled.add>[1]) => unbilled.add(id, change, state.nowMs),
    /** Lets the time pass in which changes are sent, and waits for Redis. */
    flush: async () => {
      await timers.pass(100)
      await unbilled.close()
    },
    /** Lets the time pass once. */
    tick: () => timers.pass(100),
    close: unbilled.close,
  }
}

describe('[B6] unbilled sums that processes share', () => {
  it('are those of all processes, to the last digit', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const id = subject()
    // Beyond the integers that a floating-point number can represent.
    const large = nanoUsd(9_007_199_254_740_993n)
    await one.add(id, { paid: large, left: large, borne: large })
    await one.flush()
    expect(await other.add(id, { paid: nanoUsd(2n), underWay: nanoUsd(7n), atRisk: nanoUsd(3n) })).toEqual({
      left: large,
      borne: large,
      paidToday: 9_007_199_254_740_995n,
      paidYesterday: 0n,
      underWay: 7n,
      atRisk: 3n,
    })
  })

  it('need no message while they are known', async () => {
    const one = openProcess()
    const id = subject()
    await one.add(id, { underWay: nanoUsd(4n) })
    expect(one.state.messages).toBe(1)
    expect(one.add(id, { underWay: nanoUsd(5n) })).toMatchObject({ underWay: 9n })
    expect(one.add(id, { underWay: nanoUsd(-4n), paid: nanoUsd(2n) })).toMatchObject({ underWay: 5n, paidToday: 2n })
    expect(one.state.messages).toBe(1)
    await one.flush()
    expect(one.state.messages).toBe(2)
  })

  it('are read again after 100 ms, and after more than one process may add in between', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const id = subject()
    await one.add(id, { underWay: nanoUsd(4n) })
    await other.add(id, { left: nanoUsd(50n) })
    expect(one.add(id, {})).toMatchObject({ left: 0n })
    one.state.nowMs += 99
    expect(one.add(id, {})).not.toBeInstanceOf(Promise)
    one.state.nowMs += 1
    expect(await one.add(id, {})).toMatchObject({ left: 50n })

    await other.add(id, { left: nanoUsd(60n) })
    await other.flush()
    expect(one.add(id, { underWay: nanoUsd(1_000n) })).toMatchObject({ left: 50n })
    expect(await one.add(id, { underWay: nanoUsd(1n) })).toMatchObject({ left: 110n, underWay: 1_005n })
  })

  it.each([
    ['left', { left: nanoUsd(50n) }, { left: nanoUsd(51n) }],
    ['borne', { borne: nanoUsd(50n) }, { borne: nanoUsd(51n) }],
    ['at risk', { atRisk: nanoUsd(50n) }, { atRisk: nanoUsd(51n) }],
    ['under way', { underWay: nanoUsd(1_000n) }, { underWay: nanoUsd(1_001n) }],
  ])('are read for every request when half of the allowance is %s', async (_name, half, more) => {
    const [one, other] = [openProcess({ allowance: nanoUsd(100n) }), openProcess({ allowance: nanoUsd(100n) })]
    const [id, nearId] = [subject(), subject()]
    await one.add(id, half)
    expect(one.add(id, {})).not.toBeInstanceOf(Promise)
    await one.add(nearId, more)
    await other.add(nearId, { paid: nanoUsd(7n) })
    await other.flush()
    expect(await one.add(nearId, {})).toMatchObject({ paidToday: 7n })
  })

  it.each(['left', 'borne'] as const)('are exact for a request that adds to what is %s', async (name) => {
    const [one, other] = [openProcess(), openProcess()]
    const id = subject()
    await one.add(id, {})
    await other.add(id, { [name]: nanoUsd(50n) })
    expect(await one.add(id, { [name]: nanoUsd(1n) })).toMatchObject({ [name]: 51n })
    expect(await openProcess().add(id, {})).toMatchObject({ [name]: 51n })
  })

  it('are read again when another process has announced unpaid cost', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const id = subject()
    await one.add(id, {})
    one.outdate(subject())
    expect(one.add(id, {})).not.toBeInstanceOf(Promise)
    await other.add(id, { left: nanoUsd(50n) })
    one.outdate(id)
    expect(await one.add(id, {})).toMatchObject({ left: 50n })
    expect(one.add(id, {})).toMatchObject({ left: 50n })
  })

  it('are read again when the announcement comes before the answer to an earlier message', async () => {
    const one = openProcess()
    const id = subject()
    const asked = one.add(id, {})
    one.outdate(id)
    await asked
    expect(one.add(id, {})).toBeInstanceOf(Promise)
  })

  it('are read again where announcements may have been lost', async () => {
    const one = openProcess()
    const id = subject()
    await one.add(id, {})
    for (const period of [null, 2]) {
      one.state.period = period
      const asked = one.add(id, {})
      expect(asked).toBeInstanceOf(Promise)
      await asked
    }
    expect(one.add(id, {})).not.toBeInstanceOf(Promise)
  })

  it('show each request of a burst only those before it', async () => {
    const one = openProcess()
    const id = subject()
    const burst = Array.from({ length: 4 }, () => one.add(id, { underWay: nanoUsd(5n) }))
    const sums = await Promise.all(burst)
    expect(sums.map(({ underWay }) => underWay)).toEqual([5n, 10n, 15n, 20n])
    // The first sends its own change, and the second message has the changes of the others.
    expect(one.state.messages).toBe(2)
    expect(await openProcess().add(id, {})).toMatchObject({ underWay: 20n })
  })

  it('are read after the changes of all that wait for the same message', async () => {
    const [one, other] = [openProcess(), openProcess()]
    const id = subject()
    const [first, second, third] = [1n, 2n, 3n].map((amount) => one.add(id, { underWay: nanoUsd(amount) }))
    const unpaid = other.add(id, { left: nanoUsd(50n) })
    await Promise.all([first, unpaid])
    expect([await second, await third]).toMatchObject([{ left: 50n }, { left: 50n }])
  })

  it('are counted once when the answer of Redis is lost', async () => {
    const one = openProcess()
    const id = subject()
    one.state.losesAnswers = true
    await one.add(id, { left: nanoUsd(5n), underWay: nanoUsd(3n) })
    await one.flush()
    one.state.losesAnswers = false
    await one.add(id, { left: nanoUsd(2n) })
    await one.flush()
    await one.flush()
    expect(await openProcess().add(id, {})).toMatchObject({ left: 7n, underWay: 3n })
  })

  it('are those of this process while Redis is away, and are sent afterwards', async () => {
    const one = openProcess()
    const id = subject()
    await one.add(id, { paid: nanoUsd(10n) })
    await one.flush()
    one.state.isAway = true
    one.state.nowMs += 1_000
    expect(await one.add(id, { left: nanoUsd(5n) })).toMatchObject({ left: 5n, paidToday: 10n })
    await one.flush()
    one.state.isAway = false
    one.state.nowMs += 1_000
    await one.add(id, { left: nanoUsd(1n) })
    await one.flush()
    await one.flush()
    expect(await openProcess().add(id, {})).toMatchObject({ left: 6n, paidToday: 10n })
  })

  it('belong to the day in which they came, also when they are sent on the next', async () => {
    const one = openProcess()
    const id = subject()
    one.state.nowMs = Date.parse('2031-03-03T23:59:59.950Z')
    await one.add(id, { paid: nanoUsd(5n), left: nanoUsd(3n), borne: nanoUsd(2n) })
    one.add(id, { paid: nanoUsd(4n) })
    one.state.nowMs += 100
    expect(await one.add(id, {})).toMatchObject({ left: 0n, borne: 0n, paidToday: 0n, paidYesterday: 9n })
    one.state.nowMs += dayMs
    expect(await one.add(id, {})).toMatchObject({ left: 0n, paidToday: 0n, paidYesterday: 0n })
  })

  it('are those of the right day while Redis is away over midnight', async () => {
    const one = openProcess()
    const id = subject()
    await one.add(id, { paid: nanoUsd(5n), left: nanoUsd(3n) })
    await one.flush()
    one.state.isAway = true
    one.state.nowMs += dayMs
    expect(await one.add(id, { paid: nanoUsd(1n) })).toMatchObject({ left: 0n, paidToday: 1n, paidYesterday: 5n })
    one.state.nowMs += dayMs
    expect(await one.add(id, {})).toMatchObject({ paidToday: 0n, paidYesterday: 1n })
  })

  it.each(['underWay', 'atRisk'] as const)('no longer have what has ended %s', async (name) => {
    const one = openProcess()
    const id = subject()
    await one.add(id, { [name]: nanoUsd(4n), sinceMs: startMs })
    one.state.nowMs += hourMs
    const laterMs = one.state.nowMs
    expect(await one.add(id, { [name]: nanoUsd(6n), sinceMs: laterMs })).toMatchObject({ [name]: 10n })
    expect(one.add(id, { [name]: nanoUsd(-4n), sinceMs: startMs })).toMatchObject({ [name]: 6n })
    expect(one.add(id, { [name]: nanoUsd(-60n), sinceMs: laterMs })).toMatchObject({ [name]: 0n })
  })

  it('take amounts beyond the integers of Redis as the largest that it can add up', async () => {
    const one = openProcess()
    const id = subject()
    const endless = nanoUsd(10n ** 30n)
    await one.add(id, { underWay: endless, atRisk: endless })
    await one.add(id, { underWay: nanoUsd(-endless), atRisk: nanoUsd(-endless), paid: nanoUsd(3n) })
    await one.flush()
    expect(await openProcess().add(id, {})).toMatchObject({ underWay: 0n, atRisk: 0n, paidToday: 3n })
  })

  it('are sent for so many subjects at a time, until all are', async () => {
    const one = openProcess()
    const ids = Array.from({ length: 501 }, subject)
    one.state.isAway = true
    for (const id of ids) await one.add(id, { paid: nanoUsd(1n) })
    one.state.isAway = false
    one.state.messages = 0
    await one.tick()
    expect(one.state.messages).toBe(500)
    await expect
      .poll(async () => {
        await one.tick()
        return one.state.messages
      })
      .toBe(501)
  })

  it('keep what waits when a process stops after an answer was lost', async () => {
    const one = openProcess()
    const id = subject()
    one.state.losesAnswers = true
    await one.add(id, { underWay: nanoUsd(4n) })
    await one.add(id, { underWay: nanoUsd(-4n), paid: nanoUsd(8n) })
    one.state.losesAnswers = false
    await one.close()
    expect(await openProcess().add(id, {})).toMatchObject({ underWay: 0n, paidToday: 8n })
  })

  it('are sent when a process stops', async () => {
    const one = openProcess()
    const id = subject()
    await one.add(id, { underWay: nanoUsd(4n) })
    one.add(id, { underWay: nanoUsd(-4n), paid: nanoUsd(8n) })
    await one.close()
    expect(await openProcess().add(id, {})).toMatchObject({ underWay: 0n, paidToday: 8n })
  })
})

const noChange = { left: 0n, borne: 0n, paid: 0n, underWay: 0n, atRisk: 0n }

function changeAt(nowMs: number, sequence: number, amounts: Partial<SharedChange>): SharedChange {
  const hour = Math.floor(nowMs / hourMs)
  return { ...noChange, day: Math.floor(hour / 24), hour, sequence, sequenceHour: hour, ...amounts }
}

it('[B6] what a process had under way when it died is forgotten within two hours', async () => {
  const store = createRedisUnbilled({ redis, prefix, sender: 'a' })
  const id = subject()
  await store.sync(id, [changeAt(startMs, 1, { underWay: 4n, atRisk: 5n })], startMs)
  expect(await store.sync(id, [], startMs + hourMs)).toMatchObject({ underWay: 4n, atRisk: 5n })
  expect(await store.sync(id, [], startMs + 2 * hourMs)).toMatchObject({ underWay: 0n, atRisk: 0n })
})

it('[B6] Redis counts each message of a sender once', async () => {
  const [one, other] = ['a', 'b'].map((sender) => createRedisUnbilled({ redis, prefix, sender }))
  const id = subject()
  const first = changeAt(startMs, 1, { left: 4n })
  await one?.sync(id, [first], startMs)
  await one?.sync(id, [first, changeAt(startMs, 2, { left: 1n })], startMs)
  const sums: UnbilledSums | undefined = await other?.sync(id, [first], startMs)
  expect(sums).toMatchObject({ left: 9n })
})

describe('[B6] what a process announces', () => {
  const subscriber = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
  afterAll(() => subscriber.disconnect())

  it.each<[string, Partial<SharedChange>, boolean]>([
    ['abandoned', { left: 1n }, true],
    ['borne', { borne: 1n }, true],
    ['paid', { paid: 1n }, false],
    ['under way', { underWay: 1n }, false],
    ['at risk', { atRisk: 1n }, false],
  ])('an amount that is %s', async (_name, amounts, isAnnounced) => {
    const heard: string[] = []
    const announcements = subscribeUnbilled({ redis: subscriber, prefix, sender: 'a' }, (id) => heard.push(id))
    await expect.poll(() => announcements.period).toBe(1)
    const [own, other] = ['a', 'b'].map((sender) => createRedisUnbilled({ redis, prefix, sender }))
    const [id, lastId] = [subject(), subject()]
    await own?.sync(id, [changeAt(startMs, 1, amounts)], startMs)
    await other?.sync(id, [changeAt(startMs, 1, amounts)], startMs)
    // A message that is sent again is not announced again.
    await other?.sync(id, [changeAt(startMs, 1, amounts)], startMs)
    await other?.sync(lastId, [changeAt(startMs, 2, { left: 1n })], startMs)
    await expect.poll(() => heard).toEqual(isAnnounced ? [id, lastId] : [lastId])
  })
})

it('[B6] announcements have another period after each interruption', async () => {
  const subscriber = createRedisClient({ url: testRedisUrl(), commandTimeoutMs: 60_000 })
  const announcements = subscribeUnbilled({ redis: subscriber, prefix, sender: 'a' }, () => {})
  await expect.poll(() => announcements.period).toBe(1)
  const closed = once(subscriber, 'close').then(() => announcements.period)
  subscriber.disconnect(true)
  expect(await closed).toBeNull()
  await expect.poll(() => announcements.period).toBe(2)
  subscriber.disconnect()
})

it('[B6] Redis counts nothing twice of a message that it could not count whole', async () => {
  const store = createRedisUnbilled({ redis, prefix, sender: 'a' })
  const id = subject()
  const tooLarge = changeAt(startMs, 1, { paid: 4n, underWay: 10n ** 30n })
  await expect(store.sync(id, [tooLarge], startMs)).rejects.toThrow('out of range')
  expect(await store.sync(id, [tooLarge], startMs)).toMatchObject({ paidToday: 4n, underWay: 0n })
})

it('[B6] Redis keeps only the days and hours that are still read', async () => {
  const store = createRedisUnbilled({ redis, prefix, sender: 'a' })
  const id = subject()
  for (let hours = 0; hours <= 72; hours += 1) {
    const nowMs = startMs + hours * hourMs
    const amounts = { paid: 5n, left: 3n, borne: 2n, underWay: 1n }
    await store.sync(id, [changeAt(nowMs, hours + 1, amounts)], nowMs)
  }
  const fields = await redis.hkeys(`${prefix}unbilled:{${id}}`)
  expect(fields.map((field) => field.replace(/:\d+$/, '')).toSorted()).toEqual([
    'borne',
    'borne',
    'hour',
    'left',
    'left',
    'paid',
    'paid',
    'seq-a',
    'seq-a',
    'under-way',
    'under-way',
  ])
})
