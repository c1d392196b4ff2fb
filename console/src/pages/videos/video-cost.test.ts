import { expect, it } from 'vitest'
import { videoCost } from './video-cost.ts'

it.each([
  ['completed', { cost: 0.000_000_001 }, { usd: 0.000_000_001, csv: '0.000000001' }],
  ['completed', { cost: 1.5 }, { usd: 1.5, csv: '1.5' }],
  ['failed', undefined, { usd: 0, csv: '0' }],
  ['pending', undefined, null],
  ['in_progress', { cost: 1.5 }, null],
] as const)('a video that is %s with %j costs %j', (status, usage, cost) => {
  expect(videoCost({ status, ...(usage === undefined ? {} : { usage }) })).toEqual(cost)
})
