import { describe, expect, it } from 'vitest'
import { statedCost } from './stated-cost.ts'

describe('a cost that an upstream states', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['0.1', 100_000_000],
    ['0.3', 300_000_000],
    ['0.000123', 123_000],
    ['1e-9', 1],
    ['0.0000000011', 2],
    ['1e-12', 1],
    ['0.00014159265358979', 141_593],
    ['1234.000000001', 1_234_000_000_001],
  ])('%s USD is %i nano-dollars, rounded up', (json, nano) => {
    expect(statedCost(JSON.parse(json))).toBe(nano)
  })

  it.each(['-1', '1e999', '1e30', 'null', '"0.1"', '{}', 'true'])('%s is none', (json) => {
    expect(statedCost(JSON.parse(json))).toBeUndefined()
  })
})
