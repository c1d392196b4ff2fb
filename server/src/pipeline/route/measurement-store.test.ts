import { describe, expect, it } from 'vitest'
import type { MeasuredCount, SharedMeasurements } from '#ports/shared-counts.ts'
import { createMeasurementStore, sliceMs, windowMs } from './measurement-store.ts'

const host = { vendor: 'acme', model: 'acme/one' }

function createWorld() {
  const counts: MeasuredCount[] = []
  const world = { nowMs: 1_700_000_000_000, isAway: false, asked: 0 }
  const shared: SharedMeasurements = {
    add: async (added) => {
      if (world.isAway) throw new Error('away')
      counts.push(...added)
    },
    read: async (startsMs) => {
      if (world.isAway) throw new Error('away')
      world.asked += startsMs.length
      return counts.filter(({ startMs }) => startsMs.includes(startMs))
    },
  }
  const createStore = () => createMeasurementStore({ shared, nowMs: () => world.nowMs, onError: () => {} })
  return { world, createStore }
}

describe('measurements of hosts', () => {
  it('[ROUTE-23] of one process are known to the others once both have synchronised', async () => {
    const { createStore } = createWorld()
    const [one, other] = [createStore(), createStore()]
    for (const latencyMs of [100, 200, 300]) one.note({ ...host, latencyMs, tokensPerSecond: 40 })
    expect(other.find(host)).toEqual({ latencyMs: null, tokensPerSecond: null })
    await one.sync()
    await other.sync()
    const { latencyMs, tokensPerSecond } = other.find(host)
    expect(latencyMs?.median).toBeCloseTo(200, -1)
    expect(latencyMs?.p95).toBeGreaterThan(285)
    expect(tokensPerSecond?.median).toBeCloseTo(40, -0.5)
    expect(other.find({ ...host, model: 'acme/two' })).toEqual({ latencyMs: null, tokensPerSecond: null })
  })

  it('count once, however often they are sent and read', async () => {
    const { createStore, world } = createWorld()
    const [one, other] = [createStore(), createStore()]
    for (let count = 0; count < 4; count += 1) one.note({ ...host, latencyMs: 1_000, tokensPerSecond: null })
    for (let turn = 0; turn < 5; turn += 1) {
      await one.sync()
      await other.sync()
      world.nowMs += 1_000
    }
    for (let count = 0; count < 5; count += 1) other.note({ ...host, latencyMs: 10, tokensPerSecond: null })
    await other.sync()
    // Five fast samples against four slow ones: if the slow ones were counted twice, they would set the median.
    expect(other.find(host).latencyMs?.median).toBeLessThan(20)
  })

  it('say nothing while they are too few', async () => {
    const { createStore } = createWorld()
    const store = createStore()
    for (let count = 0; count < 2; count += 1) store.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await store.sync()
    expect(store.find(host)).toEqual({ latencyMs: null, tokensPerSecond: null })
  })

  it('are forgotten after five minutes, and read again only while they may still change', async () => {
    const { createStore, world } = createWorld()
    const store = createStore()
    for (let count = 0; count < 5; count += 1) store.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await store.sync()
    world.asked = 0
    await store.sync()
    expect(world.asked).toBeLessThanOrEqual(3)
    world.nowMs += windowMs - 2 * sliceMs
    await store.sync()
    expect(store.find(host).latencyMs).not.toBeNull()
    world.nowMs += 3 * sliceMs
    await store.sync()
    expect(store.find(host)).toEqual({ latencyMs: null, tokensPerSecond: null })
  })

  it('are those of the process alone while the others cannot be reached', async () => {
    const { createStore, world } = createWorld()
    const [one, other] = [createStore(), createStore()]
    world.isAway = true
    for (let count = 0; count < 5; count += 1) one.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await one.sync()
    await other.sync()
    expect(one.find(host).latencyMs?.median).toBeCloseTo(50, -1)
    expect(other.find(host).latencyMs).toBeNull()
  })

  it('are bounded, however many hosts and models there are', async () => {
    const { createStore } = createWorld()
    const store = createStore()
    for (let index = 0; index < 10_000; index += 1) {
      for (let count = 0; count < 3; count += 1) {
        store.note({ vendor: 'acme', model: `acme/${index}`, latencyMs: 50, tokensPerSecond: null })
      }
    }
    await store.sync()
    expect(store.find({ vendor: 'acme', model: 'acme/0' }).latencyMs).not.toBeNull()
    expect(store.find({ vendor: 'acme', model: 'acme/9999' }).latencyMs).toBeNull()
  })

  it('[NEXT-106] give the 95th percentile from twenty on, separately for streams and whole answers', async () => {
    const { createStore } = createWorld()
    const store = createStore()
    for (let count = 1; count <= 19; count += 1) {
      store.note({ ...host, latencyMs: 100, tokensPerSecond: 9, wholeMs: 3_000 })
    }
    await store.sync()
    expect([store.slowMs(host, true), store.slowMs(host, false)]).toEqual([null, null])
    store.note({ ...host, latencyMs: 900, tokensPerSecond: 9, wholeMs: 4_000 })
    store.note({ ...host, latencyMs: 900, tokensPerSecond: 9 })
    await store.sync()
    expect(store.slowMs(host, true)).toBeGreaterThan(850)
    expect(store.slowMs(host, false)).toBeGreaterThan(2_850)
    expect(store.slowMs(host, false)).toBeLessThan(3_150)
    expect(store.slowMs({ ...host, model: 'acme/two' }, true)).toBeNull()
    expect(store.find(host).latencyMs?.median).toBeCloseTo(100, -1)
    expect(store.find(host).tokensPerSecond?.median).toBeCloseTo(9, -0.5)
  })
})
