import { expect, it } from 'vitest'
import { marginPercent, revenueLines } from './revenue-lines.ts'

const sums = (requests: number, charged: number, cost: number) => {
  return { requests, charged, provider_cost: cost, margin: charged - cost, absorbed: 0 }
}
const nothing = sums(0, 0, 0)
const acme = { kind: 'organization' as const, id: '1', name: 'Acme' }

it('names customers, and the requests that no provider answered', () => {
  const gone = { kind: 'user' as const, id: '2', name: null }
  const data = [
    { key: 'w1', customer: acme, ...sums(2, 5, 3) },
    { key: 'w2', customer: gone, ...nothing },
    { key: null, customer: null, ...nothing },
    { key: 'openai', customer: null, ...nothing },
  ]
  const lines = revenueLines({ data, others: nothing, unattributed: 0 })
  expect(lines.map(({ id, name }) => [id, name])).toEqual([
    ['w1', 'Acme'],
    ['w2', 'Deleted user 2'],
    ['none', 'No provider answered'],
    ['openai', 'openai'],
  ])
  expect(lines[0]).toMatchObject({
    requests: 2,
    charged: 5_000_000_000n,
    cost: 3_000_000_000n,
    margin: 2_000_000_000n,
  })
})

it('ends with what the groups lack of the ledger', () => {
  const lines = revenueLines({ data: [], others: sums(3, 2, 1), unattributed: '0.000000001' })
  expect(lines.map(({ name, requests, charged }) => [name, requests, charged])).toEqual([
    ['Others', 3, 2_000_000_000n],
    ['Not attributed yet', 0, 1n],
  ])
})

it.each([
  [1_000n, 123n, '12.3%'],
  [1_000n, -45n, '-4.5%'],
  [3n, 1n, '33.3%'],
  [0n, -5n, '–'],
  [-1n, -1n, '–'],
])('the margin of %d with %d left is %s', (charged, margin, words) => {
  expect(marginPercent({ charged, margin })).toBe(words)
})
