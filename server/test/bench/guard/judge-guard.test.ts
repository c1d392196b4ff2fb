import { expect, it } from 'vitest'
import { judgeGuard } from './judge-guard.ts'

it.each([
  {
    figure: { median: 1, low: 0.97, high: 1.04, windows: 7 },
    hasPassed: true,
    says: '1 times the CPU of before (0.97 to 1.04 in 7 windows)',
  },
  { figure: { median: 1.3, low: 1.07, high: 1.4, windows: 7 }, hasPassed: true, says: '1.3 times' },
  { figure: { median: 1.15, low: 1.1, high: 1.4, windows: 7 }, hasPassed: true, says: '1.15 times' },
  {
    figure: { median: 1.151, low: 1.071, high: 1.4, windows: 7 },
    hasPassed: false,
    says: 'more than the 1.15 that is allowed',
  },
  {
    figure: { median: 1.3, low: 1.3, high: 1.4, windows: 4 },
    hasPassed: true,
    says: 'others disturbed too many to judge',
  },
  { figure: null, hasPassed: false, says: 'no window could be compared' },
])('a guard of $figure: $hasPassed', ({ figure, hasPassed, says }) => {
  const verdict = judgeGuard('a request', figure)
  expect(verdict.hasPassed).toBe(hasPassed)
  expect(verdict.line).toContain(says)
})
