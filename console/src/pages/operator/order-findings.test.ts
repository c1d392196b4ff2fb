import { expect, it } from 'vitest'
import { orderFindings, summaryOf } from './order-findings.ts'

it('lists what needs a person first, and keeps the order within a state', () => {
  const states = ['ok', 'warning', 'unknown', 'ok', 'fault', 'warning'] as const
  const found = orderFindings(states.map((state, place) => ({ state, place })))
  expect(found.map(({ state, place }) => [state, place])).toEqual([
    ['fault', 4],
    ['warning', 1],
    ['warning', 5],
    ['unknown', 2],
    ['ok', 0],
    ['ok', 3],
  ])
})

it.each([
  [{ faults: 0, warnings: 0, unknown: 0 }, 'No problems found'],
  [{ faults: 1, warnings: 0, unknown: 0 }, '1 fault'],
  [{ faults: 2, warnings: 1, unknown: 3 }, '2 faults, 1 warning, 3 unknown'],
])('sums up %o', (counts, words) => {
  expect(summaryOf(counts)).toBe(words)
})
