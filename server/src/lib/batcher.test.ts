import { describe, expect, it } from 'vitest'
import { Batcher, type BatcherOptions } from './batcher.ts'

function batcherOf(change: Partial<BatcherOptions<number, string>> = {}) {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const batcher = new Batcher<number, string>({
    send: async (items) => {
      batches.push(items)
      await new Promise<void>((resolve) => releases.push(resolve))
      return items.map((item) => `done ${item}`)
    },
    batchMax: 3,
    inFlightMax: 1,
    queueMax: 6,
    refusal: () => new Error('full'),
    ...change,
  })
  const release = async (): Promise<void> => {
    while (releases.length === 0) await turn()
    releases.shift()?.()
    await turn()
  }
  return { batcher, batches, release }
}

const rejection = (error: unknown): Error => new Error(`unavailable: ${String(error)}`)

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a batcher', () => {
  it('sends what arrives together in one batch, and collects the next while it is in flight', async () => {
    const { batcher, batches, release } = batcherOf()
    const first = [batcher.add(1), batcher.add(2)]
    await turn()
    const second = [batcher.add(3), batcher.add(4), batcher.add(5), batcher.add(6)]
    expect(batcher.depth).toBe(6)
    await release()
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2'])
    await release()
    await release()
    expect(await Promise.all(second)).toEqual(['done 3', 'done 4', 'done 5', 'done 6'])
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
    expect(batcher.depth).toBe(0)
  })

  it('refuses at once when too many wait', async () => {
    const { batcher, release } = batcherOf()
    const waiting = [1, 2, 3, 4, 5, 6].map((item) => batcher.add(item))
    await expect(batcher.add(7)).rejects.toThrow('full')
    await release()
    await release()
    await Promise.all(waiting)
  })

  it('gives a failure to every item of its batch and to no other', async () => {
    const { batcher } = batcherOf({
      send: async (items) => {
        if (items.includes(2)) throw new Error('broken')
        return items.map(String)
      },
    })
    const items = [1, 2, 3, 4].map((item) => batcher.add(item))
    const results = await Promise.allSettled(items)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  })

  it('rejects items with the error that its owner wants', async () => {
    const failing = batcherOf({ send: () => Promise.reject(new Error('broken')), rejection })
    await expect(failing.batcher.add(1)).rejects.toThrow('unavailable: Error: broken')
    const forgetful = batcherOf({ send: async () => [], rejection })
    await expect(forgetful.batcher.add(1)).rejects.toThrow('unavailable: Error: the batch returned no result')
  })

  it('sends each alone when one of them may have spoilt the batch', async () => {
    const { batcher } = batcherOf({
      send: async (items) => {
        if (items.includes(2)) throw new Error('out of range')
        return items.map(String)
      },
      isItemsFault: () => true,
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is idle once everything is answered', async () => {
    const { batcher, release } = batcherOf()
    await batcher.idle()
    const item = batcher.add(1)
    let isIdle = false
    const idle = batcher.idle().then(() => {
      isIdle = true
    })
    await turn()
    expect(isIdle).toBe(false)
    await release()
    await item
    await idle
  })

  it('an item that the answer leaves out hears of it', async () => {
    const { batcher } = batcherOf({ send: async () => ['one'] })
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})
