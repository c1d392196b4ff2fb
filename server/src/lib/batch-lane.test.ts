import { describe, expect, it } from 'vitest'
import { BatchLane, type BatchLaneOptions } from './batch-lane.ts'

function laneOf(change: Partial<BatchLaneOptions<number, string>> = {}) {
  const batches: number[][] = []
  const releases: (() => void)[] = []
  const lane = new BatchLane<number, string>({
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
  return { lane, batches, release }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a lane', () => {
  it('sends what arrives together in one batch, and collects the next while it is in flight', async () => {
    const { lane, batches, release } = laneOf()
    const first = [lane.add(1), lane.add(2)]
    await turn()
    const second = [lane.add(3), lane.add(4), lane.add(5), lane.add(6)]
    expect(lane.depth).toBe(6)
    await release()
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2'])
    await release()
    await release()
    expect(await Promise.all(second)).toEqual(['done 3', 'done 4', 'done 5', 'done 6'])
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
    expect(lane.depth).toBe(0)
  })

  it('refuses at once when too many wait', async () => {
    const { lane, release } = laneOf()
    const waiting = [1, 2, 3, 4, 5, 6].map((item) => lane.add(item))
    await expect(lane.add(7)).rejects.toThrow('full')
    await release()
    await release()
    await Promise.all(waiting)
  })

  it('gives a failure to every item of its batch and to no other', async () => {
    const { lane } = laneOf({
      send: async (items) => {
        if (items.includes(2)) throw new Error('broken')
        return items.map(String)
      },
    })
    const items = [1, 2, 3, 4].map((item) => lane.add(item))
    const results = await Promise.allSettled(items)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled'])
  })

  it('sends each alone when one of them may have spoilt the batch', async () => {
    const { lane } = laneOf({
      send: async (items) => {
        if (items.includes(2)) throw new Error('out of range')
        return items.map(String)
      },
      isItemsFault: () => true,
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => lane.add(item)))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is idle once everything is answered', async () => {
    const { lane, release } = laneOf()
    await lane.idle()
    const item = lane.add(1)
    let isIdle = false
    const idle = lane.idle().then(() => {
      isIdle = true
    })
    await turn()
    expect(isIdle).toBe(false)
    await release()
    await item
    await idle
  })

  it('an item that the answer leaves out hears of it', async () => {
    const { lane } = laneOf({ send: async () => ['one'] })
    const results = await Promise.allSettled([lane.add(1), lane.add(2)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})
