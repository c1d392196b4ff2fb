import { describe, expect, it } from 'vitest'
import { readMaxCost } from './max-cost.ts'

describe('the maximum cost of a request', () => {
  it.each([
    [undefined, {}, null],
    [undefined, { max_cost_usd: null }, null],
    [undefined, { max_cost_usd: 0.05 }, 50_000_000n],
    [undefined, { max_cost_usd: '0.05' }, 50_000_000n],
    [undefined, { max_cost_usd: 1e-9 }, 1n],
    [undefined, { max_cost_usd: 2 }, 2_000_000_000n],
    [' 0.000000001 ', {}, 1n],
    ['0.0000000019', {}, 1n],
    ['3', { max_cost_usd: 2 }, 2_000_000_000n],
    ['2', { max_cost_usd: '3' }, 2_000_000_000n],
  ])('header %j, body %j: %s', (header, body, amount) => {
    expect(readMaxCost(header, body)).toBe(amount)
  })

  it.each([0, -1, '', '-0.05', '5 cents', '.5', '1e3', '0', '0.0000000009', true, [1], {}, '1234567890'])(
    '%j in the body is refused',
    (value) => {
      expect(() => readMaxCost(undefined, { max_cost_usd: value })).toThrow('`max_cost_usd` must be an amount in USD')
    },
  )

  it.each(['', '0', '-1', 'all', '1,5'])('%j in the header is refused', (value) => {
    expect(() => readMaxCost(value, { max_cost_usd: 1 })).toThrow('The X-Weir-Max-Cost header must be an amount in USD')
  })
})
