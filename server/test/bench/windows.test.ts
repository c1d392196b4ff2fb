import { expect, it } from 'vitest'
import type { Entry } from './entry.ts'
import type { Look } from './look.ts'
import { compareSeries, isComparable, ratioOf, seriesOf } from './windows.ts'

function lookOf(changes: Partial<Look> = {}): Look {
  return {
    perSecond: 100,
    cpuUs: 10,
    p50Ms: 1,
    p99Ms: 2,
    postgresCpuUs: null,
    walBytes: null,
    busyShare: 1,
    others: 0,
    isSaturated: false,
    errors: { attempts: 100, errors: 0, firstError: null },
    ...changes,
  }
}

function entryOf(looks: readonly (Look | undefined)[]): Entry {
  const windows = looks.map((look) => (look === undefined ? {} : { json: look }))
  return { name: 'it', contender: null, running: null, memory: null, windows, out: null }
}

it('a window that others disturbed is not counted', () => {
  const entry = entryOf([lookOf(), lookOf({ others: 0.11, perSecond: 7 }), lookOf({ others: 0.1, perSecond: 90 })])
  expect(seriesOf(entry, 'json', 'perSecond')).toEqual([100, null, 90])
})

it('where all windows were disturbed, all are counted', () => {
  const entry = entryOf([lookOf({ others: 1, perSecond: 5 }), lookOf({ others: 2, perSecond: 6 })])
  expect(seriesOf(entry, 'json', 'perSecond')).toEqual([5, 6])
})

it('a contender with errors is not compared', () => {
  const few = lookOf({ errors: { attempts: 100, errors: 1, firstError: 'a' } })
  const many = lookOf({ errors: { attempts: 100, errors: 2, firstError: 'a' } })
  expect(isComparable(entryOf([few]), 'json')).toBe(true)
  expect(seriesOf(entryOf([many]), 'json', 'perSecond')).toEqual([])
  expect(seriesOf(undefined, 'json', 'perSecond')).toEqual([])
})

it('compares within each window that both have', () => {
  expect(ratioOf([10, null, 30], [5, 5, 10])).toEqual({ median: 2.5, low: 2.25, high: 2.75, windows: 2 })
  expect(compareSeries([[3], [1], [2]], (own, base, third) => (own - base) / third)).toEqual([1])
  expect(ratioOf([], [1])).toBeNull()
})
