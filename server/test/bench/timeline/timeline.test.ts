import { describe, expect, it } from 'vitest'
import { type Recording, readTimelines, summariseCollections } from './timeline.ts'

const recording: Pick<Recording, 'requests' | 'statements' | 'redis'> = {
  requests: [
    { id: 'a', receivedMs: 0, bodyReadMs: 1, sentMs: 31, answeredMs: 43, writtenMs: 100 },
    { id: 'b', receivedMs: 5, bodyReadMs: 6, sentMs: 31, answeredMs: 50, writtenMs: 90 },
    // It was still being sent to its upstream when the recording began.
    { id: 'c', receivedMs: 5, bodyReadMs: 6, writtenMs: 90 },
  ],
  statements: [
    { kind: 'hold', ids: ['a', 'b', 'c'], wallets: ['one', 'two', 'one'], sentMs: 20, answeredMs: 29 },
    { kind: 'settle', ids: ['a'], wallets: ['one'], sentMs: 58, answeredMs: 79 },
    { kind: 'settle', ids: ['b'], wallets: ['two'], sentMs: 60, answeredMs: 80 },
  ],
  redis: [
    { wallet: 'one', sentMs: 3, answeredMs: 6 },
    { wallet: 'one', sentMs: 7, answeredMs: 10 },
    // Unpaid costs are counted after the response.
    { wallet: 'one', sentMs: 101, answeredMs: 105 },
    { wallet: null, sentMs: 7, answeredMs: 9 },
  ],
}
const rest = { collections: [], delayMs: { p50: 0, p99: 0, max: 0 }, process: { ms: 0, cpuUs: 0 } }

describe('the timeline of a request', () => {
  const [one, two, ...others] = readTimelines({ ...recording, ...rest })

  it('is divided by its moments, the statements with its id and the Redis calls of its wallet', () => {
    expect(one).toEqual({
      edge: 1,
      parse: 2,
      redis: 7,
      hold_queue: 10,
      hold_statement: 9,
      dispatch: 2,
      upstream: 12,
      settle_queue: 15,
      settle_statement: 21,
      write: 21,
    })
  })

  it('adds up to the whole request', () => {
    const wholes = [one, two].map((timeline) => Object.values(timeline ?? {}).reduce((sum, ms) => sum + ms, 0))
    expect(wholes).toEqual([100, 85])
  })

  it('needs no Redis call', () => {
    expect(two).toMatchObject({ parse: 0, redis: 0, hold_queue: 14 })
  })

  it('is left out if a moment is missing', () => {
    expect(others).toEqual([])
  })
})

it('collections are counted by kind, and what young ones leave in the young generation is what survives', () => {
  const collections = [
    collection('Scavenge', 2_000, 7_168),
    collection('Scavenge', 4_000, 3_072),
    collection('MarkSweepCompact', 9_000, 0),
    collection('IncrementalMarking', 1_000, 0),
  ]
  expect(summariseCollections(collections, 4)).toEqual({
    young: 2,
    young_mean_ms: 3,
    young_longest_ms: 4,
    full: 1,
    full_longest_ms: 9,
    surviving_kb_per_request: 3,
  })
  expect(summariseCollections([], 0)).toMatchObject({ young: 0, young_mean_ms: null, surviving_kb_per_request: 0 })
})

function collection(gcType: string, cost: number, young: number): Recording['collections'][number] {
  return {
    gcType,
    cost,
    afterGC: {
      heapSpaceStatistics: [
        { spaceName: 'new_space', spaceUsedSize: young },
        { spaceName: 'new_large_object_space', spaceUsedSize: 1_024 },
        { spaceName: 'old_space', spaceUsedSize: 10_000_000 },
      ],
    },
  }
}
