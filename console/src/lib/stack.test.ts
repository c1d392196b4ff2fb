import { expect, it } from 'vitest'
import { stackOf } from './stack.ts'

const draw = { height: Number, words: String }

it('stacks the four largest names, and the rest as one', () => {
  const entries = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => ({
    bucket: 'x',
    name,
    amount: BigInt(index + 1),
  }))
  const { series, points, sum } = stackOf(entries, ['x', 'y'], draw)
  expect(series.map(({ label }) => label)).toEqual(['f', 'e', 'd', 'c', 'Other'])
  expect(points.map(({ words }) => Object.values(words))).toEqual([
    ['6', '5', '4', '3', '3'],
    ['0', '0', '0', '0', '0'],
  ])
  expect(sum).toBe(21n)
})

it('has no rest where every name has its own series', () => {
  const { series } = stackOf([{ bucket: 'x', name: 'a', amount: 1n }], ['x'], draw)
  expect(series).toEqual([{ id: 'series0', label: 'a' }])
})
