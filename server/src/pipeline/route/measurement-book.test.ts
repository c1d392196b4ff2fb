import { describe, expect, it } from 'vitest'
import type { MeasuredCount, SharedMeasurements } from '#ports/shared-counts.ts'
import { createMeasurementBook, sliceMs, windowMs } from './measurement-book.ts'

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
  const createBook = () => createMeasurementBook({ shared, nowMs: () => world.nowMs, onError: () => {} })
  return { world, createBook }
}

describe('measurements of hosts', () => {
  it('[ROUTE-23] of one process are known to the others once both have synchronised', async () => {
    const { createBook } = createWorld()
    const [one, other] = [createBook(), createBook()]
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
    const { createBook, world } = createWorld()
    const [one, other] = [createBook(), createBook()]
    for (let count = 0; count < 4; count += 1) one.note({ ...host, latencyMs: 1_000, tokensPerSecond: null })
    for (let turn = 0; turn < 5; turn += 1) {
      await one.sync()
      await other.sync()
      world.nowMs += 1_000
    }
    for (let count = 0; count < 5; count += 1) other.note({ ...host, latencyMs: 10, tokensPerSecond: null })
    await other.sync()
    // Five fast ones against four slow ones: had those been counted again, they would be the median.
    expect(other.find(host).latencyMs?.median).toBeLessThan(20)
  })

  it('say nothing while they are too few', async () => {
    const { createBook } = createWorld()
    const book = createBook()
    for (let count = 0; count < 2; count += 1) book.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await book.sync()
    expect(book.find(host)).toEqual({ latencyMs: null, tokensPerSecond: null })
  })

  it('are forgotten after five minutes, and read again only while they may still change', async () => {
    const { createBook, world } = createWorld()
    const book = createBook()
    for (let count = 0; count < 5; count += 1) book.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await book.sync()
    world.asked = 0
    await book.sync()
    expect(world.asked).toBeLessThanOrEqual(3)
    world.nowMs += windowMs - 2 * sliceMs
    await book.sync()
    expect(book.find(host).latencyMs).not.toBeNull()
    world.nowMs += 3 * sliceMs
    await book.sync()
    expect(book.find(host)).toEqual({ latencyMs: null, tokensPerSecond: null })
  })

  it('are those of the process alone while the others cannot be reached', async () => {
    const { createBook, world } = createWorld()
    const [one, other] = [createBook(), createBook()]
    world.isAway = true
    for (let count = 0; count < 5; count += 1) one.note({ ...host, latencyMs: 50, tokensPerSecond: 9 })
    await one.sync()
    await other.sync()
    expect(one.find(host).latencyMs?.median).toBeCloseTo(50, -1)
    expect(other.find(host).latencyMs).toBeNull()
  })

  it('are bounded, however many hosts and models there are', async () => {
    const { createBook } = createWorld()
    const book = createBook()
    for (let index = 0; index < 10_000; index += 1) {
      for (let count = 0; count < 3; count += 1) {
        book.note({ vendor: 'acme', model: `acme/${index}`, latencyMs: 50, tokensPerSecond: null })
      }
    }
    await book.sync()
    expect(book.find({ vendor: 'acme', model: 'acme/0' }).latencyMs).not.toBeNull()
    expect(book.find({ vendor: 'acme', model: 'acme/9999' }).latencyMs).toBeNull()
  })
})
